/**
 * What is left of the revenue when the providers are paid.
 *
 * A cost is the exact product of counts, prices, rates and factors. Costs are added up as they are and rounded once, half a
 * µVND up, in each figure that is shown; so a total need not be the sum of rounded rows. Calls of which a part has no price,
 * or no rate of its currency, are told apart: they are in neither the cost nor the margin.
 */
import { type MicroVnd, microVndPerVnd } from "./money.ts"
import {
  factorDecimals,
  type Part,
  type PriceBook,
  scaled,
  type UnitCosts,
  unitScale
} from "./purchase-price.ts"

/** Sums of what was used of a part, and what it was sold for. */
export interface Counts {
  readonly calls: bigint
  /** Neither read from a cache nor written to one. */
  readonly input: bigint
  readonly cacheRead: bigint
  readonly cacheWrite: bigint
  readonly output: bigint
  readonly uses: bigint
  readonly revenue: MicroVnd
}

export interface Margin {
  readonly calls: bigint
  readonly revenue: MicroVnd
  /** Of what has a price; so is the margin. */
  readonly cost: MicroVnd
  readonly margin: MicroVnd
  /** Of the revenue that has a cost, rounded to two decimals; `undefined` without any. */
  readonly percent: string | undefined
  /** It is less than the floor. */
  readonly isBelow: boolean
  readonly unpricedCalls: bigint
  readonly unpricedRevenue: MicroVnd
}

/** µVND times `unitScale`. */
export const costOf = (counts: Counts, units: UnitCosts): bigint =>
  counts.input * units.input +
  counts.cacheRead * units.cacheRead +
  counts.cacheWrite * units.cacheWrite +
  counts.output * units.output +
  counts.uses * units.use

/** Adds up one figure. */
export class MarginSum {
  #calls = 0n
  #revenue = 0n
  /** Times `unitScale`. */
  #cost = 0n
  #unpricedCalls = 0n
  #unpricedRevenue = 0n

  /** Without units it has no price. */
  add(counts: Counts, units: UnitCosts | undefined): void {
    this.#calls += counts.calls
    this.#revenue += counts.revenue
    if (units === undefined) {
      this.#unpricedCalls += counts.calls
      this.#unpricedRevenue += counts.revenue
    } else this.#cost += costOf(counts, units)
  }

  /** `floor` is a percentage of two decimals at most. */
  tell(floor: string): Margin {
    const revenue = this.#revenue - this.#unpricedRevenue
    const left = revenue * unitScale - this.#cost
    const cost = (2n * this.#cost + unitScale) / (2n * unitScale)
    return {
      calls: this.#calls,
      revenue: this.#revenue,
      cost,
      margin: revenue - cost,
      percent: revenue === 0n ? undefined : percentOf(left, revenue * unitScale),
      isBelow: 10_000n * left < hundredthsOf(floor) * revenue * unitScale,
      unpricedCalls: this.#unpricedCalls,
      unpricedRevenue: this.#unpricedRevenue
    }
  }
}

/** VND for a million tokens, or for a call or an image. */
export interface NewPrice {
  readonly isPerToken: boolean
  /** As it is sold by then. */
  readonly former: number
  readonly price: number
}

/**
 * What these calls would have been sold for, whatever they were sold at. What of the revenue is of tools and of other models,
 * whose prices stay, the sums do not tell: calls with these are taken to have been sold at the former price.
 */
export const revenueAt = (
  { cacheRead, cacheWrite, input, output, revenue, uses }: Counts,
  { factor, mix }: Pick<Part, "factor" | "mix">,
  { former, isPerToken, price }: NewPrice
): MicroVnd => {
  const units = isPerToken ? input + cacheRead + cacheWrite + output : uses * microVndPerVnd
  const sold = (vnd: number) =>
    (units * BigInt(vnd) * scaled(factor, factorDecimals)) / 10n ** BigInt(factorDecimals)
  return mix === "" ? sold(price) : revenue + sold(price - former)
}

/** `-12.5`: halves away from zero. */
const percentOf = (amount: bigint, whole: bigint): string => {
  const magnitude = amount < 0n ? -amount : amount
  const hundredths = (2n * 10_000n * magnitude + whole) / (2n * whole)
  const fraction = (hundredths % 100n).toString().padStart(2, "0").replace(/0+$/, "")
  const sign = amount < 0n && hundredths > 0n ? "-" : ""
  return `${sign}${hundredths / 100n}${fraction === "" ? "" : `.${fraction}`}`
}

const hundredthsOf = (percent: string): bigint =>
  percent.startsWith("-") ? -scaled(percent.slice(1), 2) : scaled(percent, 2)

/** Of a part on a day, as long as all the others of its calls have a price as well. */
export const unitsWithin = (book: PriceBook, part: Part, day: string): UnitCosts | undefined => {
  if (part.mix === "?") return undefined
  const others = part.mix === "" ? [] : part.mix.split("\n")
  const isWhole = ["", ...others].every(
    (each) => book.unitsOf({ ...part, part: each }, day)._tag === "Priced"
  )
  const own = book.unitsOf(part, day)
  return isWhole && own._tag === "Priced" ? own.units : undefined
}
