/** Bank transfers as an operator sees them, and saying whose an unmatched one is. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { forOperator } from "./access.ts"
import { Count, Moment, Next, nothing, NumberText, Vnd } from "./fields.ts"
import { problems } from "./problems.ts"

const Status = Schema.Literals(["credited", "unmatched", "ignored"])

const Transfer = Schema.Struct({
  id: Schema.String,
  provider: Schema.String,
  provider_id: Schema.String,
  heard_by: Schema.Literals(["webhook", "reconciliation", "simulator"]),
  direction: Schema.Literals(["in", "out"]),
  amount_vnd: Vnd,
  memo: Schema.String,
  at: Moment,
  status: Status,
  note: Schema.String,
  flags: Schema.Array(Schema.String),
  order_code: Schema.NullOr(Schema.String),
  email: Schema.NullOr(Schema.String),
  assigned_by: Schema.NullOr(Schema.String)
}).annotate({ identifier: "Transfer" })

export const operatorTransfers = HttpApiGroup.make("operatorTransfers").add(
  HttpApiEndpoint.get("list", "/operator/transfers", {
    query: { status: Schema.optionalKey(Status), before: Schema.optionalKey(NumberText) },
    success: Schema.Struct({ transfers: Schema.Array(Transfer), unmatched: Count, next: Next })
  }).pipe(forOperator("operator:read", "Every bank transfer that was ever heard of, newest first")),
  HttpApiEndpoint.post("assign", "/operator/transfers/:id/assign", {
    params: { id: NumberText },
    payload: Schema.Struct({
      account: Schema.String.annotate({ description: "A mail address or an account's id" }),
      reason: Schema.String
    }),
    success: nothing,
    error: problems("invalid", "not_found", "nothing_to_credit", "already_assigned")
  }).pipe(forOperator("operator:money", "Credits an unmatched transfer to an account"))
)
