/** A session may have been left open or taken: how often its person's password is tried is bounded, wherever from. */
import type { AccountId } from "../domain/ids.ts"
import type { Person } from "../storage/people/PersonStore.ts"
import { requireNoWait } from "./ApiProblem.ts"
import type { DashboardContext } from "./DashboardContext.ts"
import type { RateLimits } from "./rate-limits.ts"

const triesMax = 10
const windowMs = 10 * 60_000

/** Counts a try; 0 when it may be made, else the seconds to wait. */
export const waitForPassword = (accountId: AccountId, limits: RateLimits): number =>
  limits.take("password", accountId, triesMax, windowMs, Date.now())

export const limitPasswords = ({ accountId }: Person, { limits }: DashboardContext): void =>
  requireNoWait(waitForPassword(accountId, limits))
