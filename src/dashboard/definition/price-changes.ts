/** Prices of many models at once, from a moment on, with all that ever were. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { priceVndMax } from "../../domain/price.ts"
import { percentPattern } from "../../domain/decimal.ts"
import { forOperator } from "./access.ts"
import { Unit } from "./models.ts"
import { Id, Moment, Next, nothing, NumberText, QueryMoment, QueryText, told } from "./fields.ts"
import { problems } from "./problems.ts"

const modelsMax = 500
const Model = Schema.String.check(Schema.isMinLength(1), Schema.isMaxCodePoints(200))
const From = Schema.NullOr(QueryMoment).annotate({ description: "`null`: at once" })
const Margin = Schema.NullOr(Schema.String).annotate({
  description: "Of what was used in the last 30 days; `null` where it has no purchase price"
})
const Price = Schema.Finite.annotate({ description: "VND for a million tokens, or for a request" })

const AskedPrice = Price.check(told({ type: "integer", minimum: 0, maximum: priceVndMax }))

export const priceChanges = HttpApiGroup.make("priceChanges").add(
  HttpApiEndpoint.post("preview", "/operator/price-changes/preview", {
    payload: Schema.Struct({
      models: Schema.Array(Model).check(Schema.isMinLength(1), Schema.isMaxLength(modelsMax)),
      percent: Schema.String.check(Schema.isPattern(percentPattern)),
      from: From
    }),
    success: Schema.Struct({
      changes: Schema.Array(
        Schema.Struct({
          model: Schema.String,
          former_vnd: Price,
          price_vnd: Price,
          margin_percent: Margin,
          next_margin_percent: Margin
        })
      )
    }),
    error: problems("invalid", "not_found")
  }).pipe(forOperator("operator:write", "What prices would be; changes nothing", "money")),
  HttpApiEndpoint.post("add", "/operator/price-changes", {
    payload: Schema.Struct({
      changes: Schema.Array(
        Schema.Struct({
          model: Model,
          former_vnd: AskedPrice,
          price_vnd: AskedPrice,
          // What was previewed is sent as it came.
          margin_percent: Schema.optionalKey(Margin),
          next_margin_percent: Schema.optionalKey(Margin)
        })
      ).check(Schema.isMinLength(1), Schema.isMaxLength(modelsMax)),
      from: From
    }),
    success: nothing,
    error: problems("invalid", "not_found", "price_changed")
  }).pipe(
    forOperator(
      "operator:write",
      "Sets prices from a moment on; each node then switches by itself. Refused where a price is no longer the former one",
      "money"
    )
  ),
  HttpApiEndpoint.post("cancel", "/operator/price-changes/:id/cancel", {
    params: { id: Id },
    success: nothing,
    error: problems("not_found", "too_late")
  }).pipe(forOperator("operator:write", "Cancels what was set together, before it holds", "money")),
  HttpApiEndpoint.get("list", "/operator/price-changes", {
    query: { model: Schema.optionalKey(QueryText), before: Schema.optionalKey(NumberText) },
    success: Schema.Struct({
      changes: Schema.Array(
        Schema.Struct({
          id: Schema.String,
          batch: Schema.String.annotate({ description: "The same for all that were set together" }),
          model: Schema.String,
          price_vnd: Schema.NullOr(Price).annotate({ description: "`null`: the catalogue's" }),
          former_vnd: Schema.NullOr(Price),
          unit: Schema.NullOr(Unit).annotate({
            description: "What the prices are for; `null`: it was not noted when they were set"
          }),
          from: Moment,
          made_by: Schema.String,
          made_at: Moment,
          state: Schema.Literals(["waiting", "held", "cancelled"])
        })
      ),
      next: Next
    })
  }).pipe(forOperator("operator:read", "What models were, are and will be sold at, the latest entered first"))
)
