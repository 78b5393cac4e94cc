/** What is left of the revenue when the providers are paid. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { percentPattern } from "../../domain/decimal.ts"
import { forOperator } from "./access.ts"
import { Count, Moment, nothing, QueryMoment, QueryText, separator, Vnd } from "./fields.ts"
import { problems } from "./problems.ts"

const Percent = Schema.String.check(Schema.isPattern(percentPattern)).annotate({
  description: "A percentage with two decimals at most",
  examples: ["12.5"]
})

const margin = {
  calls: Count,
  revenue_vnd: Vnd,
  cost_vnd: Vnd.annotate({
    description: "Of the calls that have a purchase price; rounded once to the µVND"
  }),
  margin_vnd: Vnd.annotate({ description: "The revenue of these calls less their cost" }),
  margin_percent: Schema.NullOr(Schema.String),
  is_below: Schema.Boolean.annotate({ description: "The margin is below the floor" }),
  unpriced_calls: Count.annotate({
    description: "Calls without a purchase price: in neither cost nor margin"
  }),
  unpriced_revenue_vnd: Vnd
}

const period = {
  from: Schema.optionalKey(QueryMoment),
  to: Schema.optionalKey(QueryMoment),
  by: Schema.optionalKey(Schema.Literals(["day", "model", "route", "provider", "account"])),
  model: Schema.optionalKey(QueryText),
  provider: Schema.optionalKey(QueryText),
  route: Schema.optionalKey(QueryText),
  account: Schema.optionalKey(QueryText),
  order: Schema.optionalKey(
    Schema.Literals(["revenue", "margin"]).annotate({ description: "Of accounts: which come first" })
  )
}

export type MarginAsked = Schema.Struct.Type<typeof period>

export const operatorMargin = HttpApiGroup.make("operatorMargin").add(
  HttpApiEndpoint.get("report", "/operator/margin", {
    query: period,
    success: Schema.Struct({
      total: Schema.Struct(margin),
      rows: Schema.Array(Schema.Struct({ ...margin, group: Schema.String, name: Schema.String })),
      groups: Count.annotate({ description: "How many there are, also of those beyond the rows" }),
      missing: Schema.Array(
        Schema.Struct({
          route: Schema.String,
          model: Schema.String,
          part: Schema.String.annotate({
            description:
              "Empty for the model; `tool:…`, `model:…`, or `?` for calls of which no more is known"
          }),
          currency: Schema.NullOr(Schema.String).annotate({ description: "Whose rate is missing" }),
          uses: Count
        })
      ),
      floor_percent: Percent,
      ranked_at: Schema.NullOr(Moment).annotate({
        description:
          "Where it takes long to say which accounts come first: when that was done, a quarter of an hour ago at most; `null`: now. The figures are of now in any case"
      })
    }),
    error: problems("invalid", "period_too_long")
  }).pipe(
    forOperator("operator:read", "The gross margin by day, model, route, provider or customer", "money")
  ),
  HttpApiEndpoint.get("csv", "/operator/margin.csv", {
    query: { ...period, sep: separator },
    success: HttpApiSchema.StreamUint8Array({ contentType: "text/csv" }),
    error: problems("invalid", "period_too_long", "too_many_exports")
  }).pipe(forOperator("operator:read", "The same as CSV", "money")),
  HttpApiEndpoint.post("setFloor", "/operator/margin/floor", {
    payload: Schema.Struct({ percent: Percent }),
    success: nothing,
    error: problems("invalid")
  }).pipe(forOperator("operator:write", "Below which percentage a margin is marked", "money"))
)
