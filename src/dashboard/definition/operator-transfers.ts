/** Bank transfers as an operator sees them, and what becomes of an unmatched one. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { referenceLengthMax } from "../../domain/field-limits.ts"
import { forOperator } from "./access.ts"
import { Count, Moment, Next, nothing, NumberText, Reason, told, Vnd } from "./fields.ts"
import { problems } from "./problems.ts"

const Status = Schema.Literals(["credited", "unmatched", "ignored", "returning", "returned", "dismissed"])

const Transfer = Schema.Struct({
  id: Schema.String,
  provider: Schema.String,
  provider_id: Schema.String,
  heard_by: Schema.Literals(["webhook", "reconciliation", "simulator"]),
  direction: Schema.Literals(["in", "out"]),
  amount_vnd: Vnd,
  bank_reference: Schema.String.annotate({
    description: "By which the banks know it; empty where the messenger does not tell it"
  }),
  shown_reference: Schema.String.annotate({
    description:
      "The same from SePay, which does not tell it each time: it is shown and searched, and tells no two transfers apart"
  }),
  memo: Schema.String,
  bank_account: Schema.String.annotate({ description: "Ours, and the virtual one where there is one" }),
  sender_name: Schema.String,
  sender_account: Schema.String,
  sender_bank: Schema.String,
  at: Moment,
  status: Status,
  note: Schema.String,
  flags: Schema.Array(Schema.String),
  order_code: Schema.NullOr(Schema.String),
  account_id: Schema.NullOr(Schema.String).annotate({ description: "That it is credited to" }),
  email: Schema.NullOr(Schema.String),
  assigned_by: Schema.NullOr(Schema.String).annotate({ description: "Who settled it" }),
  return_reference: Schema.String
}).annotate({ identifier: "Transfer" })

const Suggestion = Schema.Struct({
  account_id: Schema.String,
  email: Schema.String,
  name: Schema.String,
  company: Schema.String,
  is_closed: Schema.Boolean.annotate({ description: "By its founder; it can not be credited" }),
  order_code: Schema.NullOr(Schema.String),
  reasons: Schema.Array(
    Schema.Literals(["code", "amount", "paid_before", "mail", "company", "name"])
  ).annotate({
    description: "The strongest first"
  })
}).annotate({ identifier: "TransferSuggestion" })

const closing = problems("invalid", "not_found", "already_assigned", "transfer_settled")

export const operatorTransfers = HttpApiGroup.make("operatorTransfers").add(
  HttpApiEndpoint.get("list", "/operator/transfers", {
    query: {
      id: Schema.optionalKey(NumberText.annotate({ description: "That one alone" })),
      status: Schema.optionalKey(Status),
      before: Schema.optionalKey(NumberText)
    },
    success: Schema.Struct({ transfers: Schema.Array(Transfer), unmatched: Count, next: Next })
  }).pipe(forOperator("operator:read", "Every bank transfer that was ever heard of, newest first")),
  HttpApiEndpoint.post("assign", "/operator/transfers/:id/assign", {
    params: { id: NumberText },
    payload: Schema.Struct({
      account: Schema.String.annotate({ description: "A mail address or an account's id" }),
      reason: Reason,
      order_code: Schema.optionalKey(Schema.String).annotate({
        description: "The order that it pays, which must be the account's"
      })
    }),
    success: nothing,
    error: problems(
      "invalid",
      "not_found",
      "no_account",
      "account_closed",
      "nothing_to_credit",
      "already_assigned",
      "transfer_settled"
    )
  }).pipe(
    forOperator(
      "operator:money",
      "Credits an unmatched transfer to an account that its founder has not closed"
    )
  ),
  HttpApiEndpoint.post("takeBack", "/operator/transfers/:id/take-back", {
    params: { id: NumberText },
    payload: Schema.Struct({
      account_id: Schema.String.annotate({
        description: "That it is credited to: it may be another's by now"
      }),
      reason: Reason
    }),
    success: Schema.Struct({
      invoiced: Schema.Boolean.annotate({
        description:
          "An electronic invoice of it has been asked for, which is to be cancelled at its provider"
      })
    }),
    error: problems(
      "invalid",
      "not_found",
      "credit_spent",
      "not_credited_there",
      "transfer_settled",
      "not_confirmed"
    )
  }).pipe(
    forOperator(
      "operator:money",
      "Takes a credited transfer back, all of it, out of the wrong account: it waits to be assigned again"
    )
  ),
  HttpApiEndpoint.get("suggest", "/operator/transfers/:id/suggestions", {
    params: { id: NumberText },
    success: Schema.Struct({ suggestions: Schema.Array(Suggestion) }),
    error: problems("not_found")
  }).pipe(forOperator("operator:read", "Whose a transfer may be, likeliest first, at most five")),
  HttpApiEndpoint.post("return", "/operator/transfers/:id/return", {
    params: { id: NumberText },
    payload: Schema.Struct({
      reason: Reason,
      reference: Schema.String.check(told({ maxLength: referenceLengthMax })).annotate({
        description: "Names the transfer that gave it back; empty where that is still to be done"
      })
    }),
    success: nothing,
    error: closing
  }).pipe(forOperator("operator:money", "Marks a transfer as returned to its sender, or as to be returned")),
  HttpApiEndpoint.post("dismiss", "/operator/transfers/:id/dismiss", {
    params: { id: NumberText },
    payload: Schema.Struct({ reason: Reason }),
    success: nothing,
    error: closing
  }).pipe(forOperator("operator:money", "Puts an unmatched transfer aside, credited to nobody")),
  HttpApiEndpoint.post("reopen", "/operator/transfers/:id/reopen", {
    params: { id: NumberText },
    payload: Schema.Struct({ reason: Reason }),
    success: nothing,
    error: closing
  }).pipe(forOperator("operator:money", "Takes a return or a dismissal back"))
)
