/** What is left of the revenue when the providers are paid, and what they are paid. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { decimalPattern, percentPattern } from "../../domain/decimal.ts"
import { forOperator } from "./access.ts"
import {
  Count,
  Moment,
  Next,
  nothing,
  NumberText,
  QueryMoment,
  QueryText,
  separator,
  told,
  Vnd
} from "./fields.ts"
import { problems } from "./problems.ts"

const Percent = Schema.String.check(Schema.isPattern(percentPattern)).annotate({
  description: "A percentage with two decimals at most",
  examples: ["12.5"]
})

const Decimal = Schema.String.check(Schema.isPattern(decimalPattern)).annotate({
  description: "A decimal that is not negative, with nine decimals at most",
  examples: ["0.0375"]
})

/** VND for one of a currency, to the µVND. */
const Rate = Schema.String.check(Schema.isPattern(/^\d{1,9}(\.\d{1,6})?$/u), Schema.isPattern(/[1-9]/u))

const Day = Schema.String.check(Schema.isPattern(/^20\d\d-\d\d-\d\d$/u), told({ format: "date" })).annotate({
  description: "Begins at midnight in Viet Nam",
  examples: ["2026-11-24"]
})

const Currency = Schema.String.check(Schema.isPattern(/^[A-Z]{3}$/u))
// oxlint-disable-next-line no-control-regex
const Name = Schema.String.check(Schema.isPattern(/^[^\x00\s](?:[^\x00\n]{0,198}[^\x00\s])?$/u))
const Tool = Schema.String.check(Schema.isPattern(/^[a-z][a-z0-9_.-]{0,63}$/u))

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

const price = {
  route: Name.annotate({ description: "`*` for all routes that have no price of their own" }),
  model: Name,
  currency: Currency,
  input: Decimal.annotate({ description: "Per million tokens, as are those of caches and of output" }),
  cache_read: Schema.NullOr(Decimal).annotate({ description: "`null`: as the input" }),
  cache_write: Schema.NullOr(Decimal),
  output: Decimal,
  per_request: Decimal,
  // Of a name that is none the record itself would make nothing, and say nothing.
  tools: Schema.Record(Schema.String, Decimal)
    .check(Schema.isPropertyNames(Tool), Schema.isMaxProperties(20))
    .annotate({ description: "Per use, by the tool's name" }),
  from: Day
}

const rate = { currency: Currency, vnd: Rate, from: Day }
const entered = { id: Schema.String, made_by: Schema.String, made_at: Moment }

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

export const operatorPurchases = HttpApiGroup.make("operatorPurchases").add(
  HttpApiEndpoint.get("prices", "/operator/purchase-prices", {
    query: { model: Schema.optionalKey(QueryText), before: Schema.optionalKey(NumberText) },
    success: Schema.Struct({
      prices: Schema.Array(Schema.Struct({ ...entered, ...price, in_force: Schema.Boolean })),
      next: Next
    })
  }).pipe(
    forOperator(
      "operator:read",
      "What providers are paid, with all that was ever entered, newest first",
      "money"
    )
  ),
  HttpApiEndpoint.post("addPrice", "/operator/purchase-prices", {
    payload: Schema.Struct(price),
    success: nothing,
    error: problems("invalid", "not_found")
  }).pipe(
    forOperator(
      "operator:write",
      "Enters a purchase price; for days gone by, too, and margins follow",
      "money"
    )
  ),
  HttpApiEndpoint.get("rates", "/operator/exchange-rates", {
    success: Schema.Struct({ rates: Schema.Array(Schema.Struct({ ...entered, ...rate })) })
  }).pipe(forOperator("operator:read", "Rates of currencies, newest first", "money")),
  HttpApiEndpoint.post("addRate", "/operator/exchange-rates", {
    payload: Schema.Struct(rate),
    success: nothing,
    error: problems("invalid")
  }).pipe(forOperator("operator:write", "Enters how many VND one of a currency is from a day on", "money"))
)
