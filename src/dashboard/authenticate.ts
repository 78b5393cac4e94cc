/** Who asks, and whether the question may come from where it comes. */
import { ownOrigins } from "../accounts/people.ts"
import type { AccountId } from "../domain/ids.ts"
import { type MemberRole, seesAllKeys } from "../domain/member-roles.ts"
import { mayDo, type StaffRole } from "../domain/staff-roles.ts"
import { findStanding } from "../storage/people/MemberStore.ts"
import { findPerson, type Person } from "../storage/people/PersonStore.ts"
import { confirmationOf, requireSecondFactor } from "./confirmation.ts"
import type { Caller, Rule } from "./definition/access.ts"
import type { DashboardContext } from "./DashboardContext.ts"
import type { Incoming } from "./exchange.ts"
import { ApiProblem } from "./ApiProblem.ts"

/** What is looked at of a request to tell who asks. */
export type Asking = Pick<Incoming, "header" | "method">

export interface SignedIn {
  readonly person: Person
  readonly sessionId: string
  /** What prolongs the session in the browser, when it was due. */
  readonly cookies: ReadonlyArray<readonly ["set-cookie", string]>
}

/** Names the person whom the page was shown to, by the id of their own account. */
export const personHeader = "x-tollgate-person"

/** In another tab somebody else may have signed in: what a page was filled in by one person is not done by another. */
const checkShown = ({ header }: Asking, { accountId }: Person): void => {
  const shown = header(personHeader)
  if (shown !== "" && shown !== accountId) throw new ApiProblem(409, "signed_in_anew")
}

/** The session's own table and the account's are asked each time: a sign-out, a ban or a lost role counts at once. */
export const findSignedIn = async (
  incoming: Asking,
  context: DashboardContext,
  { prolong = false } = {}
): Promise<SignedIn | undefined> => {
  if (incoming.header("cookie") === "") return undefined
  const { headers, response: session } = await context.people.auth.api.getSession({
    headers: new Headers({ cookie: incoming.header("cookie") }),
    query: { disableRefresh: !prolong, disableCookieCache: true },
    returnHeaders: true
  })
  if (session === null) return undefined
  const person = await context.query("find person", (sql) =>
    findPerson(sql, session.user.id, session.session.id)
  )
  if (person !== undefined) checkShown(incoming, person)
  const cookies = headers.getSetCookie().map((cookie) => ["set-cookie", cookie] as const)
  return person && { person, sessionId: session.session.id, cookies }
}

/** Not yet by both factors. */
export const requireSignedIn = async (asking: Asking, context: DashboardContext): Promise<SignedIn> => {
  const signedIn = await findSignedIn(asking, context)
  if (signedIn === undefined) throw new ApiProblem(401, "signed_out")
  if (!signedIn.person.isActive) throw new ApiProblem(403, "account_disabled")
  return signedIn
}

export const requirePerson = async (asking: Asking, context: DashboardContext): Promise<Person> => {
  const { person } = await requireSignedIn(asking, context)
  requireSecondFactor(person, "account", context)
  return person
}

/** Names the account that a person acts for; without it they act for their own. */
export const actingHeader = "x-tollgate-account"

/** Who asks for an endpoint with this rule. What is the operators' looks absent to everyone else. */
export const authenticate = async (
  asking: Asking,
  context: DashboardContext,
  rule: Exclude<Rule, { who: "anyone" }>
): Promise<Caller["Service"]> => {
  const { person, sessionId } = await requireSignedIn(asking, context)
  const { accountId: personId, role } = person
  checkRole(role, rule)
  requireSecondFactor(person, rule.who, context)
  const roles = rule.who === "account" ? rule.roles : undefined
  const acting = await actingFor(personId, roles && asking.header(actingHeader), context)
  if (!mayAs(acting.memberRole, roles)) throw new ApiProblem(403, "role_forbids")
  const confirmation = confirmationOf(person)
  return { ...acting, personId, role, actor: personId, isPerson: true, confirmation, sessionId }
}

/** A role is asked of the database with each request. */
export const checkRole = (role: StaffRole | undefined, rule: Rule): void => {
  if (rule.who !== "operator") return
  if (role === undefined) throw new ApiProblem(404, "not_found")
  if (!mayDo(role, rule.duty)) throw new ApiProblem(403, "out_of_role")
}

type Acting = Pick<Caller["Service"], "accountId" | "keysOf" | "memberRole">

/** Asked of the database each time, too. It tells nobody which accounts there are. */
const actingFor = async (
  personId: AccountId,
  asked: string | undefined,
  context: DashboardContext
): Promise<Acting> => {
  if (asked === undefined || asked === "" || asked === personId)
    return { accountId: personId, memberRole: "owner", keysOf: undefined }
  const standing = await context.query("find standing", (sql) => findStanding(sql, personId, asked))
  if (standing === undefined) throw new ApiProblem(403, "not_a_member")
  if (!standing.isActive) throw new ApiProblem(403, "account_disabled")
  return { accountId: standing.accountId, memberRole: standing.role, keysOf: keysOf(standing.role, personId) }
}

export const keysOf = (role: MemberRole, personId: AccountId): AccountId | undefined =>
  seesAllKeys(role) ? undefined : personId

export const mayAs = (role: MemberRole, roles: ReadonlyArray<MemberRole> | undefined): boolean =>
  roles === undefined || roles.includes(role)

/** A change must be asked for by our own pages: a foreign page can neither set this type nor forge its Origin. */
export const checkOrigin = (incoming: Asking, context: DashboardContext): void => {
  if (incoming.header("sec-fetch-site") === "cross-site") throw new ApiProblem(403, "foreign_origin")
  if (incoming.method === "GET") return
  const origin = incoming.header("origin")
  if (!ownOrigins(context.settings.publicUrl, incoming.header).includes(origin))
    throw new ApiProblem(403, "foreign_origin")
  checkJson(incoming)
}

export const checkJson = ({ header }: Asking): void => {
  if (!/^application\/json(;|$)/i.test(header("content-type"))) throw new ApiProblem(415, "not_json")
}

export const isHttps = (incoming: Incoming): boolean => incoming.header("x-forwarded-proto") === "https"
