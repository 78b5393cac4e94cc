/** Routes to providers as an operator sees and changes them. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { routeStates } from "../../domain/route-health.ts"
import { forOperator } from "./access.ts"
import { Count, Moment, nothing, QueryText } from "./fields.ts"
import { problems } from "./problems.ts"

const Rate = Schema.NullOr(Schema.Finite).annotate({ description: "Of 1; null: there were no calls" })
const Milliseconds = Schema.NullOr(Schema.Finite)

const HealthCell = Schema.Struct({ at: Moment, calls: Count, failed: Count })

const ProviderRoute = Schema.Struct({
  id: Schema.String,
  provider: Schema.String,
  base_url: Schema.String,
  priority: Schema.Finite,
  weight: Schema.Finite.annotate({ description: "As it is in force" }),
  own_weight: Schema.NullOr(Schema.Finite).annotate({
    description: "What operators set; null: as configured"
  }),
  paused: Schema.Boolean,
  state: Schema.Literals(routeStates).annotate({ description: "The worst that any node sees" }),
  until: Schema.NullOr(Moment).annotate({ description: "So long it rests, where that is known" }),
  calls: Count.annotate({ description: "Tried within the last hour, as are the figures below" }),
  success_rate: Rate,
  p50_ms: Milliseconds.annotate({ description: "Until streams began" }),
  p95_ms: Milliseconds,
  last_error: Schema.NullOr(
    Schema.Struct({
      what: Schema.String.annotate({ description: "A status, or a word for why there was no answer" }),
      at: Moment
    })
  ),
  hours: Schema.Array(HealthCell).annotate({ description: "The last 24 hours of the clock, oldest first" })
}).annotate({ identifier: "ProviderRoute" })

const RouteTest = Schema.Struct({
  model: Schema.String,
  status: Schema.NullOr(Schema.Finite).annotate({ description: "null: no answer came" }),
  first_byte_ms: Milliseconds,
  total_ms: Schema.Finite,
  fault: Schema.NullOr(Schema.String).annotate({
    description: "Why no answer came, or not to its end, in one word"
  }),
  message: Schema.NullOr(Schema.String).annotate({ description: "What the provider said of an error" })
}).annotate({ identifier: "RouteTest" })

export const operatorRoutes = HttpApiGroup.make("operatorRoutes").add(
  HttpApiEndpoint.get("list", "/operator/routes", {
    success: Schema.Struct({ routes: Schema.Array(ProviderRoute) })
  }).pipe(forOperator("operator:read", "The routes to providers, and how each fares on all nodes")),
  HttpApiEndpoint.post("set", "/operator/routes/set", {
    payload: Schema.Struct({
      route: QueryText,
      paused: Schema.Boolean,
      weight: Schema.NullOr(Schema.Finite).annotate({ description: "null: as configured" })
    }),
    success: nothing,
    error: problems("invalid", "not_found")
  }).pipe(forOperator("operator:write", "Pauses or weighs a route; in force on all nodes once answered")),
  HttpApiEndpoint.post("test", "/operator/routes/test", {
    payload: Schema.Struct({ route: QueryText }),
    success: RouteTest,
    error: problems("not_found", "too_many_tries", "unavailable")
  }).pipe(
    forOperator(
      "operator:write",
      "Sends a call of at most 16 tokens over a route alone, paused or not, and charges nobody"
    )
  )
)
