/** What a call has consumed: by the upstream's count where there is one, else by the gateway's own. */
import type { Model } from "../domain/catalogue.ts"
import type { Usage } from "../domain/usage.ts"
import type { StreamCodec } from "../formats/stream/stream-codec.ts"
import { outputTokens, outputTokensBound } from "../tokens/output-tokens.ts"
import type { Charge } from "./Call.ts"
import type { OutputSoFar } from "./HoldMeter.ts"

/** The charge of a stream that ended well. */
export const chargeOfFinished = (codec: StreamCodec, model: Model, inputGuess: number): Charge => {
  const usage = wholeUsage(codec)
  return usage === undefined ? ownCount(codec, model, inputGuess) : { usage, units: 1, estimated: false }
}

/** The charge of a stream that its client left, or that its wallet could not pay on; `undefined` before any content. */
export const chargeOfLeft = (codec: StreamCodec, model: Model, inputGuess: number): Charge | undefined =>
  codec.contentSeen ? chargeOfFinished(codec, model, inputGuess) : undefined

/** What of a charge was held for: output beyond that has not been passed on. */
export const withinHold = (
  charge: Charge | undefined,
  coveredOutput: number | undefined
): Charge | undefined => {
  if (charge === undefined || coveredOutput === undefined) return charge
  const { inputTokens, outputTokens } = charge.usage
  return { ...charge, usage: { inputTokens, outputTokens: Math.min(outputTokens, coveredOutput) } }
}

/** The upstream's count, unless it is only the beginning of one. */
const wholeUsage = ({ finished, usage, usageIsFinal = finished }: StreamCodec): Usage | undefined =>
  usageIsFinal ? usage : undefined

/** What a hold must cover of a stream's output. */
export const outputSoFar = (codec: StreamCodec, model: Model): OutputSoFar => {
  const told = wholeUsage(codec)?.outputTokens
  if (codec.finished && told !== undefined) return { bound: told, guess: told }
  return {
    bound: Math.max(told ?? 0, outputTokensBound(codec.meter, model)),
    guess: Math.max(told ?? 0, outputTokens(codec.meter, model))
  }
}

const ownCount = (codec: StreamCodec, model: Model, inputGuess: number): Charge => ({
  usage: {
    // Some upstreams count the input at the start of the stream, others write a zero there that stands for nothing yet.
    inputTokens: codec.usage?.inputTokens || inputGuess,
    outputTokens: Math.max(outputTokens(codec.meter, model), codec.usage?.outputTokens ?? 0)
  },
  units: 1,
  estimated: true
})
