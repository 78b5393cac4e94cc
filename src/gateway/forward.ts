/** Sends a call upstream and answers with what is worth relaying; everything else becomes the contract's error. */
import { Effect } from "effect"
import type { ProviderSettings, Route } from "../config/settings.ts"
import type { Model } from "../domain/catalogue.ts"
import { readUpstreamError } from "../formats/errors/upstream-errors.ts"
import { readRetryAfter, readRetryDelay } from "../upstream/read-retry-after.ts"
import { type OutgoingCall, shapeRequest } from "../upstream/shape-request.ts"
import { headerValue } from "../upstream/http1/header-syntax.ts"
import type { UpstreamAnswer, UpstreamFailure } from "../upstream/try-routes.ts"
import type { Call } from "./Call.ts"
import {
  answerBrokenOff,
  CallError,
  invalidRequest,
  modelUnreachable,
  restarting,
  upstreamFailed
} from "./CallError.ts"
import type { GatewayShape } from "./Gateway.ts"
import { hideSecrets } from "./hide-secrets.ts"

export interface Outgoing extends Omit<OutgoingCall, "traceParent"> {
  readonly readWhole: boolean
}

const errorBytesMax = 1024 * 1024

/** The provider of a model; a model whose provider has no route can not be reached. */
export const providerOf = (
  gateway: GatewayShape,
  model: Model
): Effect.Effect<ProviderSettings, CallError> => {
  const provider = gateway.models.provider(model.upstream.provider)
  return provider === undefined || provider.routes.length === 0
    ? Effect.fail(modelUnreachable())
    : Effect.succeed(provider)
}

/** A successful answer's head; its body is still to come. */
export const forward = Effect.fnUntraced(function* (gateway: GatewayShape, call: Call, outgoing: Outgoing) {
  const { callTimeoutSeconds } = gateway.models.settings().limits
  const { anthropicBeta, anthropicVersion, codexResponsesLite, traceParent } = call.client.headers
  // No request can be made of what a header may not hold, which must not look like a provider that can not be reached.
  if (!headerValue.test(anthropicBeta + anthropicVersion + codexResponsesLite + traceParent))
    return yield* invalidRequest("A header of the request has characters that a header may not have.")
  const answer = yield* gateway.upstreams
    .call({
      provider: outgoing.provider,
      deadlineMs: call.startedMs + callTimeoutSeconds * 1000,
      readWhole: outgoing.readWhole,
      attempts: call.attempts,
      shape: (route: Route) => {
        const next: OutgoingCall = { ...outgoing, traceParent: call.nextTraceParent() }
        return shapeRequest(gateway.signers, next, route)
      }
    })
    .pipe(Effect.mapError((fault) => errorOfFault(gateway, outgoing.provider, fault)))
  if (answer.head.status >= 200 && answer.head.status < 300) return answer
  return yield* failWith(answer, outgoing.provider)
})

const failWith = Effect.fnUntraced(function* (answer: UpstreamAnswer, provider: ProviderSettings) {
  const { headers, status } = answer.head
  const body = yield* answer.exchange
    .body(errorBytesMax)
    .pipe(Effect.catchTag("UpstreamFault", () => Effect.succeed(Buffer.alloc(0))))
  const error = readUpstreamError(status, body)
  return yield* new CallError({
    ...hideSecrets(error, provider),
    retryAfterSeconds:
      error.status === 429
        ? (readRetryAfter(headers["retry-after"], Date.now()) ?? readRetryDelay(body))
        : undefined
  })
})

/** The whole body of a successful answer; one that breaks off under way is the fault of its route. */
export const readWhole = (
  gateway: GatewayShape,
  provider: ProviderSettings,
  { exchange, route }: UpstreamAnswer,
  bytesMax: number
): Effect.Effect<Buffer, CallError> =>
  Effect.mapError(exchange.body(bytesMax), (fault) => {
    if (fault.reason !== "cut") gateway.upstreams.reportBroken(route)
    return errorOfFault(gateway, provider, fault)
  })

export const errorOfFault = (
  gateway: GatewayShape,
  provider: ProviderSettings,
  fault: UpstreamFailure
): CallError => {
  if (fault._tag === "BedrockCredentialsError") return modelUnreachable()
  switch (fault.reason) {
    case "cut":
      return restarting()
    case "timeout":
      return upstreamFailed("The model took too long to answer.")
    case "connect": {
      const seconds = gateway.upstreams.retryAfterSeconds(provider, Date.now())
      return modelUnreachable(seconds > 0 ? seconds : undefined)
    }
    default:
      return answerBrokenOff()
  }
}
