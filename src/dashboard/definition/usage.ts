/** What an account used: sums for the charts, the calls themselves, and all of them as CSV. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { forAccount } from "./access.ts"
import { Count, Moment, Next, Price, QueryMoment, QueryText, separator, Vnd } from "./fields.ts"
import { problems } from "./problems.ts"

export const Call = Schema.Struct({
  id: Schema.String,
  at: Moment,
  key_id: Schema.String,
  key_name: Schema.String,
  endpoint: Schema.String,
  model: Schema.String,
  model_requested: Schema.String,
  stream: Schema.Boolean,
  status: Count,
  error_type: Schema.String,
  input_tokens: Count,
  output_tokens: Count,
  estimated: Schema.Boolean,
  cost_vnd: Vnd,
  latency_ms: Count,
  first_byte_ms: Schema.NullOr(Count),
  cache_read_tokens: Count,
  cache_write_tokens: Count,
  reasoning_tokens: Count,
  tier: Schema.String.annotate({ description: "On what terms it was charged; empty where all was standard" }),
  per_mtok_vnd: Schema.NullOr(Price).annotate({
    description: "The price that held then: VND for 1,000,000 tokens, of input and output alike"
  }),
  per_request_vnd: Schema.NullOr(Price).annotate({
    description:
      "The price that held then, of what is sold by the call or image: VND; not charged where `cost_vnd` is 0"
  }),
  units: Count.annotate({ description: "Images of an image call, else 1" }),
  factor: Schema.String.annotate({
    description:
      "What all but the uses of tools was multiplied by, a decimal; a fraction of a µVND that is left counts as a whole one"
  }),
  tool_uses: Schema.Array(
    Schema.Struct({
      tool: Schema.String,
      uses: Count,
      vnd: Schema.NullOr(Vnd).annotate({ description: "Of one use; `null`: it costs nothing" })
    })
  ),
  other_tokens: Schema.Array(
    Schema.Struct({
      model: Schema.String,
      input_tokens: Count,
      output_tokens: Count,
      per_mtok_vnd: Price,
      apart: Schema.Boolean.annotate({ description: "They do not stand among the tokens of the call" })
    })
  ).annotate({ description: "Tokens of other models, at the prices of those" }),
  provider_asked: Schema.NullOr(Schema.Boolean).annotate({
    description:
      "With 429: whether the limit was the provider's or the key's own; `null`: a former version did not keep it"
  }),
  route: Schema.optionalKey(
    Schema.String.annotate({
      description: "The provider's that answered well, else the one tried last; told to operators alone"
    })
  ),
  attempts: Schema.Array(
    Schema.Struct({
      route: Schema.optionalKey(Schema.String.annotate({ description: "Told to operators alone" })),
      outcome: Schema.String.annotate({
        description: "The provider's status, or a word for why there was none: `timeout`, `connect`, `left` …"
      }),
      ms: Count
    })
  ).annotate({ description: "Told where the provider was asked more than once, or failed" })
}).annotate({ identifier: "Call" })

export const usageSum = {
  calls: Count,
  failed_calls: Count,
  input_tokens: Count,
  output_tokens: Count,
  cost_vnd: Vnd,
  latency_ms: Schema.NullOr(Count).annotate({
    description: "The mean of its calls; `null` where it was not noted"
  })
}

const period = {
  from: Schema.optionalKey(QueryMoment),
  to: Schema.optionalKey(QueryMoment),
  key: Schema.optionalKey(QueryText),
  model: Schema.optionalKey(QueryText)
}

export const reportQuery = {
  ...period,
  bucket: Schema.optionalKey(Schema.Literals(["hour", "day"])),
  stack: Schema.optionalKey(Schema.Literals(["model", "key"]))
}

export type ReportQuery = Schema.Struct.Type<typeof reportQuery>

export const UsageReport = Schema.Struct({
  total: Schema.Struct(usageSum),
  series: Schema.Array(Schema.Struct({ ...usageSum, start: Moment })),
  by_key: Schema.Array(Schema.Struct({ ...usageSum, key_id: Schema.String, key_name: Schema.String })),
  by_model: Schema.Array(Schema.Struct({ ...usageSum, model: Schema.String })),
  stacked: Schema.Array(
    Schema.Struct({ start: Moment, part: Schema.String, calls: Count, cost_vnd: Vnd })
  ).annotate({ description: "With `stack`: the series by model, or by key's id" }),
  dropped: Schema.NullOr(Schema.Struct({ before: Moment, calls: Count })).annotate({
    description: "Calls that count here and are no longer kept one by one"
  })
}).annotate({ identifier: "UsageReport" })

export const callsQuery = {
  ...period,
  outcome: Schema.optionalKey(Schema.Literals(["all", "failed"])),
  status: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 100, maximum: 599 }))),
  request_id: Schema.optionalKey(
    QueryText.annotate({ description: "Without a period, at whatever time the call was" })
  ),
  before: Schema.optionalKey(QueryText)
}

export type CallsQuery = Schema.Struct.Type<typeof callsQuery>

export const CallPage = Schema.Struct({ calls: Schema.Array(Call), next: Next }).annotate({
  identifier: "CallPage"
})

export const usage = HttpApiGroup.make("usage").add(
  HttpApiEndpoint.get("report", "/usage", {
    query: reportQuery,
    success: UsageReport,
    error: problems("invalid", "period_too_long")
  }).pipe(forAccount("usage:read", "Sums by hour or day, by key and by model")),
  HttpApiEndpoint.get("calls", "/calls", {
    query: callsQuery,
    success: CallPage,
    error: problems("invalid")
  }).pipe(forAccount("usage:read", "The calls, newest first")),
  HttpApiEndpoint.get("csv", "/usage.csv", {
    query: { ...period, sep: separator },
    success: HttpApiSchema.StreamUint8Array({ contentType: "text/csv" }),
    error: problems("invalid", "too_many_exports")
  }).pipe(forAccount("usage:read", "The calls as CSV"))
)
