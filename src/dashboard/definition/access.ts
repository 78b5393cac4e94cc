/** Who may ask what. Each endpoint says its rule when it is made, and `Signed` and `Edge` are where all rules are kept. */
import { Context } from "effect"
import { type HttpApiEndpoint, HttpApiMiddleware, OpenApi } from "effect/http-api"
import type { AccountId } from "../../domain/ids.ts"
import type { Scope } from "../../domain/management-scopes.ts"
import { problems } from "./problems.ts"

export type Rule =
  | { readonly who: "anyone" }
  /**
   * `account`: whoever is signed in, and of their own account alone. `operator`: an operator by the database's word at
   * this moment; to all others such an endpoint is not there. `scope` is what a management token needs for it;
   * without one it is for people alone.
   */
  | { readonly who: "account" | "operator"; readonly scope: Scope | undefined }

/** An endpoint's rule; one without it answers nobody. */
export class AccessRule extends Context.Service<AccessRule, Rule>()("tollgate/dashboard/AccessRule") {}

/** On whose behalf an endpoint answers. */
export class Caller extends Context.Service<
  Caller,
  {
    readonly accountId: AccountId
    readonly isOperator: boolean
    /** As the audit log names who did something. */
    readonly actor: string
    /** False for programs, which have no password to be asked for. */
    readonly isPerson: boolean
    readonly sessionId: string | undefined
  }
>()("tollgate/dashboard/Caller") {}

/** Around all endpoints: where a request may come from, and in what form refusals are told. */
export class Edge extends HttpApiMiddleware.Service<Edge>()("tollgate/dashboard/Edge", {
  error: problems("invalid", "foreign_origin", "not_json", "unavailable", "not_confirmed")
}) {}

/** Around all endpoints that are not for everyone. */
export class Signed extends HttpApiMiddleware.Service<Signed, { provides: Caller }>()(
  "tollgate/dashboard/Signed",
  { error: problems("signed_out", "account_disabled", "out_of_scope", "not_found", "too_many_tries") }
) {}

type Ruled<Endpoint> = HttpApiEndpoint.AddMiddleware<Endpoint, Signed>

const ruled =
  (rule: Rule, summary: string) =>
  <Endpoint extends HttpApiEndpoint.Constraint>(endpoint: Endpoint): Ruled<Endpoint> =>
    annotated(endpoint, rule, summary).middleware(Signed) as unknown as Ruled<Endpoint>

export const forAccount = (scope: Scope | undefined, summary: string) =>
  ruled({ who: "account", scope }, summary)

export const forOperator = (scope: Scope | undefined, summary: string) =>
  ruled({ who: "operator", scope }, summary)

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
  const who = rule.who === "operator" ? "For operators." : "For the account that asks."
  return rule.scope === undefined
    ? `${who} For people who are signed in; no token may do it.`
    : `${who} A token needs the scope \`${rule.scope}\`.`
}
