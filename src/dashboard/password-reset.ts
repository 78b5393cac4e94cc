/**
 * Somebody has forgotten a password. The answer is the same and comes at once whether there is such a person or not: all
 * that depends on it is done afterwards.
 */
import { describeFault } from "../telemetry/describe-fault.ts"
import { tooManyTries } from "./ApiProblem.ts"
import { callerAddress } from "./caller-address.ts"
import type { DashboardContext } from "./DashboardContext.ts"
import type { Incoming, Reply } from "./exchange.ts"
import { json } from "./json-reply.ts"

const requestsMax = 5
const requestWindowMs = 10 * 60_000
/** Of one person, from whatever addresses. What was sent is good for an hour. */
const mailsMax = 3
const mailWindowMs = 3_600_000
const atOnceMax = 16

export const answerResetRequest = (email: string, incoming: Incoming, context: DashboardContext): Reply => {
  const { limits } = context
  const now = Date.now()
  const wait = limits.take("reset from", callerAddress(incoming), requestsMax, requestWindowMs, now)
  if (wait > 0) throw tooManyTries(wait)
  if (limits.take("reset of", email, mailsMax, mailWindowMs, now) === 0) reset(email, context)
  return json({ status: true })
}

const reset = (email: string, { limits, people, warn }: DashboardContext): void => {
  const leave = limits.enter("reset", "all", atOnceMax)
  if (leave === undefined) return warn("A request for a new password was left out: too many are under way")
  people
    .requestReset(email)
    .catch((cause: unknown) => warn(`Could not ask for a new password: ${describeFault(cause)}`))
    .finally(leave)
}
