/** Text to speech: audio bytes, streamed through at a fixed price. */
import { Effect } from "effect"
import { bufferOf } from "../compute/read-body.ts"
import { noParticulars } from "../domain/particulars.ts"
import { callCost } from "../domain/price.ts"
import { noUsage } from "../domain/usage.ts"
import { type StreamFailure, brokenOff } from "../formats/errors/stream-failure.ts"
import { OutputMeter } from "../formats/meter/output-meter.ts"
import { SpeechPassthrough } from "../formats/speech/SpeechPassthrough.ts"
import type { StreamCodec } from "../formats/stream/stream-codec.ts"
import { steadyMs } from "../telemetry/steady-clock.ts"
import { admit, fixedDemand } from "./admission.ts"
import { costHeaders, eventStreamHeaders, idHeaders, modelHeaders } from "./answer-headers.ts"
import type { Charge, IdentifiedCall, ResolvedCall } from "./Call.ts"
import { upstreamFailed } from "./CallError.ts"
import { errorOfFailure } from "./error-of-failure.ts"
import { errorOfFault, forward, isCompressed, providerOf } from "./forward.ts"
import type { GatewayShape } from "./Gateway.ts"
import { addressOf, preparePlain } from "./prepare-plain.ts"
import { readBody } from "./read-body.ts"
import { resolveModel } from "./resolve-model.ts"
import { leftStatus, leftType, settle, settleCut } from "./settle.ts"
import { StreamRelay } from "./StreamRelay.ts"

export const serveSpeech = Effect.fnUntraced(function* (gateway: GatewayShape, arrived: IdentifiedCall) {
  const body = yield* readBody(arrived, gateway)
  const call = yield* resolveModel(gateway, arrived, body, "audio_speech")
  const { model } = call
  const { bytes, contentType: bodyType } = yield* preparePlain(gateway, call, {
    row: "audio_speech",
    body,
    model
  })
  const provider = yield* providerOf(gateway, model)
  const { limits, publicUrl } = gateway.models.settings()
  yield* admit(gateway.ledger, call.identity, call, fixedDemand(model.price, 1), publicUrl)
  const answer = yield* forward(gateway, call, {
    provider,
    model: model.upstream.model,
    address: addressOf("audio_speech", call.client),
    body: bufferOf(bytes),
    contentType: bodyType,
    stream: false,
    readWhole: false
  })
  const contentType = String(answer.head.headers["content-type"] ?? "audio/mpeg")
  const isEventStream = isEvents.test(contentType)
  // Of bytes that only the end of their connection ends nobody can tell whether they are whole: a provider that dies ends it in the same way.
  const isEndless = answer.head.framing === "close" && !isEventStream
  if (notAudio.test(contentType) || isCompressed(answer) || isEndless) {
    answer.exchange.abort()
    gateway.upstreams.reportBroken(answer)
    return yield* upstreamFailed("The model did not answer with audio.")
  }
  const areEvents = isEvents.test(contentType)
  const codec = areEvents ? new SpeechPassthrough() : new AudioCodec()
  const shown = { ...noUsage, cost: callCost(model.price, noUsage, 1) }
  const relay = new StreamRelay({
    client: call.client,
    upstream: answer.exchange,
    codec,
    headers: () => [
      ...(areEvents ? eventStreamHeaders : [["content-type", audioTypeOf(contentType)] as const]),
      ...idHeaders(call),
      ...modelHeaders(call),
      ...costHeaders(call, shown)
    ],
    keepAlive: () => undefined,
    hold: undefined,
    keepAliveMs: Infinity,
    stalledClientMs: limits.stalledClientSeconds * 1000,
    startedMs: steadyMs(),
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
  if (error.status === 502) gateway.upstreams.reportBroken(answer)
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

/** A page of a proxy, or an error told with a success; audio comes under many names, among them none. */
const notAudio = /^(application\/(json|problem\+json|xml)|text\/(html|plain|xml))\b/i

/** A header's value is a provider's text like any other: only what looks like a type of sound is passed on. */
const audioTypeOf = (told: string): string =>
  /^(?:audio|video)\/[\w.+-]{1,40}(?:; ?[a-z]{1,12}=[\w.+-]{1,24}){0,3}$/i.test(told)
    ? told
    : "application/octet-stream"

const isEvents = /^text\/event-stream\b/i

const oneCall: Charge = { usage: noUsage, units: 1, estimated: false }

/** Bytes of any kind: what comes is passed on, and the end of the connection is the end. */
class AudioCodec implements StreamCodec {
  contentSeen = false
  finished = false
  readonly failure: StreamFailure | undefined = undefined
  readonly usage = undefined
  readonly stored = undefined
  readonly particulars = noParticulars
  readonly meter = new OutputMeter()
  readonly tail = Buffer.alloc(0)

  push(chunk: Buffer): Buffer {
    this.contentSeen = true
    return chunk
  }

  /** Silence without a single byte is no answer. */
  end(): undefined {
    this.finished = this.contentSeen
  }
}
