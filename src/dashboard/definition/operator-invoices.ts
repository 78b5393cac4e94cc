/** Electronic invoices that are not issued, for operators. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { forOperator } from "./access.ts"
import { Count, Id, Moment, nothing, Vnd } from "./fields.ts"
import { problems } from "./problems.ts"

const OpenInvoice = Schema.Struct({
  id: Schema.String.annotate({ description: "Also the reference at the provider" }),
  account: Schema.String,
  receipt: Schema.String,
  company: Schema.String,
  amount_vnd: Vnd,
  status: Schema.Literals(["waiting", "issued", "failed"]),
  problem: Schema.String,
  created_at: Moment
}).annotate({ identifier: "OpenInvoice" })

export const operatorInvoices = HttpApiGroup.make("operatorInvoices").add(
  HttpApiEndpoint.get("list", "/operator/invoices", {
    success: Schema.Struct({
      open: Count.annotate({
        description: "All of them, of which the list has 100: failed ones first, then the oldest"
      }),
      invoices: Schema.Array(OpenInvoice)
    })
  }).pipe(forOperator("operator:read", "Invoices that failed or are not issued yet")),
  HttpApiEndpoint.post("retry", "/operator/invoices/:id/retry", {
    params: { id: Id },
    success: nothing,
    error: problems("not_found")
  }).pipe(
    forOperator(
      "operator:write",
      "Tries a failed invoice again; one that may be there is looked for first",
      "money"
    )
  )
)
