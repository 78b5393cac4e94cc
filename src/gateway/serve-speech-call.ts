/** Text to speech: audio bytes, streamed through at a fixed price. */
import { Effect } from "effect"
import { bufferOf } from "../compute/share-bytes.ts"
import type { ProviderSettings } from "../config/settings.ts"
import { noUsage } from "../domain/usage.ts"
import { brokenOff } from "../formats/errors/stream-failure.ts"
import { errorBytesMax } from "../formats/errors/upstream-errors.ts"
import { AudioCodec, notAudio } from "../formats/speech/AudioCodec.ts"
import { SpeechPassthrough } from "../formats/speech/SpeechPassthrough.ts"
import { steadyMs } from "../telemetry/steady-clock.ts"
import type { UpstreamAnswer } from "../upstream/UpstreamCall.ts"
import { admit, fixedDemand } from "./admission.ts"
import { costHeaders, eventStreamHeaders, idHeaders, modelHeaders } from "./answer-headers.ts"
import { billOf } from "./bill.ts"
import type { Charge, IdentifiedCall, ResolvedCall } from "./Call.ts"
import { upstreamFailed } from "./CallError.ts"
import type { ResponseHeaders } from "./Client.ts"
import { errorOfFailure, errorOfFault } from "./error-of-failure.ts"
import { errorWithin, forward, isCompressed, providerOf, reportFailed } from "./forward.ts"
import type { GatewayShape } from "./Gateway.ts"
import { addressOf, preparePlain } from "./prepare-plain.ts"
import { askedHold } from "./hold-terms.ts"
import { readBody } from "./read-body.ts"
import { resolveModel } from "./resolve-model.ts"
import { leftStatus, leftType, settle, settleCut } from "./settle.ts"
import { StreamRelay } from "./StreamRelay.ts"

export const serveSpeech = Effect.fnUntraced(function* (gateway: GatewayShape, arrived: IdentifiedCall) {
  const body = yield* readBody(gateway, arrived)
  const call = yield* resolveModel(gateway, arrived, body)
  const { model } = call
  const { bytes, contentType } = yield* preparePlain(gateway, call, { row: "audio_speech", body, model })
  const provider = yield* providerOf(gateway, model)
  yield* admit(gateway, call, fixedDemand(model.price, 1, askedHold(call)))
  const answer = yield* forward(gateway, call, {
    provider,
    model: model.upstream.model,
    address: addressOf("audio_speech", call.client),
    body: bufferOf(bytes),
    contentType,
    stream: false,
    readWhole: false
  })
  const type = yield* audioTypeOf(gateway, provider, answer)
  yield* relayAudio(gateway, call, provider, answer, type)
})

/** The content type of an answer that is audio, or events with audio in them; anything else fails. */
const audioTypeOf = Effect.fnUntraced(function* (
  gateway: GatewayShape,
  provider: ProviderSettings,
  answer: UpstreamAnswer
) {
  const type = String(answer.head.headers["content-type"] ?? "audio/mpeg")
  // Of bytes that only the end of their connection ends nobody can tell whether they are whole: a provider that dies ends it in the same way.
  const isEndless = answer.head.framing === "close" && !isEvents.test(type)
  const isText = textTypes.test(type)
  const isCoded = isCompressed(answer)
  if (!isText && !isCoded && !isEndless) return type
  const told = isText && !isCoded ? yield* textOf(answer) : nothing
  answer.exchange.abort()
  return yield* errorWithin(gateway, provider, answer, told, upstreamFailed(notAudio.message))
})

const nothing = Buffer.alloc(0)

const textOf = ({ exchange }: UpstreamAnswer) =>
  Effect.catchTag(exchange.body(errorBytesMax), "UpstreamFault", () => Effect.succeed(nothing))

const relayAudio = Effect.fnUntraced(function* (
  gateway: GatewayShape,
  call: ResolvedCall,
  provider: ProviderSettings,
  answer: UpstreamAnswer,
  type: string
) {
  const codec = isEvents.test(type) ? new SpeechPassthrough() : new AudioCodec()
  const relay = new StreamRelay({
    client: call.client,
    upstream: answer.exchange,
    codec,
    headers: () => headersOf(call, type),
    keepAlive: () => undefined,
    hold: undefined,
    keepAliveMs: Infinity,
    stalledClientMs: gateway.models.settings().limits.stalledClientSeconds * 1000,
    lastWriteMs: steadyMs(),
    started: false,
    onFirstByte: (nowMs) => call.noteFirstByte(nowMs),
    watch: gateway.sweeper.watch
  })
  const left = Effect.sync(() => {
    relay.abort()
    settleCut(gateway, call, codec.contentSeen ? oneCall : undefined, leftStatus, leftType)
  })
  const end = yield* relay.ended.pipe(Effect.onInterrupt(() => left))
  if (end._tag === "Finished") return yield* Effect.uninterruptible(finish(gateway, call, relay))
  relay.abort()
  const error =
    end._tag === "Broken"
      ? errorOfFault(end.fault)
      : errorOfFailure(end._tag === "Failed" ? end.failure : brokenOff, provider)
  reportFailed(gateway, answer, error)
  if (!relay.started) return yield* error
  settleCut(gateway, call, undefined, error.status, error.type)
  // There is no event to tell it by: an answer that is cut off must not look whole.
  call.client.drop()
})

const finish = (gateway: GatewayShape, call: ResolvedCall, relay: StreamRelay) =>
  settle(gateway, call, oneCall).pipe(
    Effect.tapError(() => Effect.sync(() => relay.abort())),
    Effect.map(() => relay.complete())
  )

const headersOf = (call: ResolvedCall, type: string): ResponseHeaders => [
  ...(isEvents.test(type) ? eventStreamHeaders : [["content-type", tellableType(type)] as const]),
  ...idHeaders(call),
  ...modelHeaders(call),
  ...costHeaders(call, { ...noUsage, cost: billOf(call, oneCall).cost })
]

/** A page of a proxy, or an error told with a success; audio comes under many names, among them none. */
const textTypes = /^(application|text)\/[\w.+-]{0,60}(json|xml|html|plain)/i

/** A header's value is a provider's text like any other: only what looks like a type of sound is passed on. */
const tellableType = (told: string): string =>
  /^(?:audio|video)\/[\w.+-]{1,40}(?:; ?[a-z]{1,12}=[\w.+-]{1,24}){0,3}$/i.test(told)
    ? told
    : "application/octet-stream"

const isEvents = /^text\/event-stream\b/i

const oneCall: Charge = { usage: noUsage, units: 1, estimated: false }
