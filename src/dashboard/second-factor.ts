/** Codes of an authenticator app and recovery codes: setting them up, signing in with them, confirming that it is oneself. */
import { changeInTurn } from "../storage/people/person-password.ts"
import { confirmSession, recordRecoveryCodes } from "../storage/people/second-factors.ts"
import { ApiProblem, requireNoWait } from "./ApiProblem.ts"
import { findSignedIn, requireSignedIn, type SignedIn } from "./authenticate.ts"
import { callerAddress } from "./caller-address.ts"
import { confirmationOf } from "./confirmation.ts"
import type { DashboardContext } from "./DashboardContext.ts"
import type { Incoming, Reply } from "./exchange.ts"
import { passOn, sessionBegunBy } from "./hand-over.ts"
import { json } from "./json-reply.ts"
import { limitPasswords } from "./limit-passwords.ts"

/** Of one account. */
const codesMax = 10
/** Of one address, while it is not known whose the codes are. */
const codesFromMax = 30
const windowMs = 10 * 60_000

interface TypedCode {
  readonly code: string
  readonly password: string
  /** Of the QR code that the page shows, where it does. */
  readonly secret: string
}

type Answer = (typed: TypedCode, incoming: Incoming, context: DashboardContext) => Promise<Reply>

/** What answers each of these actions; others have no answer here. */
export const secondFactorActions: Readonly<Record<string, Answer>> = {
  /** Makes a secret and recovery codes, which count once a code was shown. */
  "/two-factor/enable": async ({ password }, incoming, context) => {
    const { person } = await requireSignedIn(incoming, context)
    limitPasswords(person, context)
    if (confirmationOf(person) === "due") throw new ApiProblem(403, "confirm_needed")
    // Of two at once the second makes another secret: better-auth would add both.
    const enable = () => passOn("/two-factor/enable", passwordIn(password), incoming, context)
    const { changed } = await context.query("enable second factor", (sql) =>
      changeInTurn(sql, person.accountId, enable)
    )
    return changed
  },

  /** The first code of a new secret, or the second step of signing in. */
  "/two-factor/verify-totp": async ({ code, secret }, incoming, context) => {
    const signedIn = await findSignedIn(incoming, context)
    if (signedIn === undefined) return finishSignIn("/two-factor/verify-totp", code, incoming, context)
    const { person, sessionId } = signedIn
    if (person.hasTotp) throw new ApiProblem(409, "TOTP_ALREADY_ENABLED")
    limitCodes(signedIn, context)
    const { people } = context
    if (await people.startTotp(person.accountId, sessionId, code)) return json({ status: true })
    const isCurrent = secret === "" || (await people.isTotpSecretOf(person.accountId, secret))
    throw isCurrent ? new ApiProblem(401, "INVALID_CODE") : new ApiProblem(409, "totp_replaced")
  },

  "/two-factor/verify-backup-code": async ({ code }, incoming, context) =>
    finishSignIn("/two-factor/verify-backup-code", code, incoming, context),

  "/two-factor/generate-backup-codes": async ({ password }, incoming, context) => {
    const { person } = await requireSignedIn(incoming, context)
    if (confirmationOf(person) !== "fresh") throw new ApiProblem(403, "confirm_needed")
    limitPasswords(person, context)
    const action = "/two-factor/generate-backup-codes"
    const reply = await passOn(action, passwordIn(password), incoming, context)
    if (reply.status === 200)
      await context.query("record recovery codes", (sql) => recordRecoveryCodes(sql, person.accountId))
    return reply
  },

  /** Shows once more who it is, in a session that goes on. */
  "/confirm": async ({ code }, incoming, context) => {
    const signedIn = await requireSignedIn(incoming, context)
    if (!signedIn.person.hasTotp) throw new ApiProblem(404, "not_found")
    limitCodes(signedIn, context)
    const reply = /^\d{6}$/.test(code)
      ? await passOn("/two-factor/verify-totp", { code }, incoming, context)
      : await passOn("/two-factor/verify-backup-code", { code, disableSession: true }, incoming, context)
    if (reply.status !== 200) return reply
    await context.query("confirm session", (sql) => confirmSession(sql, signedIn.sessionId))
    return json({ status: true })
  }
}

const passwordIn = (password: string) => (password === "" ? {} : { password })

const limitCodes = ({ person }: SignedIn, { limits }: DashboardContext): void =>
  requireNoWait(limits.take("second factor", person.accountId, codesMax, windowMs, Date.now()))

/** better-auth counts the tries of one sign-in and of one person. */
const finishSignIn = async (action: string, code: string, incoming: Incoming, context: DashboardContext) => {
  const from = callerAddress(incoming)
  requireNoWait(context.limits.take("second factor from", from, codesFromMax, windowMs, Date.now()))
  if ((await findSignedIn(incoming, context)) !== undefined) throw new ApiProblem(404, "not_found")
  const reply = await passOn(action, { code }, incoming, context)
  if (reply.status === 200) await confirmBegun(reply, context)
  return reply
}

const confirmBegun = async (reply: Reply, context: DashboardContext): Promise<void> => {
  const sessionId = await sessionBegunBy(reply, context)
  if (sessionId !== undefined) await context.query("confirm session", (sql) => confirmSession(sql, sessionId))
}
