/** Reads the period of an export. Days are those of Asia/Ho_Chi_Minh, which has no summer time. */
import { dayMs, isDay, startOfNamedDay } from "../domain/vietnam-days.ts"
import { BadText } from "./check-text.ts"

export interface Period {
  readonly from: Date | undefined
  /** Up to, but without, this moment. */
  readonly to: Date | undefined
}

/**
 * A bound is a day (`2026-11-30`) or a moment with its zone (`2026-11-30T08:00:00Z`, `…+07:00`). A day as `to` is
 * part of the period; a moment as `to` is not.
 */
export const parsePeriod = (
  from: string | undefined,
  to: string | undefined,
  /** What stands before the names of the bounds where they are asked for. */
  prefix = "--"
): Period | BadText => {
  const start = from === undefined ? undefined : parseBound(from, "start")
  const end = to === undefined ? undefined : parseBound(to, "end")
  if (start === null) return badBound(`${prefix}from`)
  if (end === null) return badBound(`${prefix}to`)
  if (start !== undefined && end !== undefined && start >= end) {
    return emptyPeriod()
  }
  return { from: start, to: end }
}

export const emptyPeriod = (): BadText => new BadText({ what: "period", reason: "must end after it begins" })

const badBound = (what: string) =>
  new BadText({
    what: `time ${what}`,
    reason: "must be a day such as 2026-11-30 or a moment such as 2026-11-30T08:00:00Z"
  })

const momentForm = /^(\d{4}-\d{2}-\d{2})T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/

/** A moment with its zone; `undefined` for what is none. */
export const readMoment = (text: string): Date | undefined =>
  momentForm.test(text) ? readStart(text) : undefined

/** A moment, or when a day begins; `undefined` for what is neither. */
export const readStart = (text: string): Date | undefined => parseBound(text, "start") ?? undefined

const parseBound = (text: string, side: "start" | "end"): Date | null => {
  const [, day = text] = momentForm.exec(text) ?? []
  if (!isDay(day)) return null
  if (day !== text) return valid(new Date(text))
  const midnight = new Date(startOfNamedDay(text))
  return valid(side === "start" ? midnight : new Date(midnight.getTime() + dayMs))
}

/** Later ones, such as the end of 9999 for "no end", have years of more than four digits, which few programs read. */
const latest = Date.UTC(9999, 11, 31)

const valid = (date: Date): Date | null =>
  Number.isNaN(date.getTime()) ? null : new Date(Math.min(date.getTime(), latest))
