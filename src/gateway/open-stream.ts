/** Sends a streamed call upstream while its client is kept waiting properly. */
import { Effect } from "effect"
import type { Model } from "../domain/catalogue.ts"
import type { OutputMeter } from "../formats/meter/output-meter.ts"
import { pairOf } from "../formats/pairs.ts"
import type { StreamCodec } from "../formats/stream/stream-codec.ts"
import { steadyMs } from "../telemetry/steady-clock.ts"
import { outputTokens } from "../tokens/output-tokens.ts"
import type { UpstreamAnswer } from "../upstream/UpstreamCall.ts"
import { eventStreamHeaders, idHeaders, modelHeaders } from "./answer-headers.ts"
import type { CallError } from "./CallError.ts"
import { contextOf } from "./conversion-context.ts"
import { forward, type Outgoing } from "./forward.ts"
import type { GatewayShape } from "./Gateway.ts"
import { keepAliveDueMs } from "./keep-alive-due.ts"
import { streamErrorFrame } from "./render-call-error.ts"
import { recordUncharged } from "./settle.ts"
import { StreamOpening } from "./StreamOpening.ts"
import type { TextCall } from "./TextCall.ts"

export interface OpenedStream {
  readonly codec: StreamCodec
  readonly answer: UpstreamAnswer
  readonly opening: StreamOpening
}

/** Made apart from the call, whose body nobody is to keep for as long as its stream lasts. */
const counterFor =
  (model: Model) =>
  (meter: OutputMeter): number =>
    outputTokens(meter, model)

/** `undefined` when the call has failed after its status line had to go out: the client has been told by an event. */
export const openStream = (
  gateway: GatewayShape,
  text: TextCall,
  outgoing: Outgoing
): Effect.Effect<OpenedStream | undefined, CallError> =>
  Effect.suspend(() => {
    const codec = pairOf(text.prepared.way).stream({
      ...contextOf(text),
      countOutput: counterFor(text.call.model)
    })
    const opening = makeOpening(gateway, text, codec)
    return forward(gateway, text.call, outgoing).pipe(
      Effect.ensuring(Effect.sync(() => opening.close())),
      Effect.map((answer) => ({ codec, answer, opening })),
      Effect.catchTag("CallError", (error) => {
        if (!opening.started) return Effect.fail(error)
        recordUncharged(gateway, text.call, error.status, error.type)
        text.call.client.end(streamErrorFrame(text.call, error, codec))
        return Effect.undefined
      })
    )
  })

export const streamHeaders = ({ call }: TextCall) => [
  ...eventStreamHeaders,
  ...idHeaders(call),
  ...modelHeaders(call)
]

/** What keeps the stream alive now: some codecs must have begun it. */
export const keepAliveOf = (text: TextCall, codec: StreamCodec): string | undefined => {
  const { keepAlive } = pairOf(text.prepared.way)
  if (keepAlive !== undefined) return keepAlive
  const begun = codec.begin?.() ?? ""
  return codec.keepAlive === undefined ? undefined : begun + codec.keepAlive
}

const makeOpening = (gateway: GatewayShape, text: TextCall, codec: StreamCodec) => {
  const { call } = text
  return new StreamOpening({
    client: call.client,
    headers: () => streamHeaders(text),
    keepAlive: () => keepAliveOf(text, codec),
    keepAliveMs: keepAliveDueMs(gateway.models.settings().limits.keepAliveSeconds),
    lastWriteMs: steadyMs(),
    onFirstByte: (nowMs) => call.noteFirstByte(nowMs),
    watch: gateway.sweeper.watch
  })
}
