/** Keeps the rules that endpoints are defined with: the one place where it is decided who may ask what. */
import { Context, Data, Effect, Layer } from "effect"
import { HttpServerRequest, type HttpServerResponse } from "effect/http"
import { type HttpApiEndpoint, HttpApiError } from "effect/http-api"
import { ApiProblem } from "../ApiProblem.ts"
import { type Asking, authenticate, checkJson, checkOrigin } from "../authenticate.ts"
import type { DashboardContext } from "../DashboardContext.ts"
import { AccessRule, Caller, Edge, type Rule, Signed } from "../definition/access.ts"
import { problemReply } from "../json-reply.ts"
import { limitChanges } from "../limit-changes.ts"
import { readJson } from "../read-json.ts"
import { authenticateBearer, bearerOf } from "../token-bearer.ts"
import { describeIssue } from "./describe-issue.ts"
import { endWithRole } from "./end-with-role.ts"
import { askingOf, rawReply } from "./raw-reply.ts"

export const guardLayer = (context: DashboardContext): Layer.Layer<Edge | Signed> =>
  Layer.merge(edgeLayer(context), signedLayer(context))

const edgeLayer = (context: DashboardContext) =>
  Layer.succeed(Edge, (answer, { endpoint }) =>
    Effect.gen(function* () {
      ruleOf(endpoint)
      const asking = yield* currentAsking
      yield* attempt(() => {
        if (bearerOf(asking) === undefined) checkOrigin(asking, context)
        // No browser sends a token by itself, so that nobody else's page can have it sent.
        else if (endpoint.payload.size > 0) checkJson(asking)
      })
      return yield* answer
    }).pipe(
      Effect.catch((failure) =>
        Effect.map(currentAsking, (asking) => answerOf(failure, asking, endpoint, context))
      )
    )
  )

const signedLayer = (context: DashboardContext) =>
  Layer.succeed(
    Signed,
    (answer, { endpoint }) =>
      Effect.gen(function* () {
        const asking = yield* currentAsking
        const rule = ruleOf(endpoint)
        if (rule.who === "anyone")
          throw new Error(`${endpoint.identifier} is for everyone and asks who it is`)
        const whoAsks = async () => {
          const secret = bearerOf(asking)
          return secret === undefined
            ? authenticate(asking, context, rule)
            : authenticateBearer(secret, asking, context, rule)
        }
        const caller = yield* attempt(whoAsks)
        if (endpoint.method !== "GET") yield* attempt(() => limitChanges(caller, context))
        if (endpoint.payload.size > 0) yield* checkBody
        const response = yield* Effect.provideService(answer, Caller, caller)
        return endWithRole(response, caller, whoAsks, context)
      }) as Effect.Effect<HttpServerResponse.HttpServerResponse, never, HttpServerRequest.HttpServerRequest>
  )

/** Whoever forgets the rule of an endpoint has made one that answers nobody. */
const ruleOf = (endpoint: HttpApiEndpoint.Top): Rule => {
  const rule = Context.getOrUndefined(endpoint.annotations, AccessRule)
  if (rule === undefined) throw new Error(`${endpoint.method} ${endpoint.path} has no rule of access`)
  return rule
}

const currentAsking = Effect.map(HttpServerRequest.HttpServerRequest, askingOf)

/** What throws a refusal fails with it; whatever else it throws is a defect. */
const attempt = <A>(run: () => A | Promise<A>): Effect.Effect<A, ApiProblem> =>
  Effect.tryPromise({ try: async () => run(), catch: (cause) => new Thrown({ cause }) }).pipe(
    Effect.catch(({ cause }) => (cause instanceof ApiProblem ? Effect.fail(cause) : Effect.die(cause)))
  )

class Thrown extends Data.TaggedError("Thrown")<{ readonly cause: unknown }> {}

/** What PostgreSQL can not hold is refused before any schema looks at it. */
const checkBody = Effect.gen(function* () {
  const request = yield* HttpServerRequest.HttpServerRequest
  const text = yield* Effect.orDie(request.text)
  yield* attempt(() => readJson({ body: Buffer.from(text) }))
})

/** Expected failures say what they are; what is broken says nothing and is written down. */
const answerOf = (
  failure: unknown,
  asking: Asking,
  endpoint: HttpApiEndpoint.Top,
  context: DashboardContext
) => {
  const refusal = problemOf(failure)
  if (refusal === undefined) {
    context.tellUnanswered({ ...asking, path: endpoint.path }, failure)
    return rawReply(problemReply(new ApiProblem(503, "unavailable", [["retry-after", "5"]])))
  }
  return rawReply(problemReply(refusal))
}

const problemOf = (failure: unknown): ApiProblem | undefined => {
  if (failure instanceof ApiProblem) return failure
  if (!HttpApiError.HttpApiSchemaError.is(failure)) return undefined
  // An id that can be none is nobody's.
  if (failure.kind === "Params") return new ApiProblem(404, "not_found")
  return failure.kind === "Query" || failure.kind === "Payload"
    ? new ApiProblem(400, "invalid", [], describeIssue(failure.cause.issue))
    : undefined
}
