/** A session may have been left open or taken: how often its person's password is tried is bounded, wherever from. */
import type { Person } from "../storage/PersonStore.ts"
import { tooManyTries } from "./ApiProblem.ts"
import type { DashboardContext } from "./DashboardContext.ts"

const triesMax = 10
const windowMs = 10 * 60_000

export const limitPasswords = ({ accountId }: Person, { limits }: DashboardContext): void => {
  const wait = limits.take("password", accountId, triesMax, windowMs, Date.now())
  if (wait > 0) throw tooManyTries(wait)
}
