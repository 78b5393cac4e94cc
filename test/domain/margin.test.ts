/** What is left of a revenue, at the edges that a month of calls hardly has: losses, halves, and floors that are just met. */
import { assert, describe, it } from "@effect/vitest"
import { type Counts, MarginSum, revenueAt } from "../../src/domain/margin.ts"
import { type UnitCosts, unitScale } from "../../src/domain/purchase-price.ts"

const nothing: Counts = {
  calls: 1n,
  input: 0n,
  cacheRead: 0n,
  cacheWrite: 0n,
  output: 0n,
  uses: 0n,
  revenue: 0n
}
const free: UnitCosts = { input: 0n, cacheRead: 0n, cacheWrite: 0n, output: 0n, use: 0n }
/** A µVND for each token of the input. */
const perToken = { ...free, input: unitScale }

const marginOf = (revenue: bigint, cost: bigint, floor = "0") => {
  const sum = new MarginSum()
  sum.add({ ...nothing, revenue, input: cost }, perToken)
  return sum.tell(floor)
}

describe("a margin", () => {
  it.each<[revenue: bigint, cost: bigint, percent: string | undefined]>([
    [10_000n, 6_937n, "30.63"],
    [8n, 7n, "12.5"],
    [100n, 0n, "100"],
    [100n, 150n, "-50"],
    [100n, 350n, "-250"],
    [20_000n, 19_999n, "0.01"],
    [20_000n, 20_001n, "-0.01"],
    [40_000n, 40_001n, "0"],
    [7n, 7n, "0"],
    [0n, 5n, undefined]
  ])("of %s at a cost of %s is %s per cent, halves away from zero", (revenue, cost, percent) => {
    const margin = marginOf(revenue, cost)
    assert.deepStrictEqual([margin.percent, margin.margin], [percent, revenue - cost])
  })

  it.each<[revenue: bigint, cost: bigint, floor: string, isBelow: boolean]>([
    [100n, 70n, "30", false],
    [100n, 70n, "30.01", true],
    [10_000n, 9_950n, "0.5", false],
    [10_000n, 9_951n, "0.5", true],
    [100n, 105n, "-5", false],
    [100n, 106n, "-5", true],
    // Given away, whatever the floor.
    [0n, 1n, "-100", true],
    [0n, 0n, "30", false]
  ])("of %s at a cost of %s, the floor at %s, is below it: %s", (revenue, cost, floor, isBelow) => {
    assert.strictEqual(marginOf(revenue, cost, floor).isBelow, isBelow)
  })

  it("has its cost rounded once, however many fractions it is made of", () => {
    const sum = new MarginSum()
    const half = { ...free, output: unitScale / 2n }
    const costs = [1, 2, 3].map(() => {
      sum.add({ ...nothing, revenue: 10n, output: 1n }, half)
      return sum.tell("0").cost
    })
    assert.deepStrictEqual(costs, [1n, 1n, 2n])
  })

  it("leaves out what has no price, and says how much that is", () => {
    const sum = new MarginSum()
    sum.add({ ...nothing, revenue: 100n, input: 60n }, perToken)
    sum.add({ ...nothing, calls: 2n, revenue: 900n, input: 1n }, undefined)
    assert.deepStrictEqual(sum.tell("0"), {
      calls: 3n,
      revenue: 1_000n,
      cost: 60n,
      margin: 40n,
      percent: "40",
      isBelow: false,
      unpricedCalls: 2n,
      unpricedRevenue: 900n
    })
  })
})

describe("a revenue at another price", () => {
  const counts = { ...nothing, input: 1n, cacheRead: 2n, cacheWrite: 3n, output: 4n, uses: 2n, revenue: 50n }
  const plain = { factor: "1", mix: "" }

  it("is what all tokens cost at it, or all calls, on the terms they were sold by", () => {
    const price = { former: 5, price: 7 }
    assert.strictEqual(revenueAt(counts, plain, { isPerToken: true, ...price }), 70n)
    assert.strictEqual(revenueAt(counts, { ...plain, factor: "1.5" }, { isPerToken: true, ...price }), 105n)
    assert.strictEqual(revenueAt(counts, plain, { isPerToken: false, ...price }), 14_000_000n)
  })

  it("changes with the price alone, where other things were sold with it", () => {
    const mixed = { factor: "1", mix: "tool:web_search" }
    const at = (price: number) => revenueAt(counts, mixed, { isPerToken: true, former: 5, price })
    assert.deepStrictEqual([at(5), at(7), at(4)], [50n, 70n, 40n])
  })
})
