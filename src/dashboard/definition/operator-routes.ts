/** Routes to providers as an operator sees and changes them. */
import { Schema, Struct } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { routeModelsMax, routePriorityMax } from "../../domain/field-limits.ts"
import { weightMax } from "../../domain/route-changes.ts"
import { routeStates } from "../../domain/route-health.ts"
import { forOperator } from "./access.ts"
import { Count, Moment, nothing, OnceName, QueryText, told, Whole } from "./fields.ts"
import { problems } from "./problems.ts"

const Rate = Schema.NullOr(Schema.Finite).annotate({ description: "Of 1; null: there were no calls" })
const Milliseconds = Schema.NullOr(Schema.Finite)

const HealthCell = Schema.Struct({ at: Moment, calls: Count, failed: Count })

const ProviderRoute = Schema.Struct({
  id: Schema.String,
  provider: Schema.String,
  added: Schema.Boolean.annotate({ description: "In the dashboard, and can be changed there" }),
  models: Schema.Array(Schema.String).annotate({ description: "Empty: all of the provider's" }),
  key_hint: Schema.String.annotate({ description: "How the key of an added route ends; empty: not told" }),
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

const added = {
  base_url: Schema.String,
  key: Schema.String.annotate({ description: "Shown never again" }),
  models: Schema.Array(QueryText)
    .check(told({ maxItems: routeModelsMax }))
    .annotate({
      description: "Ids of the catalogue; empty: all of the provider's"
    }),
  priority: Whole(1, routePriorityMax).annotate({ description: "Lower is tried first" })
}

export const operatorRoutes = HttpApiGroup.make("operatorRoutes").add(
  HttpApiEndpoint.get("list", "/operator/routes", {
    success: Schema.Struct({
      routes: Schema.Array(ProviderRoute),
      providers: Schema.Array(Schema.String).annotate({ description: "That a route can be added for" })
    })
  }).pipe(forOperator("operator:read", "The routes to providers, and how each fares on all nodes")),
  HttpApiEndpoint.post("set", "/operator/routes/set", {
    payload: Schema.Struct({
      route: QueryText,
      paused: Schema.optionalKey(Schema.Boolean),
      weight: Schema.optionalKey(
        Schema.NullOr(Schema.Finite.check(told({ exclusiveMinimum: 0, maximum: weightMax }))).annotate({
          description: "null: as configured"
        })
      )
    }),
    success: nothing,
    error: problems("invalid", "not_found")
  }).pipe(
    forOperator(
      "operator:write",
      "Pauses or weighs a route; what is not given stays as it is. In force on all nodes once answered"
    )
  ),
  HttpApiEndpoint.post("add", "/operator/routes", {
    payload: Schema.Struct({
      provider: QueryText,
      ...added,
      id: Schema.optionalKey(
        OnceName.annotate({
          description: "Names the addition: a request that is sent twice adds one route, as it was sent last"
        })
      )
    }),
    success: Schema.Struct({ id: Schema.String }).pipe(HttpApiSchema.status(201)),
    error: problems("invalid", "route_refused", "too_many_routes")
  }).pipe(
    forOperator(
      "operator:write",
      "Adds a route beside those of the configuration; in force on all nodes once answered"
    )
  ),
  HttpApiEndpoint.post("change", "/operator/routes/change", {
    payload: Schema.Struct({ route: QueryText, ...Struct.map(added, Schema.optionalKey) }),
    success: nothing,
    error: problems("invalid", "route_refused", "not_found")
  }).pipe(
    forOperator(
      "operator:write",
      "Changes an added route; what is not given stays as it is, but a new address needs the key, too"
    )
  ),
  HttpApiEndpoint.post("remove", "/operator/routes/remove", {
    payload: Schema.Struct({ route: QueryText }),
    success: nothing,
    error: problems("not_found")
  }).pipe(forOperator("operator:write", "Removes an added route; calls under way on it go on")),
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
