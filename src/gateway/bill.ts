/** What a call costs in the end, with all that has another price than the model's own. */
import { noExtras } from "../domain/call.ts"
import { formatFactor } from "../domain/factor.ts"
import { noParticulars, type OtherTokens, sumByModel } from "../domain/particulars.ts"
import { callCost, type PricedTokens } from "../domain/price.ts"
import { chargedTerms } from "../domain/surcharges.ts"
import type { Bill, Charge, ResolvedCall, Sold } from "./Call.ts"
import { findOtherModel } from "./find-other-model.ts"

export const billOf = ({ model, sold, terms }: ResolvedCall, charge: Charge): Bill => {
  const { price, surcharges } = model
  const { particulars = noParticulars, units, usage } = charge
  const { cacheReadTokens, cacheWriteTokens, reasoningTokens, served } = particulars
  const { factor, name: tier } = chargedTerms(terms, served, surcharges)
  const toolUses = particulars.toolUses.map(({ tool, uses }) => ({
    tool,
    uses,
    price: surcharges.toolPrices.get(tool)
  }))
  const others = sumByModel(particulars.others).flatMap((other) => priceOther(sold, model, other) ?? [])
  return {
    cost: callCost(price, usage, units, { factor, toolUses, others }),
    extras: {
      ...noExtras,
      cacheReadTokens,
      cacheWriteTokens,
      reasoningTokens,
      tier,
      factor: formatFactor(factor),
      toolUses,
      others
    }
  }
}

/**
 * At the price of the model that is named, where that is sold, else at the called model's. A fixed price stands for the
 * whole of a call but for what is read and written apart from it. `undefined`: it has no price of its own.
 */
const priceOther = (
  sold: Sold,
  called: ResolvedCall["model"],
  other: OtherTokens
): PricedTokens | undefined => {
  const { price } = called
  if (price._tag !== "PerToken" && !other.isApart) return undefined
  const named = other.model === "" ? undefined : findOtherModel(sold, called, other.model)
  const perMtokVnd = named?.price.perMtokVnd ?? (price._tag === "PerToken" ? price.perMtokVnd : undefined)
  if (perMtokVnd === undefined) return undefined
  return { ...other, model: named?.id ?? other.model, perMtokVnd }
}
