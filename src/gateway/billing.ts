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

export const billingOf = ({ admitted, model, prepared }: TextCall): Billing => ({
  model,
  inputGuess: prepared.inputGuess,
  limits: usageLimits({
    window: model.contextWindow,
    inputBound: admitted.inputTokens,
    outputEach: admitted.cap + prepared.thinkingBeyondCap,
    answers: prepared.answers,
    rounds: prepared.rounds
  })
})
