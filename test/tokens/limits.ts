/** What of a provider's count is believed, where a test is not about that. */
import type { Model } from "../../src/domain/catalogue.ts"
import { type CallSize, type UsageLimits, usageLimits } from "../../src/tokens/believe-usage.ts"

/** Of a plain call without a cap, unless it says more. */
export const limitsOf = (model: Model, more: Partial<CallSize> = {}): UsageLimits =>
  usageLimits({
    window: model.contextWindow,
    inputBound: 60,
    outputEach: model.maxOutputTokens ?? 128_000,
    answers: 1,
    rounds: 1,
    ...more
  })
