/** What a model costs, and what a call therefore costs. */
import { fromVnd, type MicroVnd } from "./money.ts"
import type { Usage } from "./usage.ts"

export type Price =
  /** VND per 1,000,000 tokens, input and output alike. */
  | { readonly _tag: "PerToken"; readonly perMtokVnd: number }
  /** VND per successful call; per image for image models. */
  | { readonly _tag: "PerRequest"; readonly perRequestVnd: number }

/** µVND for `tokens` tokens: VND per million tokens is µVND per token. */
export const tokensCost = (perMtokVnd: number, tokens: number): MicroVnd =>
  BigInt(perMtokVnd) * BigInt(tokens)

/** µVND of a successful call. `units` is the number of images, 1 for everything else. */
export const callCost = (price: Price, usage: Usage, units = 1): MicroVnd =>
  price._tag === "PerToken"
    ? tokensCost(price.perMtokVnd, usage.inputTokens + usage.outputTokens)
    : fromVnd(BigInt(price.perRequestVnd)) * BigInt(units)
