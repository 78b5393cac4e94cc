/** Topping up by bank transfer. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { rolesOfScope } from "../../domain/member-roles.ts"
import { topUpMaximumVnd, topUpMinimumVnd } from "../../domain/top-up.ts"
import { forAccount } from "./access.ts"
import { Count, Id, Moment, nothing, told, Vnd } from "./fields.ts"
import { problems } from "./problems.ts"

const Order = Schema.Struct({
  id: Schema.String,
  code: Schema.String.annotate({ description: "By which the order is found, in a memo or by support" }),
  amount_vnd: Vnd,
  credited_vnd: Vnd,
  status: Schema.Literals(["pending", "paid", "expired"]),
  created_at: Moment,
  expires_at: Moment,
  paid_at: Schema.NullOr(Moment),
  bank: Schema.optionalKey(
    Schema.Struct({
      name: Schema.String,
      account: Schema.String,
      account_name: Schema.String,
      memo: Schema.String.annotate({ description: "What the transfer's memo must say" }),
      qr: Schema.String.annotate({ description: "The text of a VietQR code" })
    })
  )
}).annotate({ identifier: "TopUpOrder" })

export const topUps = HttpApiGroup.make("topUps").add(
  HttpApiEndpoint.get("list", "/top-ups", {
    success: Schema.Struct({
      is_open: Schema.Boolean,
      minimum_vnd: Count,
      maximum_vnd: Count,
      orders: Schema.Array(Order),
      has_more_orders: Schema.Boolean.annotate({
        description: "There are older ones: the statement has all that was received"
      })
    })
  }).pipe(forAccount("billing:read", "The latest orders, and how much may be ordered")),
  HttpApiEndpoint.post("order", "/top-ups", {
    payload: Schema.Struct({
      amount: Schema.Finite.check(
        told({ type: "integer", minimum: Number(topUpMinimumVnd), maximum: Number(topUpMaximumVnd) })
      ).annotate({ description: "Whole VND", examples: [500_000] })
    }),
    success: Order.pipe(HttpApiSchema.status(201)),
    error: problems(
      "amount_too_small",
      "amount_too_large",
      "amount_not_a_number",
      "top_up_closed",
      "top_up_unavailable",
      "too_many_tries"
    )
  }).pipe(forAccount("billing:write", "Opens an order to be paid by bank transfer")),
  HttpApiEndpoint.get("read", "/top-ups/:id", {
    params: { id: Id },
    success: Order,
    error: problems("not_found")
  }).pipe(forAccount("billing:read", "An order")),
  HttpApiEndpoint.get("watch", "/top-ups/:id/events", {
    params: { id: Id },
    success: HttpApiSchema.StreamSse({ data: Order }),
    error: problems("not_found", "too_many_tries")
  }).pipe(forAccount("billing:read", "An order and each change of it, until it is paid")),
  HttpApiEndpoint.post("simulate", "/top-ups/:id/simulate", {
    params: { id: Id },
    success: nothing,
    error: problems("not_found", "top_up_closed")
  }).pipe(
    forAccount(
      undefined,
      "Has a made-up bank pay the order, where bank and providers are simulated",
      rolesOfScope("billing:write")
    )
  )
)
