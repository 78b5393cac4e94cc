/** Sends a call upstream and answers with what is worth relaying; everything else becomes the contract's error. */
import { Effect } from "effect"
import type { ProviderSettings, Route } from "../config/settings.ts"
import { freeEndpoints } from "../domain/call.ts"
import type { Model } from "../domain/catalogue.ts"
import { errorInsteadOfAnswer, readUpstreamError } from "../formats/errors/upstream-errors.ts"
import type { Pair } from "../formats/Pair.ts"
import { steadyMs } from "../telemetry/steady-clock.ts"
import type { Asker } from "../upstream/Asker.ts"
import { readRetryAfter, readRetryDelay } from "../upstream/read-retry-after.ts"
import { type OutgoingCall, shapeRequest } from "../upstream/shape-request.ts"
import { headerValue } from "../upstream/http1/header-syntax.ts"
import type { UpstreamAnswer } from "../upstream/UpstreamCall.ts"
import { isSuccess } from "../upstream/UpstreamExchange.ts"
import type { ResolvedCall } from "./Call.ts"
import { CallError, invalidRequest, modelUnreachable } from "./CallError.ts"
import type { GatewayShape } from "./Gateway.ts"
import { errorOfFailure, errorOfFault, toldToClient } from "./error-of-failure.ts"

export interface Outgoing extends Omit<OutgoingCall, "traceParent"> {
  readonly readWhole: boolean
  /** Absent where the provider's fields are the client's. */
  readonly clientsField?: Pair["clientsField"]
  /** Statuses that say no more than that the provider has no such call. */
  readonly lacking?: ReadonlySet<number>
}

const errorBytesMax = 1024 * 1024

/** The provider of a model; a model whose provider has no route for it, or paused ones alone, can not be reached. */
export const providerOf = (
  gateway: GatewayShape,
  model: Model
): Effect.Effect<ProviderSettings, CallError> => {
  const provider = gateway.models.reach(model)
  return provider === undefined || provider.routes.length === 0
    ? Effect.fail(modelUnreachable())
    : Effect.succeed(provider)
}

/** A successful answer's head; its body is still to come. */
export const forward = Effect.fnUntraced(function* (
  gateway: GatewayShape,
  call: ResolvedCall,
  outgoing: Outgoing
) {
  const { hedge, limits } = gateway.models.settings()
  const { anthropicBeta, anthropicVersion, codexResponsesLite, traceParent } = call.client.headers
  // No request can be made of what a header may not hold, which must not look like a provider that can not be reached.
  if (!headerValue.test(anthropicBeta + anthropicVersion + codexResponsesLite + traceParent))
    return yield* invalidRequest("A header of the request has characters that a header may not have.")
  const { provider } = outgoing
  const asker = askerOf(call, outgoing.model)
  const answer = yield* gateway.upstreams
    .call({
      provider,
      asker,
      deadlineMs: call.begunMs + limits.callTimeoutSeconds * 1000,
      readWhole: outgoing.readWhole,
      hedgeAfterMs: hedge?.models.includes(call.model.id) === true ? hedge.afterMs : undefined,
      attempts: call.attempts,
      shape: (route: Route) => {
        const next: OutgoingCall = { ...outgoing, traceParent: call.nextTraceParent(route) }
        return shapeRequest(gateway.signers, next, route)
      }
    })
    .pipe(
      Effect.mapError((fault) =>
        errorOfFault(fault, gateway.upstreams.retryAfterSeconds(provider, asker, steadyMs()))
      )
    )
  if (isSuccess(answer.head.status)) return answer
  return yield* failWith(gateway, answer, outgoing)
})

/** Counting is free: whoever can not pay must not make calls go elsewhere by it. */
const askerOf = ({ endpoint, identity, model: sold }: ResolvedCall, model: string): Asker => ({
  account: identity.accountId,
  family: sold.family,
  model: freeEndpoints.has(endpoint) ? `${endpoint} of ${model}` : model
})

const failWith = Effect.fnUntraced(function* (
  gateway: GatewayShape,
  answer: UpstreamAnswer,
  outgoing: Outgoing
) {
  const { headers, status } = answer.head
  const body = yield* answer.exchange
    .body(errorBytesMax)
    .pipe(Effect.catchTag("UpstreamFault", () => Effect.succeed(Buffer.alloc(0))))
  const told = isCompressed(answer) ? Buffer.alloc(0) : body
  const error = readUpstreamError(status, told)
  if (error.status === 502 && outgoing.lacking?.has(status) !== true) gateway.upstreams.reportRefused(answer)
  return yield* new CallError({
    ...toldToClient(error, outgoing.provider, outgoing.clientsField),
    // Of a refusal that holds until somebody mends it, clients are not to try again.
    retryAfterSeconds:
      status === 429 || status >= 500
        ? (readRetryAfter(headers, Date.now()) ?? readRetryDelay(told))
        : undefined
  })
})

/** Though we ask for none: as it comes it would reach the caller as noise. */
export const isCompressed = ({ head }: UpstreamAnswer): boolean =>
  /gzip|deflate|br|zstd/i.test(head.headers["content-encoding"] ?? "")

/** The whole body of a successful answer; one that breaks off under way is the fault of its route. */
export const readWhole = (
  gateway: GatewayShape,
  answer: UpstreamAnswer,
  bytesMax: number
): Effect.Effect<Buffer, CallError> =>
  Effect.mapError(answer.exchange.body(bytesMax), (fault) => {
    if (fault.reason !== "cut") gateway.upstreams.reportBroken(answer)
    return errorOfFault(fault)
  })

/** Of an answer with a success's status that tells of a failure. */
export const reportFailed = (gateway: GatewayShape, answer: UpstreamAnswer, { status }: CallError): void => {
  if (status === 502) gateway.upstreams.reportBroken(answer)
  else if (status === 429) gateway.upstreams.reportBroken(answer, "429")
}

/** The error that a body with a success's status tells of, which is reported; `otherwise` where it tells of none. */
export const errorWithin = (
  gateway: GatewayShape,
  provider: ProviderSettings,
  answer: UpstreamAnswer,
  bytes: Buffer,
  otherwise: CallError
): CallError => {
  const failure = errorInsteadOfAnswer(bytes)
  const error = failure === undefined ? otherwise : errorOfFailure(failure, provider)
  reportFailed(gateway, answer, error)
  return error
}
