/** Almost each change is a row of the audit log, which stays: how many one person can cause is bounded. */
import { changesPerMinute, tokenChangesPerMinute } from "../domain/per-minute.ts"
import { requireNoWait } from "./ApiProblem.ts"
import type { DashboardContext } from "./DashboardContext.ts"
import type { Caller } from "./definition/access.ts"

const minuteMs = 60_000

/** What tokens do is counted beside, so that a program in haste does not keep its maker from the pages. */
export const limitChanges = (
  { isPerson, personId }: Caller["Service"],
  { limits }: DashboardContext
): void => {
  const wait = isPerson
    ? limits.take("change", personId, changesPerMinute, minuteMs, Date.now())
    : limits.take("change by token", personId, tokenChangesPerMinute, minuteMs, Date.now())
  requireNoWait(wait)
}
