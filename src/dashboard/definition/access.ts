/** Who may ask what. Each endpoint says its rule when it is made, and `Signed` and `Edge` are where all rules are kept. */
import { Context } from "effect"
import { type HttpApiEndpoint, HttpApiMiddleware, OpenApi } from "effect/http-api"
import type { AccountId } from "../../domain/ids.ts"
import { isOperatorScope, type OperatorScope, type Scope } from "../../domain/management-scopes.ts"
import type { Duty, StaffRole } from "../../domain/staff-roles.ts"
import { type MemberRole, rolesOfScope } from "../../domain/member-roles.ts"
import { problems } from "./problems.ts"

export type Rule =
  | { readonly who: "anyone" }
  /**
   * Whoever is signed in, and of the account alone that they act for; `roles` are those of its members who may. Without
   * `roles` it is about the person themself, whichever account they act for otherwise, and `accountId` is their own. `scope`
   * is what a management token needs for it; without one it is for people alone.
   */
  | {
      readonly who: "account"
      readonly scope: Scope | undefined
      readonly roles: ReadonlyArray<MemberRole> | undefined
    }
  /**
   * An operator whose role has this duty, by the database's word at this moment; to whoever has no role such an endpoint is
   * not there.
   */
  | { readonly who: "operator"; readonly scope: Scope | undefined; readonly duty: Duty }

/** An endpoint's rule; one without it answers nobody. */
export class AccessRule extends Context.Service<AccessRule, Rule>()("tollgate/dashboard/AccessRule") {}

/**
 * `none`: there is no second factor to ask for. `due`: there is one, and it was not shown for some minutes. Of programs
 * none is asked.
 */
export type Confirmation = "none" | "due" | "fresh"

/** On whose behalf an endpoint answers. */
export class Caller extends Context.Service<
  Caller,
  {
    /** The account acted for. */
    readonly accountId: AccountId
    /** Who acts, by the id of their own account. */
    readonly personId: AccountId
    /** What they are in the account acted for. */
    readonly memberRole: MemberRole
    /** Whose keys alone, and what was done with them, they may see; `undefined`: all of the account. */
    readonly keysOf: AccountId | undefined
    /** `undefined` for customers. */
    readonly role: StaffRole | undefined
    /** As the audit log names who did something. */
    readonly actor: string
    /** False for programs, which have no password to be asked for. */
    readonly isPerson: boolean
    readonly confirmation: Confirmation
    readonly sessionId: string | undefined
  }
>()("tollgate/dashboard/Caller") {}

/** Around all endpoints: where a request may come from, and in what form refusals are told. */
export class Edge extends HttpApiMiddleware.Service<Edge>()("tollgate/dashboard/Edge", {
  error: problems("invalid", "foreign_origin", "too_large", "not_json", "unavailable", "not_confirmed")
}) {}

/** Around all endpoints that are not for everyone. */
export class Signed extends HttpApiMiddleware.Service<Signed, { provides: Caller }>()(
  "tollgate/dashboard/Signed",
  {
    error: problems(
      "signed_out",
      "signed_in_anew",
      "account_disabled",
      "out_of_scope",
      "out_of_role",
      "not_a_member",
      "role_forbids",
      "confirm_needed",
      "second_factor_needed",
      "not_found",
      "too_many_tries"
    )
  }
) {}

type Ruled<Endpoint> = HttpApiEndpoint.AddMiddleware<Endpoint, Signed>

const ruled =
  (rule: Rule, summary: string) =>
  <Endpoint extends HttpApiEndpoint.Constraint>(endpoint: Endpoint): Ruled<Endpoint> =>
    annotated(endpoint, rule, summary).middleware(Signed) as unknown as Ruled<Endpoint>

/** Where the scope does not tell which roles may, `roles` does; without both it is about the person who asks. */
export const forAccount = (scope: Scope | undefined, summary: string, roles?: ReadonlyArray<MemberRole>) =>
  ruled({ who: "account", scope, roles: roles ?? (scope && rolesOfScope(scope)) }, summary)

const dutyOf: Readonly<Record<OperatorScope, Duty>> = {
  "operator:read": "look",
  "operator:write": "run",
  "operator:money": "money"
}

/** Whose duty it is follows from the scope, where nothing else is said; what is for people alone is the owners'. */
export const forOperator = (
  scope: Scope | undefined,
  summary: string,
  duty: Duty = scope !== undefined && isOperatorScope(scope) ? dutyOf[scope] : "run"
) => ruled({ who: "operator", scope, duty }, summary)

export const forAnyone =
  (summary: string) =>
  <Endpoint extends HttpApiEndpoint.Constraint>(endpoint: Endpoint): Endpoint =>
    annotated(endpoint, { who: "anyone" }, summary) as unknown as Endpoint

const annotated = (endpoint: HttpApiEndpoint.Constraint, rule: Rule, summary: string): HttpApiEndpoint.Top =>
  (endpoint as unknown as HttpApiEndpoint.Top)
    .annotate(AccessRule, rule)
    .annotate(OpenApi.Summary, summary)
    .annotate(OpenApi.Description, describe(rule))

const describe = (rule: Rule): string => {
  if (rule.who === "anyone") return "For everyone."
  const who = rule.who === "operator" ? describeDuty[rule.duty] : ofRoles(rule.roles)
  return rule.scope === undefined
    ? `${who} For people who are signed in; no token may do it.`
    : `${who} A token needs the scope \`${rule.scope}\`.`
}

const describeDuty: Readonly<Record<Duty, string>> = {
  look: "For operators.",
  help: "For operators whose role is `support` or `owner`.",
  money: "For operators whose role is `finance` or `owner`.",
  run: "For operators whose role is `owner`."
}
const ofRoles = (roles: ReadonlyArray<MemberRole> | undefined): string =>
  roles === undefined
    ? "About the person who asks, whichever account they act for."
    : `For the account acted for; of its members for: ${roles.join(", ")}.`
