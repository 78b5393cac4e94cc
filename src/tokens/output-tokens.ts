/** What a stream has produced so far, in tokens, from the counts that the meter kept. */
import type { Model } from "../domain/catalogue.ts"
import type { OutputMeter } from "../formats/meter/output-meter.ts"
import { opaqueCharactersPerTokenMin } from "./frame-tokens.ts"
import { meteredTokens, meteredTokensMax } from "./text-tokens.ts"
import { type TokenizerTraits, traitsOf } from "./tokenizer-traits.ts"

/** The best guess: what a client that left is charged where the upstream's own count did not come. */
export const outputTokens = (meter: OutputMeter, model: Model): number => {
  const traits = traitsOf(model)
  const text = meteredTokens(meter, traits)
  const calls = meter.toolCalls * traits.answerToolCall
  return text + calls === 0 ? 0 : Math.ceil(byEvents(meter, text, traits) + calls + traits.answer)
}

/**
 * Many upstreams send each token in an event of its own. Where the number of events is about what the text suggests,
 * this is such an upstream, and its events are the better count.
 */
const byEvents = (meter: OutputMeter, text: number, traits: TokenizerTraits): number =>
  traits.tokenPerEvent && meter.events >= 0.7 * text && meter.events <= 1.4 * text ? meter.events : text

/** What it hardly falls short of: an answer that is longer than its cap by this count is longer indeed. */
export const outputTokensLeast = (meter: OutputMeter, model: Model): number => {
  const traits = traitsOf(model)
  return Math.max(0, Math.floor(byEvents(meter, meteredTokens(meter, traits), traits) / 1.25) - 8)
}

/** The best guess of what may have so many tokens by its cap: a guess alone does not charge for more, only what surely has come does. */
export const outputTokensWithin = (meter: OutputMeter, model: Model, cap: number): number => {
  const guess = outputTokens(meter, model)
  return guess <= cap || outputTokensLeast(meter, model) > cap ? guess : cap
}

/** What is charged where no count of the upstream's came or, `isNonsense`, none that can be meant. */
export const outputTokensUncounted = (
  meter: OutputMeter,
  model: Model,
  cap: number,
  isNonsense: boolean
): number => (isNonsense ? outputTokensBound(meter, model) : outputTokensWithin(meter, model, cap))

/** Around an answer that has hardly begun. */
const answerMax = 16

/** What the upstream's count hardly exceeds, to tell when a hold must be extended. Reasoning that is not sent is not seen. */
export const outputTokensBound = (meter: OutputMeter, model: Model): number => {
  const traits = traitsOf(model)
  return Math.ceil(
    meteredTokensMax(meter, traits) +
      meter.toolCalls * traits.answerToolCall * 1.5 +
      meter.opaqueCharacters / opaqueCharactersPerTokenMin +
      answerMax
  )
}
