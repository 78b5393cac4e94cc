/** What a call has consumed: by the upstream's count where there is one, else by the gateway's own. */
import { noParticulars } from "../domain/particulars.ts"
import type { Usage } from "../domain/usage.ts"
import type { StreamCodec } from "../formats/stream/stream-codec.ts"
import { believeParticulars, believeUsage } from "../tokens/believe-usage.ts"
import {
  outputTokensBound,
  outputTokensLeast,
  outputTokensUncounted,
  outputTokensWithin
} from "../tokens/output-tokens.ts"
import type { Billing } from "./billing.ts"
import type { Charge, ToldUsage } from "./Call.ts"
import type { OutputSoFar } from "./HoldMeter.ts"

/** The charge of a stream that ended well, or that its wallet could not pay on. */
export const chargeOfFinished = (codec: StreamCodec, billing: Billing): Charge => {
  const usage = wholeUsage(codec)
  if (usage === undefined) return ownCount(codec, billing)
  const { disbelieved, usage: believed } = believe(codec, usage, billing)
  const estimated = disbelieved !== undefined
  const particulars = believeParticulars(codec.particulars, !estimated, billing.limits)
  return { usage: believed, units: 1, estimated, particulars, ...(estimated && { disbelieved }) }
}

/** The charge of a stream that its client left; `undefined` before any content. */
export const chargeOfLeft = (codec: StreamCodec, billing: Billing): Charge | undefined =>
  codec.contentSeen ? chargeOfFinished(codec, billing) : undefined

/** What of a charge was held for: output beyond that has not been passed on. */
export const withinHold = (charge: Charge, coveredOutput: number | undefined): Charge => {
  if (coveredOutput === undefined) return charge
  const { inputTokens, outputTokens } = charge.usage
  if (outputTokens <= coveredOutput) return charge
  const usage = { inputTokens, outputTokens: coveredOutput }
  const { others, ...rest } = charge.particulars ?? noParticulars
  // Whose tokens were cut off, nobody can tell; those apart were not.
  const particulars = { ...rest, others: others.filter(({ isApart }) => isApart) }
  return { ...charge, usage, particulars }
}

/** The upstream's count, unless it is only the beginning of one, or no count at all in part. */
const wholeUsage = ({ finished, usage, usageIsFinal = finished, usageIsNonsense }: StreamCodec) =>
  usageIsFinal && usageIsNonsense !== true ? usage : undefined

/** What a hold must cover of a stream's output. */
export const outputSoFar = (codec: StreamCodec, billing: Billing): OutputSoFar => {
  const usage = wholeUsage(codec)
  const told = usage === undefined ? 0 : believe(codec, usage, billing).usage.outputTokens
  if (codec.finished && usage !== undefined) return { bound: told, guess: told, least: told, isWhole: true }
  const { meter } = codec
  const { limits, model } = billing
  return {
    bound: Math.max(told, outputTokensBound(meter, model)),
    guess: Math.max(told, outputTokensWithin(meter, model, limits.outputCap)),
    least: Math.max(told, outputTokensLeast(meter, model)),
    isWhole: false
  }
}

const believe = ({ meter }: StreamCodec, usage: Usage, { limits, model }: Billing) =>
  believeUsage(usage, limits, () => outputTokensBound(meter, model))

const ownCount = (codec: StreamCodec, billing: Billing): Charge => {
  const { inputGuess, limits, model } = billing
  const { meter, usage, usageIsNonsense = false } = codec
  // Some upstreams count the input at the start of the stream, others write a zero there that stands for nothing yet.
  const begun = usage && believe(codec, usage, billing)
  const own = outputTokensUncounted(meter, model, limits.outputCap, usageIsNonsense)
  const disbelieved: ToldUsage | undefined = begun?.disbelieved ?? (usageIsNonsense ? {} : undefined)
  return {
    usage: {
      inputTokens: begun?.usage.inputTokens || inputGuess,
      outputTokens: Math.max(own, begun?.usage.outputTokens ?? 0)
    },
    units: 1,
    estimated: true,
    particulars: believeParticulars(codec.particulars, false, billing.limits),
    ...(disbelieved && { disbelieved })
  }
}
