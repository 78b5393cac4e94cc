/** What a stream has produced so far, in tokens, from the counts that the meter kept. */
import type { Model } from "../domain/catalogue.ts"
import type { OutputMeter } from "../formats/output-meter.ts"
import { meteredTokens, meteredTokensMax } from "./text-tokens.ts"
import { traitsOf } from "./tokenizer-traits.ts"

/** The best guess: what a client that left is charged where the upstream's own count did not come. */
export const outputTokens = (meter: OutputMeter, model: Model): number => {
  const traits = traitsOf(model)
  const tokens = meteredTokens(meter, traits) + meter.toolCalls * traits.answerToolCall
  return tokens === 0 ? 0 : Math.ceil(tokens + traits.answer)
}

/** Around an answer that has hardly begun. */
const answerMax = 16

/** Encrypted reasoning: characters for each token that it stands for. */
const opaqueCharactersPerToken = 4

/** What the upstream's count hardly exceeds, to tell when a hold must be extended. Reasoning that is not sent is not seen. */
export const outputTokensBound = (meter: OutputMeter, model: Model): number => {
  const traits = traitsOf(model)
  return Math.ceil(
    meteredTokensMax(meter, traits) +
      meter.toolCalls * traits.answerToolCall * 1.5 +
      meter.opaqueCharacters / opaqueCharactersPerToken +
      answerMax
  )
}
