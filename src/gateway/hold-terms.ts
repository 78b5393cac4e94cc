/** What a call's hold is reckoned by: the dearest that it may be served at, and what comes on top of its tokens. */
import type { Prepared } from "../compute/prepare-call.ts"
import { type Factor, one } from "../domain/factor.ts"
import type { MicroVnd } from "../domain/money.ts"
import { type Price, type TokenRate, tokenRate, tokensCost } from "../domain/price.ts"
import { chargedTerms, heldFactor, standardTerms } from "../domain/surcharges.ts"
import type { ResolvedCall } from "./Call.ts"
import { findOtherModel } from "./find-other-model.ts"

export interface HoldTerms {
  readonly factor: Factor
  /** Of the dearest model that may answer; `undefined` at a fixed price. */
  readonly rate: TokenRate | undefined
  /** µVND for the uses of tools and for what other models read and write in them. */
  readonly besides: MicroVnd
}

/** Of what has nothing but its fixed price. */
export const plainHold: HoldTerms = { factor: one, rate: undefined, besides: 0n }

/** Of a call whose answer tells no terms: what was asked for is charged. */
export const askedHold = ({ model, terms }: ResolvedCall): HoldTerms => ({
  ...plainHold,
  factor: chargedTerms(terms, standardTerms, model.surcharges).factor
})

type Asked = Pick<Prepared, "terms" | "hostedTools" | "fallbacks">

export const holdTermsOf = (
  { model, sold }: Pick<ResolvedCall, "model" | "sold">,
  { fallbacks, hostedTools, terms }: Asked,
  inputTokens: number
): HoldTerms => {
  const factor = heldFactor(terms, model.surcharges)
  const priceOf = (name: string) =>
    findOtherModel(sold, model, name)?.price.perMtokVnd ?? tokenPrice(model.price) ?? 0
  const own = tokenPrice(model.price)
  const rate = own === undefined ? undefined : tokenRate(Math.max(own, ...fallbacks.map(priceOf)), factor)
  let besides = 0n
  for (const { asks, tool, usesMax } of hostedTools) {
    besides += (model.surcharges.toolPrices.get(tool) ?? 0n) * BigInt(usesMax)
    if (asks !== undefined)
      besides += tokensCost(
        tokenRate(priceOf(asks.model), factor),
        usesMax * (inputTokens + asks.outputTokens)
      )
  }
  return { factor, rate, besides }
}

const tokenPrice = (price: Price): number | undefined =>
  price._tag === "PerToken" ? price.perMtokVnd : undefined
