/** What providers are paid: purchase prices and exchange rates. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { decimalPattern, ratePattern, thousandsPattern } from "../../domain/decimal.ts"
import { forOperator } from "./access.ts"
import { Moment, Next, nothing, NumberText, QueryText, told } from "./fields.ts"
import { problems } from "./problems.ts"

const Decimal = Schema.String.check(Schema.isPattern(decimalPattern)).annotate({
  description: "A decimal that is not negative, with nine decimals at most",
  examples: ["0.0375"]
})

const Rate = Schema.String.check(
  Schema.isPattern(ratePattern),
  Schema.isPattern(new RegExp(`^(?!${thousandsPattern.source})`, "u"))
).annotate({
  description: "VND, an exact decimal; what people write for thousands, such as 26.000, is refused",
  examples: ["26350.5"]
})

const FirstDay = Schema.String.check(
  Schema.isPattern(/^20\d\d-\d\d-\d\d$/u),
  told({ format: "date" })
).annotate({
  description: "Begins at midnight in Viet Nam",
  examples: ["2026-11-24"]
})

const Currency = Schema.String.check(Schema.isPattern(/^[A-Z]{3}$/u))
// oxlint-disable-next-line no-control-regex
const Name = Schema.String.check(Schema.isPattern(/^[^\x00\s](?:[^\x00\n]{0,198}[^\x00\s])?$/u))
const Tool = Schema.String.check(Schema.isPattern(/^[a-z][a-z0-9_.-]{0,63}$/u))

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
  from: FirstDay
}

const rate = { currency: Currency, vnd: Rate, from: FirstDay }
const entered = { id: Schema.String, made_by: Schema.String, made_at: Moment }

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
