/** Passkeys: adding one, signing in with one, and confirming by one that it is oneself. */
import { isJsonRecord } from "../domain/json-record.ts"
import { checkText } from "../accounts/check-text.ts"
import { authPath } from "../accounts/people.ts"
import { nameLengthMax } from "../domain/field-limits.ts"
import { endSession, type Person } from "../storage/people/PersonStore.ts"
import { confirmByPasskey, confirmSession } from "../storage/people/second-factors.ts"
import { ApiProblem, requireNoWait } from "./ApiProblem.ts"
import { findSignedIn, requirePerson } from "./authenticate.ts"
import { callerAddress } from "./caller-address.ts"
import { confirmationOf } from "./confirmation.ts"
import type { DashboardContext } from "./DashboardContext.ts"
import type { Incoming, Reply } from "./exchange.ts"
import { handOver, passOn, sessionBegunBy } from "./hand-over.ts"
import { json } from "./json-reply.ts"
import { limitPasswords } from "./limit-passwords.ts"

const passkeysMax = 10
/** Of one address. */
const triesMax = 60
const windowMs = 10 * 60_000
/** As long as a challenge is good: to fetch a telephone and show it a code takes more than the minute that better-auth gives. */
const askedMs = 5 * 60_000

interface PasskeyBody {
  readonly name: string
  readonly password: string
  /** As the browser's authenticator answered. */
  readonly response: unknown
}

type Answer = (body: PasskeyBody, incoming: Incoming, context: DashboardContext) => Promise<Reply>

export const passkeyActions: Readonly<Record<string, Answer>> = {
  /** Asks who it is afresh: whoever adds one can come back by it. */
  "/passkey/register-options": async ({ password }, incoming, context) => {
    const person = await requirePerson(incoming, context)
    requireRoom(person)
    const confirmation = confirmationOf(person)
    if (confirmation === "due") throw new ApiProblem(403, "confirm_needed")
    if (confirmation === "none" && person.hasPassword) {
      limitPasswords(person, context)
      if (!(await context.people.isPasswordOf(person.accountId, password)))
        throw new ApiProblem(403, "wrong_password")
    }
    return ask("/passkey/generate-register-options", incoming, context, ({ user }) => ({
      user: { ...user, id: handleOf(person) }
    }))
  },

  "/passkey/verify-registration": async ({ name, response }, incoming, context) => {
    const person = await requirePerson(incoming, context)
    limitTries(incoming, context)
    requireRoom(person)
    const checked = checkText("name", name, nameLengthMax)
    if (typeof checked !== "string") throw new ApiProblem(400, "invalid")
    const body = { response: answerIn(response), name: checked }
    const reply = await passOn("/passkey/verify-registration", body, incoming, context)
    if (reply.status !== 200) return reply
    const signedIn = await findSignedIn(incoming, context)
    if (signedIn !== undefined)
      await context.query("confirm session", (sql) => confirmSession(sql, signedIn.sessionId))
    return json({ status: true })
  },

  /** Of whoever is signed in only their own are asked for. */
  "/passkey/options": async (_, incoming, context) => {
    limitTries(incoming, context)
    return ask("/passkey/generate-authenticate-options", incoming, context)
  },

  /** Begins a session that is confirmed; the one it was asked from ends. */
  "/passkey/verify-authentication": async ({ response }, incoming, context) => {
    limitTries(incoming, context)
    const before = await findSignedIn(incoming, context)
    const sent = { response: answerIn(response) }
    const reply = await passOn("/passkey/verify-authentication", sent, incoming, context)
    if (reply.status !== 200) return reply
    const sessionId = await sessionBegunBy(reply, context)
    const isBegun =
      sessionId !== undefined &&
      (await context.query("confirm session", (sql) => confirmByPasskey(sql, sessionId, sent.response.id)))
    if (!isBegun) throw new ApiProblem(401, "PASSKEY_NOT_FOUND")
    if (before !== undefined)
      await context.query("end session", (sql) => endSession(sql, before.person.accountId, before.sessionId))
    // What better-auth answers names the session's token, which scripts need not see.
    const { body, headers, status } = json({ status: true })
    return { status, body, headers: [...headers, ...reply.headers.filter(([name]) => name === "set-cookie")] }
  }
}

interface Options {
  readonly user?: object
}

/** better-auth's options, with ours in place of some. */
const ask = async (
  action: string,
  incoming: Incoming,
  context: DashboardContext,
  ours: (theirs: Options) => Options = () => ({})
): Promise<Reply> => {
  const reply = await handOver({ ...incoming, method: "GET", path: `${authPath}${action}` }, context)
  if (reply.status !== 200) return reply
  const theirs = JSON.parse(Buffer.from(reply.body as Uint8Array).toString()) as Options
  const options = { ...theirs, timeout: askedMs, ...ours(theirs) }
  return { ...reply, body: Buffer.from(JSON.stringify(options)) }
}

/** The same each time: a device puts a new passkey in the place of one of the same person that was removed here. better-auth makes up another. */
const handleOf = ({ accountId }: Person): string => Buffer.from(accountId).toString("base64url")

const requireRoom = ({ passkeys }: Person): void => {
  if (passkeys >= passkeysMax) throw new ApiProblem(409, "too_many_passkeys")
}

/** better-auth looks for the passkey by this id, before it knows anything else of the answer. */
const answerIn = (response: unknown): { readonly id: string } => {
  const id = isJsonRecord(response) ? response["id"] : undefined
  if (typeof id !== "string") throw new ApiProblem(400, "invalid")
  return { ...(response as object), id }
}

const limitTries = (incoming: Incoming, { limits }: DashboardContext): void =>
  requireNoWait(limits.take("passkey from", callerAddress(incoming), triesMax, windowMs, Date.now()))
