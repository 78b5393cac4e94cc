/** A streamed answer: relayed, metered, charged at its end, and whatever may become of it on the way. */
import { Effect, FiberSet, Option, Result } from "effect"
import { pairOf } from "../formats/pairs.ts"
import type { StreamCodec } from "../formats/stream/stream-codec.ts"
import { refusalOf } from "./admission.ts"
import type { Charge } from "./Call.ts"
import { type CallError, restarting } from "./CallError.ts"
import { billingOf, outputEachOf } from "./billing.ts"
import { chargeOfFinished, chargeOfLeft, outputSoFar, withinHold } from "./consumed.ts"
import { errorOfFailure, errorOfFault } from "./error-of-failure.ts"
import type { GatewayShape } from "./Gateway.ts"
import { HoldMeter } from "./HoldMeter.ts"
import { keepAliveDueMs } from "./keep-alive-due.ts"
import { logCall } from "./log-call.ts"
import { keepAliveOf, type OpenedStream, streamHeaders } from "./open-stream.ts"
import { streamErrorFrame } from "./render-call-error.ts"
import type { TextCall } from "./TextCall.ts"
import { leftStatus, leftType, recordUncharged, settle, settleCut } from "./settle.ts"
import { type RelayEnd, type RelayOptions, StreamRelay } from "./StreamRelay.ts"

export const relayStream = Effect.fnUntraced(function* (
  gateway: GatewayShape,
  text: TextCall,
  opened: OpenedStream
) {
  const { answer, codec } = opened
  const hold = holdOf(gateway, text, codec)
  const relay = makeRelay(gateway, text, opened, codec, hold)
  gateway.metrics.openStreams++
  const end = yield* relay.ended.pipe(
    Effect.onInterrupt(() => leave(gateway, text, relay, codec, hold)),
    Effect.ensuring(Effect.sync(() => gateway.metrics.openStreams--))
  )
  if (end._tag === "Finished") return yield* Effect.uninterruptible(finish(gateway, text, relay, codec))
  if (isUpstreamsFault(end)) gateway.upstreams.reportBroken(answer)
  else if (isLimited(end)) gateway.upstreams.reportBroken(answer, "429")
  const error = errorOfEnd(gateway, text, end)
  // The model's work up to here was done for a wallet that could pay for it; the rest is not passed on.
  if (end._tag === "Exhausted") {
    const charge = withinHold(chargeOfFinished(codec, billingOf(text)), hold?.meter.covered)
    settleCut(gateway, text.call, charge, error.status, error.type)
  }
  // What is charged ends as a stream, though nothing of it was paid for but its input: whoever is answered 402 has paid nothing.
  if (!relay.started && end._tag !== "Exhausted") {
    relay.abort()
    return yield* error
  }
  recordUncharged(gateway, text.call, error.status, error.type)
  const lostEvents = end._tag === "Exhausted" ? end.lostEvents : 0
  relay.fail(streamErrorFrame(text.call, error, codec, lostEvents))
})

const finish = Effect.fnUntraced(function* (
  gateway: GatewayShape,
  text: TextCall,
  relay: StreamRelay,
  codec: StreamCodec
) {
  const { call, prepared } = text
  if (prepared.isStored) call.noteStored(codec.stored)
  const settled = yield* Effect.result(settle(gateway, call, chargeOfFinished(codec, billingOf(text))))
  if (Result.isSuccess(settled)) return relay.complete()
  if (!relay.started) {
    relay.abort()
    return yield* settled.failure
  }
  relay.fail(streamErrorFrame(call, settled.failure, codec))
})

/**
 * The client has gone: the upstream is broken off, or drained where the provider bills on. What came is charged in full,
 * whatever was held for: whoever leaves behind the last of it has had it all. Where the client is there, it is we who stop.
 */
