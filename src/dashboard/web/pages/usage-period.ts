/** The periods of the usage page, in days of Viet Nam. */
import { dayMs, hourMs, startOfDay, startOfMonth, startOfNamedDay } from "../../../domain/vietnam-days.ts"

export type PeriodName = "day" | "week" | "month" | "thisMonth" | "custom"

export interface Period {
  readonly from: number
  readonly to: number
  readonly bucket: "hour" | "day"
}

/** A page that stays open goes on with it to what has come since, as soon as anything is chosen. */
export const presentHour = (): number => Math.floor(Date.now() / hourMs)

/** `undefined` for days that are none, or in the wrong order. */
export const periodOf = (
  name: PeriodName,
  custom: { readonly from: string; readonly to: string },
  now: number
): Period | undefined => {
  const nextHour = Math.ceil(now / hourMs) * hourMs
  const tomorrow = startOfDay(now) + dayMs
  if (name === "day") return { from: nextHour - dayMs, to: nextHour, bucket: "hour" }
  if (name === "week") return { from: tomorrow - 7 * dayMs, to: tomorrow, bucket: "day" }
  if (name === "month") return { from: tomorrow - 30 * dayMs, to: tomorrow, bucket: "day" }
  if (name === "thisMonth") return { from: startOfMonth(now), to: tomorrow, bucket: "day" }
  const from = startOfNamedDay(custom.from)
  const to = startOfNamedDay(custom.to) + dayMs
  if (!(from < to) || to - from > 400 * dayMs) return undefined
  return { from, to, bucket: to - from <= 2 * dayMs ? "hour" : "day" }
}

/** The beginnings of all hours or days of a period, also of those without calls. */
export const bucketsOf = ({ bucket, from, to }: Period): ReadonlyArray<number> => {
  const step = bucket === "hour" ? hourMs : dayMs
  return Array.from({ length: Math.ceil((to - from) / step) }, (_, index) => from + index * step)
}
