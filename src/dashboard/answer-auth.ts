/** Hands requests below `/dashboard/api/auth` to better-auth, but only for what our pages use. */
import { isJsonRecord } from "../domain/json-record.ts"
import { checkText } from "../accounts/check-text.ts"
import { passkeyHostOf } from "../accounts/passkey-host.ts"
import { authPath } from "../accounts/people.ts"
import { emailLengthMax, personNameLengthMax } from "../domain/field-limits.ts"
import type { AccountId } from "../domain/ids.ts"
import { typedEmail } from "../domain/typed-text.ts"
import { changeInTurn } from "../storage/people/person-password.ts"
import { ApiProblem } from "./ApiProblem.ts"
import { checkOrigin, requirePerson } from "./authenticate.ts"
import type { DashboardContext } from "./DashboardContext.ts"
import type { Incoming, Reply } from "./exchange.ts"
import { handOver, passOn } from "./hand-over.ts"
import { limitPasswords } from "./limit-passwords.ts"
import { answerAddressLink, mailAddressLink, waitForAddressMail } from "./mail-address-link.ts"
import { passkeyActions } from "./passkeys.ts"
import { answerReset, answerResetRequest } from "./password-reset.ts"
import { readJson } from "./read-json.ts"
import { secondFactorActions } from "./second-factor.ts"
import { signInByPassword } from "./sign-in-by-password.ts"
import { limitSignIn } from "./sign-in-limit.ts"

export const answerAuth = async (incoming: Incoming, context: DashboardContext): Promise<Reply> => {
  if (incoming.method === "GET" && isCallback(incoming.path.slice(authPath.length), context))
    return answerCallback(incoming, context)
  const action = incoming.method === "POST" ? incoming.path.slice(authPath.length) : ""
  // Of a body what our pages send: better-auth would take more, such as an image, or where to go afterwards.
  switch (action) {
    case "/sign-in/email":
      return signIn(checked(incoming, context), incoming, context)
    case "/sign-up/email":
      return signUp(checked(incoming, context), incoming, context)
    case "/sign-out":
      checked(incoming, context)
      return passOn(action, {}, incoming, context)
    case "/reset-password": {
      const body = checked(incoming, context)
      return answerReset(textOf(body, "token"), textOf(body, "newPassword"), incoming, context)
    }
    case "/sign-in/social":
      return beginElsewhere(checked(incoming, context), incoming, context)
    case "/verify-email":
      return answerAddressLink(textOf(checked(incoming, context), "token"), incoming, context)
    case "/request-password-reset":
      return answerResetRequest(emailOf(checked(incoming, context)), incoming, context)
    case "/change-password":
      return changePassword(checked(incoming, context), incoming, context)
  }
  if (Object.hasOwn(secondFactorActions, action)) {
    const body = checked(incoming, context)
    const [password, secret] = [textOf(body, "password"), textOf(body, "secret")]
    const typed = { code: textOf(body, "code").trim(), password, secret }
    return secondFactorActions[action]!(typed, incoming, context)
  }
  if (Object.hasOwn(passkeyActions, action)) {
    const body = checked(incoming, context)
    if (passkeyHostOf(context.settings.publicUrl) === undefined) throw new ApiProblem(404, "not_found")
    const response = isJsonRecord(body) ? body["response"] : undefined
    const sent = { name: textOf(body, "name"), password: textOf(body, "password"), response }
    return passkeyActions[action]!(sent, incoming, context)
  }
  throw new ApiProblem(404, "not_found")
}

const signIn = (body: unknown, incoming: Incoming, context: DashboardContext): Promise<Reply> => {
  const email = emailOf(body)
  const sent = { email, password: textOf(body, "password") }
  const pass = () => passOn("/sign-in/email", sent, incoming, context)
  return limitSignIn(email, incoming, context, () => signInByPassword(email, context, pass))
}

