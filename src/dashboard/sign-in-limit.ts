/**
 * However many addresses the guesses come from, an account's password is guessed a bounded number of times. Its owner is
 * not locked out by that where they are signed in already, or have just chosen a new password by a link.
 */
import { addressesOfSessions } from "../storage/people/PersonStore.ts"
import { addressBlock } from "../domain/address-block.ts"
import { callerAddress } from "./caller-address.ts"
import type { DashboardContext } from "./DashboardContext.ts"
import type { Incoming, Reply } from "./exchange.ts"
import { tooManyTries } from "./ApiProblem.ts"

const wrongMax = 20
const windowMs = 15 * 60_000
const action = "sign-in"
const expected = "sign-in after a link"

export const limitSignIn = async (
  email: string,
  incoming: Incoming,
  context: DashboardContext,
  signIn: () => Promise<Reply>
): Promise<Reply> => {
  // Counted before it is known to be wrong: else many at once would all be let through.
  const wait = context.limits.take(action, email, wrongMax, windowMs, Date.now())
  if (wait > 0 && !(await isKnown(email, incoming, context))) throw tooManyTries(wait)
  const reply = await signIn()
  if (wait === 0 && reply.status !== 401) context.limits.giveBack(action, email)
  return reply
}

/** Whoever has used a link to choose a password comes in from there, though somebody guesses on. */
export const expectSignIn = (email: string, incoming: Incoming, { limits }: DashboardContext): void => {
  limits.take(expected, `${email} ${callerAddress(incoming)}`, 1, windowMs, Date.now())
}

/** Somebody who is signed in to this account, or has just chosen its password, asks from the same address. */
const isKnown = async (email: string, incoming: Incoming, context: DashboardContext): Promise<boolean> => {
  const caller = callerAddress(incoming)
  if (context.limits.isNoted(expected, `${email} ${caller}`, Date.now())) return true
  const known = await context.query("find addresses", (sql) => addressesOfSessions(sql, email))
  return known.map(addressBlock).includes(caller)
}
