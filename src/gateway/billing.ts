/** What is known of a text call, however it ends, when it is charged. */
import type { Model } from "../domain/catalogue.ts"
import { type UsageLimits, usageLimits } from "../tokens/believe-usage.ts"
import type { TextCall } from "./TextCall.ts"

export interface Billing {
  readonly model: Model
  /** Tokens of input, where the upstream gives no count. */
  readonly inputGuess: number
  /** What of an upstream's count can be. */
  readonly limits: UsageLimits
}

export const billingOf = (text: TextCall): Billing => ({
  model: text.call.model,
  inputGuess: text.prepared.inputGuess,
  limits: usageLimits({
    window: text.call.model.contextWindow,
    inputBound: text.admitted.inputTokens,
    outputEach: outputEachOf(text),
    answers: text.prepared.answers,
    rounds: text.prepared.rounds
  })
})

/** Tokens that one of its answers may have, thoughts included. */
export const outputEachOf = ({ admitted, prepared }: TextCall): number =>
  admitted.cap + prepared.thinkingBeyondCap