/**
 * Whoever is signed in with the former password is signed out, and links end: see `end_by_password`. A session of its own
 * begins here. Of two at the same time the second comes with a password that is the former one by then: better-auth would
 * compare both with the same one.
 */
const changePassword = async (body: unknown, incoming: Incoming, context: DashboardContext) => {
  const person = await requirePerson(incoming, context)
  limitPasswords(person, context)
  const [currentPassword, newPassword] = [textOf(body, "currentPassword"), textOf(body, "newPassword")]
  const sent = { currentPassword, newPassword, revokeOtherSessions: true }
  const { accountId } = person
  const change = async () =>
    (await context.people.isPasswordOf(accountId, currentPassword))
      ? passOn("/change-password", sent, incoming, context)
      : undefined
  const { changed } = await context.query("change password", (sql) => changeInTurn(sql, accountId, change))
  if (changed === undefined) throw new ApiProblem(400, "INVALID_PASSWORD")
  return changed
}

/**
 * The body of a request that may come from where it comes. better-auth checks that too, but not where NODE_ENV says that it
 * is being tested.
 */
const checked = (incoming: Incoming, context: DashboardContext): unknown => {
  checkOrigin(incoming, context)
  return readJson(incoming)
}

const signUp = async (body: unknown, incoming: Incoming, context: DashboardContext): Promise<Reply> => {
  const email = emailOf(body)
  const name = checkText("name", textOf(body, "name"), personNameLengthMax)
  if (typeof name !== "string") throw new ApiProblem(400, "invalid")
  const sent = { email, name, password: textOf(body, "password") }
  return greetNewcomer(await passOn("/sign-up/email", sent, incoming, context), context)
}

/** better-auth counts by path, and keeps each that it has counted: paths that anybody makes up would never be too many, and push others out. */
const isCallback = (action: string, context: DashboardContext): boolean =>
  context.settings.oauth.some(({ provider }) => action === `/callback/${provider}`)

/** The way back from a provider comes from its pages; a state that was given out for it shows that it is one. */
const answerCallback = (incoming: Incoming, context: DashboardContext): Promise<Reply> =>
  handOver({ ...incoming, path: `${incoming.path}?${incoming.query}` }, context)

/** Of what better-auth could be told only whom to ask, and which page is wanted. */
const beginElsewhere = (body: unknown, incoming: Incoming, context: DashboardContext): Promise<Reply> => {
  const provider = textOf(body, "provider")
  const next = textOf(body, "next")
  const isKnown = context.settings.oauth.some((each) => each.provider === provider)
  if (!isKnown) throw new ApiProblem(404, "not_found")
  if (!/^\/(?!\/)[\w/-]{0,200}$/.test(next)) throw new ApiProblem(400, "invalid")
  return passOn(
    "/sign-in/social",
    {
      provider,
      callbackURL: `/dashboard${next}`,
      errorCallbackURL: "/dashboard/signin",
      disableRedirect: true
    },
    incoming,
    context
  )
}

/** Whoever has just signed up is asked whether the address is theirs. */
const greetNewcomer = (reply: Reply, context: DashboardContext): Reply => {
  if (reply.status !== 200 || context.settings.mail === undefined) return reply
  const { user } = JSON.parse(Buffer.from(reply.body as Uint8Array).toString()) as {
    user: { id: AccountId; email: string }
  }
  if (waitForAddressMail(user.id, context) === 0)
    mailAddressLink({ accountId: user.id, email: user.email }, context)
  return reply
}

const emailOf = (body: unknown): string => {
  const email = typedEmail(textOf(body, "email"))
  if (email.length > emailLengthMax || !/^\S+@\S+$/.test(email)) throw new ApiProblem(400, "invalid")
  return email.toLowerCase()
}

/** More than any of what is asked for may have: what is longer is as wrong without the rest. */
const textLengthMax = 1_000

const textOf = (body: unknown, name: string): string => {
  const value = isJsonRecord(body) ? body[name] : undefined
  return typeof value === "string" ? value.slice(0, textLengthMax) : ""
}