const leave = (
  gateway: GatewayShape,
  text: TextCall,
  relay: StreamRelay,
  codec: StreamCodec,
  hold: RelayOptions["hold"]
) => {
  const { call, provider } = text
  if (call.client.isOpen) return Effect.sync(() => breakOff(gateway, text, relay, codec))
  if (provider.onClientLeave === "abort" || !codec.contentSeen) {
    return Effect.sync(() => {
      relay.abort()
      settleCut(gateway, call, chargeOfLeft(codec, billingOf(text)), leftStatus, leftType)
    })
  }
  const { drainSeconds } = gateway.models.settings().limits
  const drain = Effect.suspend(() => {
    relay.detach()
    return relay.ended
  }).pipe(
    Effect.timeoutOption(drainSeconds * 1000),
    Effect.flatMap((end) =>
      Effect.sync(() => {
        relay.abort()
        settleCut(gateway, call, chargeOfDrained(end, codec, text, hold), leftStatus, leftType)
      })
    ),
    // A drain that is itself cut short leaves its row all the same.
    Effect.ensuring(
      Effect.sync(() => {
        recordUncharged(gateway, call, leftStatus, leftType)
        logCall(gateway, call)
      })
    )
  )
  call.handedOver = true
  return Effect.asVoid(FiberSet.run(gateway.drains, drain))
}

/** Of what had come to its end at the provider and waited for its hold. */
const breakOff = (
  gateway: GatewayShape,
  { call }: TextCall,
  relay: StreamRelay,
  codec: StreamCodec
): void => {
  relay.abort()
  if (!relay.started) return
  const error = restarting()
  // Before the client's end, after which it would be one that has left.
  recordUncharged(gateway, call, error.status, error.type)
  relay.fail(streamErrorFrame(call, error, codec))
}

/**
 * What breaks off by itself costs nothing, as if the client had stayed; and what its wallet could not pay on costs no more
 * than was held for: nobody has had the rest.
 */
const chargeOfDrained = (
  end: Option.Option<RelayEnd>,
  codec: StreamCodec,
  text: TextCall,
  hold: RelayOptions["hold"]
): Charge | undefined => {
  const tag = Option.isNone(end) ? "Late" : end.value._tag
  if (tag === "Failed" || tag === "Broken") return undefined
  const charge = chargeOfLeft(codec, billingOf(text))
  return charge !== undefined && tag === "Exhausted" ? withinHold(charge, hold?.meter.covered) : charge
}

/** A provider's refusal of what the caller asked says nothing about the route. */
const isUpstreamsFault = (end: RelayEnd): boolean =>
  (end._tag === "Broken" && end.fault.reason !== "cut") ||
  (end._tag === "Failed" && end.failure.type === "api_error")

/** It says within a success that it has too much to do, or that we have used up what is ours. */
const isLimited = (end: RelayEnd): boolean => end._tag === "Failed" && end.failure.type === "rate_limit_error"

const errorOfEnd = (
  gateway: GatewayShape,
  text: TextCall,
  end: Exclude<RelayEnd, { _tag: "Finished" }>
): CallError => {
  switch (end._tag) {
    case "Failed":
      return errorOfFailure(end.failure, text.provider, pairOf(text.prepared.way).clientsField)
    case "Broken":
      return errorOfFault(end.fault)
    case "Exhausted":
      return refusalOf(text.call.refusedHold ?? { _tag: "Insufficient" }, gateway.models.settings().publicUrl)
  }
}

const makeRelay = (
  gateway: GatewayShape,
  text: TextCall,
  { answer, opening }: OpenedStream,
  codec: StreamCodec,
  hold: RelayOptions["hold"]
) => {
  const { call } = text
  const { limits } = gateway.models.settings()
  return new StreamRelay({
    client: call.client,
    upstream: answer.exchange,
    codec,
    headers: () => streamHeaders(text),
    keepAlive: () => keepAliveOf(text, codec),
    hold,
    keepAliveMs: keepAliveDueMs(limits.keepAliveSeconds),
    stalledClientMs: limits.stalledClientSeconds * 1000,
    lastWriteMs: opening.lastWriteMs,
    started: opening.started,
    onFirstByte: (nowMs) => call.noteFirstByte(nowMs),
    watch: gateway.sweeper.watch
  })
}

/** Only tokens run up a cost as a stream goes on. */
const holdOf = (gateway: GatewayShape, text: TextCall, codec: StreamCodec) => {
  const { admitted, call, prepared } = text
  const { rate } = admitted.terms
  if (rate === undefined) return undefined
  const meter = new HoldMeter({
    ledger: gateway.ledger,
    call,
    terms: { ...admitted.terms, rate },
    inputTokens: admitted.inputTokens,
    granted: admitted.granted,
    quantum: gateway.models.settings().limits.holdOutputTokens,
    outputMax: outputEachOf(text) * prepared.answers
  })
  const billing = billingOf(text)
  return { meter, output: () => outputSoFar(codec, billing) }
}
