/** The periods of a statement: whole days of Viet Nam, the last one included. */
import { dayText, isDay, startOfMonth } from "../../../domain/vietnam-days.ts"

export const statementPeriods = ["thisMonth", "lastMonth", "thisYear", "all", "custom"] as const
type StatementPeriodName = (typeof statementPeriods)[number]

export interface StatementPeriod {
  /** `2026-11-01`; `undefined` from the beginning. */
  readonly from: string | undefined
  readonly to: string
}

/** `undefined` for days that are none, or in the wrong order. */
export const statementPeriodOf = (
  name: StatementPeriodName,
  custom: { readonly from: string; readonly to: string },
  now: number
): StatementPeriod | undefined => {
  const today = dayText(now)
  if (name === "thisMonth") return { from: dayText(startOfMonth(now)), to: today }
  if (name === "lastMonth") {
    const end = startOfMonth(now) - 1
    return { from: dayText(startOfMonth(end)), to: dayText(end) }
  }
  if (name === "thisYear") return { from: `${today.slice(0, 4)}-01-01`, to: today }
  if (name === "all") return { from: undefined, to: today }
  return isDay(custom.from) && isDay(custom.to) && custom.from <= custom.to ? custom : undefined
}
