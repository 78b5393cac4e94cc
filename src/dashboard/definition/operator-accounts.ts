/** Accounts as an operator sees them: search, credit and refund, disable, a link for a new password. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { memberRoles } from "../../domain/member-roles.ts"
import { staffRoles } from "../../domain/staff-roles.ts"
import { forOperator } from "./access.ts"
import { AuditEntry } from "./audit-entry.ts"
import { Amount, Count, Id, Moment, Next, nothing, OnceName, QueryText, Reason, Vnd } from "./fields.ts"
import { problems } from "./problems.ts"
import { Details } from "./statement.ts"

const AccountEntry = Schema.Struct({
  id: Schema.String,
  email: Schema.String,
  status: Schema.Literals(["active", "disabled"]),
  is_closed: Schema.Boolean.annotate({ description: "By its founder, or erased" }),
  is_erased: Schema.Boolean.annotate({ description: "What names or reaches its person was taken away" }),
  role: Schema.NullOr(Schema.Literals(staffRoles)).annotate({ description: "In the staff" }),
  created_at: Moment,
  balance_vnd: Vnd,
  active_keys: Count,
  has_person: Schema.Boolean.annotate({ description: "Whether someone can sign in to it" }),
  asked_for_reset: Schema.Boolean
}).annotate({ identifier: "AccountEntry" })

const AccountView = Schema.Struct({
  account: AccountEntry,
  billing: Details,
  member_of: Schema.Array(
    Schema.Struct({ id: Schema.String, email: Schema.String, role: Schema.Literals(memberRoles) })
  ).annotate({ description: "The accounts of others that its person acts for" }),
  month: Schema.Struct({ spent_vnd: Vnd, calls: Count }),
  credits: Schema.Array(
    Schema.Struct({
      id: Schema.String,
      at: Moment,
      source: Schema.Literals(["credit", "top_up"]),
      amount_vnd: Vnd,
      reason: Schema.String,
      actor: Schema.String
    })
  ).annotate({ description: "The newest first" }),
  has_more_credits: Schema.Boolean.annotate({
    description: "There are older ones: the statement has all"
  }),
  audit: Schema.Array(AuditEntry).annotate({
    description: "What was done to it and to its keys, tokens, webhooks and invitations, the newest first"
  }),
  has_more_audit: Schema.Boolean.annotate({
    description: "There is older: the audit log has all"
  })
}).annotate({ identifier: "AccountView" })

const params = { id: Id }

export const operatorAccounts = HttpApiGroup.make("operatorAccounts").add(
  HttpApiEndpoint.get("search", "/operator/accounts", {
    query: { search: Schema.optionalKey(QueryText), before: Schema.optionalKey(QueryText) },
    success: Schema.Struct({
      accounts: Schema.Array(AccountEntry),
      reset_requests: Schema.Array(AccountEntry),
      next: Next
    })
  }).pipe(forOperator("operator:read", "Accounts by a part of their mail address or their id")),
  HttpApiEndpoint.get("read", "/operator/accounts/:id", {
    params,
    success: AccountView,
    error: problems("not_found")
  }).pipe(forOperator("operator:read", "An account with its billing details, credits and audit log")),
  HttpApiEndpoint.post("credit", "/operator/accounts/:id/credit", {
    params,
    payload: Schema.Struct({
      amount_vnd: Amount,
      reason: Reason,
      id: OnceName.annotate({
        description: "Names the credit: a request that is sent twice counts once"
      })
    }),
    success: Schema.Struct({ balance_vnd: Vnd, held_vnd: Vnd }),
    error: problems("invalid", "not_found", "account_closed", "below_zero", "credit_repeated")
  }).pipe(
    forOperator(
      "operator:money",
      "Credits an account, or takes back where the amount is negative; one that its founder has closed is not credited"
    )
  ),
  HttpApiEndpoint.post("setStatus", "/operator/accounts/:id/status", {
    params,
    payload: Schema.Struct({ status: Schema.Literals(["active", "disabled"]) }),
    success: nothing,
    error: problems("not_found", "own_account", "last_owner")
  }).pipe(
    forOperator(
      "operator:write",
      "Disables an account, or opens it again; the last owner who can sign in is not disabled"
    )
  ),
  HttpApiEndpoint.post("makeResetLink", "/operator/accounts/:id/reset-link", {
    params,
    success: Schema.Struct({ link: Schema.String }),
    error: problems("not_found", "no_person", "out_of_role")
  }).pipe(
    forOperator(undefined, "Makes a link that sets a new password; of staff, owners alone may", "help")
  ),
  HttpApiEndpoint.post("resetSecondFactors", "/operator/accounts/:id/reset-second-factor", {
    params,
    success: nothing,
    error: problems("not_found", "no_person")
  }).pipe(
    forOperator(
      undefined,
      "Forgets the authenticator app, recovery codes and passkeys of whoever has lost them, and ends their sessions"
    )
  ),
  HttpApiEndpoint.post("erase", "/operator/accounts/:id/erase", {
    params,
    success: nothing,
    error: problems("not_found", "account_active")
  }).pipe(
    forOperator(
      undefined,
      "Erases what names or reaches the person of an account that is disabled or closed; its books stay"
    )
  ),
  HttpApiEndpoint.post("setRole", "/operator/accounts/:id/role", {
    params,
    payload: Schema.Struct({ role: Schema.NullOr(Schema.Literals(staffRoles)) }),
    success: nothing,
    error: problems("not_found", "last_owner", "address_unverified")
  }).pipe(forOperator(undefined, "Gives a role in the staff, or takes it"))
)
