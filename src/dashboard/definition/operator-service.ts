/** The service as an operator sees it: totals, load, prices and maintenance. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { priceVndMax } from "../../domain/price.ts"
import { noticeLengthMax } from "../../domain/maintenance.ts"
import { forOperator } from "./access.ts"
import { Count, Line, Moment, nothing, QueryMoment, told, Vnd } from "./fields.ts"
import { modelFields } from "./models.ts"
import { problems } from "./problems.ts"

const Notice = Schema.Struct({
  vi: Schema.String,
  en: Schema.NullOr(Schema.String),
  until: Schema.NullOr(Moment).annotate({ description: "The planned end" })
}).annotate({ identifier: "Notice" })

const ServiceState = Schema.Struct({
  accounts: Count,
  active_keys: Count,
  balances_vnd: Vnd,
  calls_today: Count,
  failed_today: Count,
  spent_today_vnd: Vnd,
  nodes: Count,
  settings_apart: Schema.Array(Schema.String).annotate({
    description: "The parts of the settings that differ between nodes that live; `[]`: none"
  }),
  unmatched: Count,
  maintenance: Schema.Boolean,
  notice: Schema.NullOr(Notice),
  live: Schema.NullOr(
    Schema.Struct({
      open_calls: Count,
      held_vnd: Vnd,
      calls_per_minute: Count,
      is_ledger_ready: Schema.Boolean,
      event_loop_delay_ms: Schema.Finite
    })
  ).annotate({ description: "Of the node that answers alone; `null`: it did not say in time" })
}).annotate({ identifier: "ServiceState" })

const Maintenance = Schema.Struct({ maintenance: Schema.Boolean })

const Announcement = Schema.Struct({
  vi: Line(noticeLengthMax),
  en: Schema.NullOr(Line(noticeLengthMax)),
  until: Schema.NullOr(QueryMoment)
}).annotate({
  identifier: "Announcement",
  description: `Plain text of one line, at most ${noticeLengthMax} characters in each language; the planned end, within the coming year`
})
/** What is set; what is answered is as it stands. */
const Price = Schema.Finite.check(told({ type: "integer", minimum: 0, maximum: priceVndMax })).annotate({
  description: "Whole VND for a million tokens, or for a request; `null`: the catalogue's"
})
const override = { price_vnd: Schema.NullOr(Schema.Finite), disabled: Schema.Boolean }

export const operatorService = HttpApiGroup.make("operatorService").add(
  HttpApiEndpoint.get("read", "/operator/service", { success: ServiceState }).pipe(
    forOperator("operator:read", "Totals and load")
  ),
  HttpApiEndpoint.post("setMaintenance", "/operator/maintenance", {
    payload: Schema.Struct({ on: Schema.Boolean, notice: Schema.optionalKey(Schema.NullOr(Announcement)) }),
    success: Maintenance,
    error: problems("invalid")
  }).pipe(
    forOperator(
      "operator:write",
      "Turns maintenance on or off. What is said of it to customers: `notice`, or without it what was announced; its end ends that, too"
    )
  ),
  HttpApiEndpoint.post("announce", "/operator/notice", {
    payload: Schema.Struct({ notice: Schema.NullOr(Announcement) }),
    success: nothing,
    error: problems("invalid")
  }).pipe(
    forOperator(
      "operator:write",
      "What customers are told on every page, and in errors during maintenance; `null` takes it back. Maintenance stays on or off"
    )
  ),
  HttpApiEndpoint.get("models", "/operator/models", {
    success: Schema.Struct({
      models: Schema.Array(
        Schema.Struct({
          ...modelFields,
          provider: Schema.String,
          override: Schema.NullOr(Schema.Struct(override)),
          next: Schema.NullOr(
            Schema.Struct({ price_vnd: Schema.NullOr(Schema.Finite), from: Moment })
          ).annotate({ description: "The price that is coming; its `null` is the catalogue's" })
        })
      )
    })
  }).pipe(forOperator("operator:read", "All models of the catalogue, and what operators laid over it")),
  HttpApiEndpoint.post("setModel", "/operator/models", {
    payload: Schema.Struct({
      model: Schema.String,
      price_vnd: Schema.optionalKey(Schema.NullOr(Price)),
      disabled: Schema.optionalKey(override.disabled)
    }),
    success: nothing,
    error: problems("invalid", "not_found")
  }).pipe(
    forOperator(
      "operator:write",
      "Sets a model's price or takes it off the list; what is not given stays as it is. In force once answered",
      "money"
    )
  )
)
