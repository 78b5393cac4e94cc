/** What a model costs, and what a call therefore costs. */
import { type Factor, one } from "./factor.ts"
import { fromVnd, type MicroVnd } from "./money.ts"
import type { Usage } from "./usage.ts"

export type Price =
  /** VND per 1,000,000 tokens, input and output alike. */
  | { readonly _tag: "PerToken"; readonly perMtokVnd: number }
  /** VND per successful call; per image for image models. */
  | { readonly _tag: "PerRequest"; readonly perRequestVnd: number }

/** What a price is for, as it is named outside. */
const units = { PerToken: "mtok", PerRequest: "request" } as const satisfies Record<Price["_tag"], string>

export type Unit = (typeof units)[Price["_tag"]]

export const unitOf = ({ _tag }: Price): Unit => units[_tag]

/** Whole dong that no price is beyond: one that was meant in µVND is refused. */
export const priceVndMax = 1_000_000_000

/** VND for as much as the price is for. */
export const vndOf = (price: Price): number =>
  price._tag === "PerToken" ? price.perMtokVnd : price.perRequestVnd

/** Uses of a tool at the price of each; `undefined` where none is set, and they cost nothing. */
export interface PricedUses {
  readonly tool: string
  readonly uses: number
  readonly price: MicroVnd | undefined
}

/** Tokens of another model at its own price. */
export interface PricedTokens {
  readonly model: string
  readonly inputTokens: number
  /** Parts of the input, which cost as much. */
  readonly cacheReadTokens: number
  readonly cacheWriteTokens: number
  readonly outputTokens: number
  readonly perMtokVnd: number
  /** They do not stand among the tokens of the call. */
  readonly isApart: boolean
}

/** What of a call has another price than its model's. */
export interface Beyond {
  /** What all but the uses of tools is multiplied by. */
  readonly factor: Factor
  readonly toolUses: ReadonlyArray<PricedUses>
  readonly others: ReadonlyArray<PricedTokens>
}

export const nothingBeyond: Beyond = { factor: one, toolUses: [], others: [] }

/** µVND for one token, exactly: VND per million tokens is µVND per token. */
export interface TokenRate {
  readonly numerator: bigint
  readonly denominator: bigint
}

export const tokenRate = (perMtokVnd: number, factor: Factor = one): TokenRate => ({
  numerator: BigInt(perMtokVnd) * factor.numerator,
  denominator: factor.denominator
})

/** µVND for `tokens` tokens; a fraction of a µVND counts as a whole one. */
export const tokensCost = ({ denominator, numerator }: TokenRate, tokens: number): MicroVnd =>
  ceilDiv(numerator * BigInt(tokens), denominator)

/**
 * µVND of a successful call. `units` is the number of images, 1 for everything else. All is added up before it is
 * multiplied, so that at most one fraction of a µVND is made whole, and only where a factor makes one.
 */
export const callCost = (price: Price, usage: Usage, units = 1, beyond: Beyond = nothingBeyond): MicroVnd => {
  const { factor, others, toolUses } = beyond
  const flat =
    price._tag === "PerToken"
      ? BigInt(price.perMtokVnd) * BigInt(ownTokens(usage, others))
      : fromVnd(BigInt(price.perRequestVnd)) * BigInt(units)
  const whole = others.reduce((sum, each) => sum + BigInt(each.perMtokVnd) * BigInt(tokensOf(each)), flat)
  return ceilDiv(whole * factor.numerator, factor.denominator) + usesCost(toolUses)
}

/** µVND. */
const usesCost = (toolUses: ReadonlyArray<PricedUses>): MicroVnd =>
  toolUses.reduce((sum, { price, uses }) => sum + (price ?? 0n) * BigInt(uses), 0n)

/** Those of the called model's own price. */
const ownTokens = (usage: Usage, others: ReadonlyArray<PricedTokens>): number =>
  others.reduce((own, each) => (each.isApart ? own : own - tokensOf(each)), tokensOf(usage))

const tokensOf = ({ inputTokens, outputTokens }: Usage): number => inputTokens + outputTokens

const ceilDiv = (dividend: bigint, divisor: bigint): bigint =>
  divisor === 1n ? dividend : (dividend + divisor - 1n) / divisor
