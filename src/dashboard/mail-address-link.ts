/** Showing whose a mail address is: a link is mailed there, and whoever follows it has the address. */
import type { AddressOwner } from "../accounts/people.ts"
import type { AccountId } from "../domain/ids.ts"
import { changeAddress } from "../storage/people/change-person.ts"
import { findPerson, type Person } from "../storage/people/PersonStore.ts"
import { describeFault } from "../telemetry/describe-fault.ts"
import { ApiProblem, requireNoWait } from "./ApiProblem.ts"
import { callerAddress } from "./caller-address.ts"
import type { DashboardContext } from "./DashboardContext.ts"
import type { Incoming, Reply } from "./exchange.ts"
import { json } from "./json-reply.ts"

/** Of one account, to whatever addresses. */
const mailsMax = 5
const mailWindowMs = 3_600_000
const atOnceMax = 16
/** Of one address, with whatever links. */
const triesMax = 30
const tryWindowMs = 10 * 60_000

/** Counts a mail; 0 when it may be sent, else the seconds to wait. */
export const waitForAddressMail = (accountId: AccountId, { limits }: DashboardContext): number =>
  limits.take("address mail", accountId, mailsMax, mailWindowMs, Date.now())

/** Nobody waits for the mail server. */
export const mailAddressLink = (
  { accountId, email }: AddressOwner,
  { limits, people, warn }: DashboardContext
): void => {
  const leave = limits.enter("address mail", "all", atOnceMax)
  if (leave === undefined) return warn("A mail that verifies an address was left out: too many are under way")
  people
    .sendAddressLink(accountId, email)
    .catch((cause: unknown) =>
      warn(`Could not mail a link that verifies an address: ${describeFault(cause)}`)
    )
    .finally(leave)
}

/** Whoever has the link need not be signed in, and is not by it. */
export const answerAddressLink = async (
  token: string,
  incoming: Incoming,
  context: DashboardContext
): Promise<Reply> => {
  const from = callerAddress(incoming)
  requireNoWait(context.limits.take("address link", from, triesMax, tryWindowMs, Date.now()))
  const owner = /^[0-9a-f]{32}$/.test(token) ? await context.people.takeAddressToken(token) : undefined
  if (owner === undefined) throw new ApiProblem(400, "INVALID_TOKEN")
  const former = await context.query("find person", (sql) => findPerson(sql, owner.accountId))
  const changed = await context.query("verify address", (sql) =>
    changeAddress(sql, { ...owner, isVerified: true })
  )
  if (!changed) throw new ApiProblem(409, "email_taken")
  if (former !== undefined && former.email !== owner.email) tellFormerAddress(former, context)
  return json({ status: true })
}

/** Else whoever has a session and the password could take an account without a sound. What was never verified may be a stranger's. */
const tellFormerAddress = ({ email, isEmailVerified }: Person, { people, warn }: DashboardContext): void => {
  if (!isEmailVerified) return
  people
    .tellFormerAddress(email)
    .catch((cause: unknown) => warn(`Could not tell a former address of the change: ${describeFault(cause)}`))
}
