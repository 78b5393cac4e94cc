/** Somebody has forgotten a password: they ask for a link, and choose another one by it. */
import { passwordLengthMax, passwordLengthMin } from "../domain/field-limits.ts"
import { findPerson } from "../storage/people/PersonStore.ts"
import { describeFault } from "../telemetry/describe-fault.ts"
import { ApiProblem, requireNoWait } from "./ApiProblem.ts"
import { callerAddress } from "./caller-address.ts"
import type { DashboardContext } from "./DashboardContext.ts"
import type { Incoming, Reply } from "./exchange.ts"
import { json } from "./json-reply.ts"
import { expectSignIn } from "./sign-in-limit.ts"

const requestsMax = 5
const requestWindowMs = 10 * 60_000
/** Of one person, from whatever addresses. What was sent is good for an hour. */
const mailsMax = 3
const mailWindowMs = 3_600_000
const atOnceMax = 16
/** Of one address, with whatever links. */
const triesMax = 10

/** The answer is the same and comes at once whether there is such a person or not: all that depends on it is done afterwards. */
export const answerResetRequest = (email: string, incoming: Incoming, context: DashboardContext): Reply => {
  const { limits } = context
  const now = Date.now()
  requireNoWait(limits.take("reset from", callerAddress(incoming), requestsMax, requestWindowMs, now))
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

export const answerReset = async (
  token: string,
  password: string,
  incoming: Incoming,
  context: DashboardContext
): Promise<Reply> => {
  const { limits, people } = context
  requireNoWait(limits.take("reset by", callerAddress(incoming), triesMax, requestWindowMs, Date.now()))
  if (password.length < passwordLengthMin) throw new ApiProblem(400, "PASSWORD_TOO_SHORT")
  if (password.length > passwordLengthMax) throw new ApiProblem(400, "PASSWORD_TOO_LONG")
  const personId = await people.resetPassword(token, password)
  if (personId === undefined) throw new ApiProblem(400, "INVALID_TOKEN")
  const person = await context.query("find person", (sql) => findPerson(sql, personId))
  if (person !== undefined) expectSignIn(person.email, incoming, context)
  return json({ status: true })
}
