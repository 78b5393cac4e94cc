/** The statement of an account, receipts of its top-ups, and whom both are made out to. */
import { Schema, Struct } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { addressLengthMax, companyLengthMax, emailLengthMax } from "../../domain/field-limits.ts"
import { forAccount } from "./access.ts"
import { Count, Day, Moment, Next, nothing, NumberText, QueryText, separator, told, Vnd } from "./fields.ts"
import { problems } from "./problems.ts"

const everyLine = {
  day: Schema.String.annotate({ description: "In Viet Nam", examples: ["2026-11-22"] }),
  amount_vnd: Vnd,
  balance_vnd: Vnd
}

const StatementLine = Schema.Union([
  Schema.Struct({
    ...everyLine,
    kind: Schema.Literal("calls"),
    model: Schema.String,
    calls: Count,
    input_tokens: Count,
    output_tokens: Count
  }),
  Schema.Struct({
    ...everyLine,
    kind: Schema.Literals(["top_up", "credit", "correction"]),
    id: Schema.String,
    at: Moment,
    reason: Schema.String
  })
]).annotate({ identifier: "StatementLine" })

const period = { from: Schema.optionalKey(Day), to: Schema.optionalKey(Day) }

const party = { company: Schema.String, tax_code: Schema.String, address: Schema.String }
export const Details = Schema.Struct({ ...party, email: Schema.String }).annotate({
  identifier: "BillingDetails"
})
const upTo = (maxLength: number) => Schema.String.check(told({ maxLength }))
const DetailsChange = Schema.Struct({
  company: upTo(companyLengthMax),
  tax_code: Schema.String.check(told({ pattern: "^(\\d{10}(-\\d{3})?|\\d{12})?$" })),
  address: upTo(addressLengthMax),
  email: upTo(emailLengthMax)
})
  .mapFields(Struct.map(Schema.optionalKey))
  .annotate({ identifier: "BillingDetailsChange", description: "Any of them may be empty" })

/** The electronic invoice of a top-up. */
const Invoice = Schema.Struct({
  status: Schema.Literals(["waiting", "issued", "failed"]),
  number: Schema.String,
  url: Schema.String.annotate({ description: "Where it can be seen; empty until it is issued" })
}).annotate({ identifier: "Invoice" })

export const statementQuery = { ...period, after: Schema.optionalKey(QueryText) }
export type StatementQuery = Schema.Struct.Type<typeof statementQuery>

export const StatementPage = Schema.Struct({
  opening_vnd: Vnd,
  added_vnd: Vnd,
  taken_vnd: Vnd,
  closing_vnd: Vnd,
  lines: Schema.Array(StatementLine),
  next: Next
}).annotate({ identifier: "StatementPage" })

export const statement = HttpApiGroup.make("statement").add(
  HttpApiEndpoint.get("read", "/statement", {
    query: statementQuery,
    success: StatementPage,
    error: problems("invalid")
  }).pipe(forAccount("billing:read", "Every movement of the wallet, calls as daily sums by model")),
  HttpApiEndpoint.get("csv", "/statement.csv", {
    query: { ...period, sep: separator },
    success: HttpApiSchema.StreamUint8Array({ contentType: "text/csv" }),
    error: problems("invalid", "too_many_exports")
  }).pipe(forAccount("billing:read", "The statement as CSV")),
  HttpApiEndpoint.get("receipt", "/receipts/:id", {
    params: { id: NumberText },
    success: Schema.Struct({
      id: Schema.String,
      at: Moment,
      amount_vnd: Vnd,
      code: Schema.NullOr(Schema.String),
      transfer: Schema.String.annotate({
        description:
          "By which the banks know it or, where the messenger does not tell that, the id that it has there"
      }),
      transferred_at: Schema.NullOr(Moment),
      taken_back_at: Schema.NullOr(Moment).annotate({
        description: "Since when the money is not the account's any more: an operator had credited another's"
      }),
      invoice: Schema.NullOr(Invoice),
      may_have_invoice: Schema.Boolean.annotate({
        description:
          "Whether invoices are issued at all, and of this one: of what was taken back there is none"
      })
    }),
    error: problems("not_found")
  }).pipe(forAccount("billing:read", "The receipt of a top-up")),
  HttpApiEndpoint.post("invoice", "/receipts/:id/invoice", {
    params: { id: NumberText },
    success: nothing,
    error: problems("not_found")
  }).pipe(
    forAccount(
      "billing:write",
      "Asks for the electronic invoice of a top-up; billing details must name a company"
    )
  ),
  HttpApiEndpoint.get("billing", "/billing", {
    success: Schema.Struct({ issuer: Schema.Struct(party), details: Details })
  }).pipe(forAccount("billing:read", "Who issues receipts, and to whom they are made out")),
  HttpApiEndpoint.post("setBilling", "/billing", {
    payload: DetailsChange,
    success: Schema.Struct({ details: Details }),
    error: problems("invalid", "not_found")
  }).pipe(
    forAccount(
      "billing:write",
      "Says to whom statements and receipts are made out; what is not given stays as it is"
    )
  )
)
