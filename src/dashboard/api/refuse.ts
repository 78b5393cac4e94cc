/** How handlers refuse, ask the database and act: each failure becomes one of the API's problems, here and nowhere else. */
import { Effect } from "effect"
import type { BadText } from "../../accounts/check-text.ts"
import { Database, type Sql } from "../../storage/Database.ts"
import { ApiProblem, tooManyTries } from "../ApiProblem.ts"
import { type ProblemCode, problemStatus } from "../definition/problems.ts"

type Headers = ReadonlyArray<readonly [string, string]>

/** Of several codes one problem for each, since an endpoint names them by status. */
type ProblemOf<Code> = Code extends string ? ApiProblem<Code> : never

export const refuse = <Code extends ProblemCode>(code: Code, headers: Headers = [], message?: string) =>
  Effect.fail(new ApiProblem(problemStatus[code], code, headers, message) as unknown as ProblemOf<Code>)

/** What is wrong with what was sent, by the name of the field; said to programs in English, to people by their pages. */
export const refuseBad = (field: string, reason: string) => refuse("invalid", [], `${field} ${reason}`)

export const refuseText = ({ message }: BadText) => refuse("invalid", [], message)

/** Of the amounts below, each of which may stand in a field of this name. */
export const refuseAmount = (field: string) =>
  refuseBad(field, "must be a decimal number of VND such as 500000 or 0.83, without separators")

/** There is no 31 November. */
export const refuseDay = (field: string) => refuseBad(field, "must be a day such as 2026-11-30")

/** A place in a list that no answer gave. */
export const refuseCursor = (field: string) => refuseBad(field, "must be the `next` of an answer")

/** Of what must be waited with for so long. */
export const refuseWait = (waitSeconds: number) =>
  waitSeconds > 0 ? Effect.fail(tooManyTries(waitSeconds)) : Effect.void

/** Runs a query; what goes wrong with the database is no answer's business, and is answered as 503. */
export const query = <A>(operation: string, run: (sql: Sql) => Promise<A>) =>
  Effect.orDie(Effect.flatMap(Database, (database) => database.run(operation, run)))

/** What can go wrong in the accounts area, and what the caller is told. */
const codes = {
  BadText: "invalid",
  AccountNotFound: "not_found",
  AccountActive: "account_active",
  AccountClosed: "account_closed",
  KeyNotFound: "not_found",
  TokenNotFound: "not_found",
  MemberNotFound: "not_found",
  InvitationNotFound: "not_found",
  InvitationNotYours: "invitation_not_yours",
  AlreadyMember: "already_member",
  TooManyMembers: "too_many_members",
  RoleForbids: "role_forbids",
  FounderStays: "founder_stays",
  WebhookNotFound: "not_found",
  WebhookUrlRefused: "webhook_url",
  TooManyWebhooks: "too_many_webhooks",
  RouteNotFound: "not_found",
  RouteRefused: "route_refused",
  TooManyRoutes: "too_many_routes",
  ModelNotFound: "not_found",
  PriceRefused: "invalid",
  PriceChanged: "price_changed",
  PriceChangeNotFound: "not_found",
  PriceChangeTooLate: "too_late",
  TooManyKeys: "too_many_keys",
  TooManyTokens: "too_many_tokens",
  AccountDisabled: "account_disabled",
  KeyNotShowable: "key_not_showable",
  KeyRevoked: "key_revoked",
  SecretReplaced: "secret_replaced",
  LastOwner: "last_owner",
  CorrectionTooLarge: "below_zero",
  CreditRepeated: "credit_repeated",
  CreditSpent: "credit_spent",
  NodesNotConfirmed: "not_confirmed"
} as const satisfies Readonly<Record<string, ProblemCode>>

type Codes = typeof codes
type CodeOf<Failure extends { readonly _tag: string }> = Failure["_tag"] extends infer Tag
  ? Tag extends keyof Codes
    ? Codes[Tag]
    : "unavailable"
  : never

const isInvalid = (code: ProblemCode): boolean => code === "invalid"

/** Does something; its expected failures become problems by their tag. */
export const act = <A, Failure extends { readonly _tag: string; readonly message?: string }, R>(
  action: Effect.Effect<A, Failure, R>
) =>
  Effect.catch(action, (failure) => {
    const isKnown = Object.hasOwn(codes, failure._tag)
    const code = (isKnown ? codes[failure._tag as keyof Codes] : "unavailable") as CodeOf<Failure>
    // Other codes say all there is to say; of addresses that are refused no more is told than that they are.
    const refused = refuse(code, [], isInvalid(code) ? failure.message : undefined)
    return problemStatus[code] < 500
      ? refused
      : Effect.andThen(Effect.logWarning(failure.message ?? failure._tag), refused)
  })
