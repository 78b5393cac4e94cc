/** What a part of calls is bought for on a day: of which price, at which rate, by which factor. */
import { assert, describe, it } from "@effect/vitest"
import {
  type ExchangeRate,
  type Part,
  PriceBook,
  type PurchasePrice,
  scaled,
  type UnitCosts,
  unitScale
} from "../../src/domain/purchase-price.ts"
import { purchasePrice } from "../dashboard/bought-calls.ts"

const price = (more: Partial<PurchasePrice>): PurchasePrice =>
  purchasePrice({ model: "m", currency: "VND", fromDay: "2026-11-01", ...more })
const dollars = (vnd: string, fromDay = "2026-11-01"): ExchangeRate => ({ currency: "USD", vnd, fromDay })
const own: Part = { id: "1", route: "r", model: "m", factor: "1", mix: "", part: "" }

/** In millionths of a µVND. */
const costs = (units: UnitCosts) => {
  const millionths = (cost: bigint) => Number((cost * 1_000_000n) / unitScale) / 1_000_000
  const { cacheRead, cacheWrite, input, output, use } = units
  return [input, cacheRead, cacheWrite, output, use].map(millionths)
}
const told = (prices: ReadonlyArray<PurchasePrice>, part: Partial<Part> = {}, day = "2026-11-20") => {
  const priced = new PriceBook(prices, [dollars("26000.5")]).unitsOf({ ...own, ...part }, day)
  return priced._tag === "Priced" ? costs(priced.units) : priced
}
const all = { input: "3", cacheRead: "0.3", cacheWrite: "3.75", output: "15", perRequest: "0.25" }

describe("what a part is bought for", () => {
  it("is a µVND for each VND that a million tokens cost, and VND for requests, in the currency's rate", () => {
    assert.deepStrictEqual(told([price(all)]), [3, 0.3, 3.75, 15, 250_000])
    assert.deepStrictEqual(
      told([price({ ...all, currency: "USD" })]),
      [78_001.5, 7_800.15, 97_501.875, 390_007.5, 6_500_125_000]
    )
  })

  it("is for cached tokens what it is for others, where nothing else is said", () => {
    assert.deepStrictEqual(told([price({ input: "3" })]), [3, 3, 3, 0, 0])
    assert.deepStrictEqual(told([price({ input: "3", cacheRead: "0" })]), [3, 0, 3, 0, 0])
  })

  it("is by the factor that it was sold by, but for the uses of tools", () => {
    assert.deepStrictEqual(told([price(all)], { factor: "1.1" }), [3.3, 0.33, 4.125, 16.5, 275_000])
    const searched = price({ ...all, tools: { web_search: "10" } })
    assert.deepStrictEqual(
      told([searched], { part: "tool:web_search", factor: "1.1" }),
      [0, 0, 0, 0, 10_000_000]
    )
  })

  it("is of another model that was asked what that one costs by the same route", () => {
    const prices = [price({ input: "1" }), price({ model: "n", input: "2" })]
    assert.deepStrictEqual(told(prices, { part: "model:n" }), [2, 2, 2, 0, 0])
  })

  it("is its route's own, else that of all routes", () => {
    const prices = [price({ route: "r", input: "2" }), price({ input: "1" })]
    assert.deepStrictEqual(told(prices), [2, 2, 2, 0, 0])
    assert.deepStrictEqual(told(prices, { route: "other" }), [1, 1, 1, 0, 0])
  })

  it("is not known without a price, one for the tool, or a rate", () => {
    const none = { _tag: "NoPrice" }
    assert.deepStrictEqual<unknown>(told([price({})], { model: "n" }), none)
    assert.deepStrictEqual<unknown>(told([price({})], { part: "model:n" }), none)
    assert.deepStrictEqual<unknown>(told([price({})], { part: "tool:web_search" }), none)
    assert.deepStrictEqual<unknown>(told([price({ currency: "CNY" })]), { _tag: "NoRate", currency: "CNY" })
  })
})

describe("a day", () => {
  it("has the price and the rate that began last by then, and of one day the one entered last", () => {
    const prices = [
      price({ input: "1" }),
      price({ input: "3", fromDay: "2026-11-10" }),
      price({ input: "4", fromDay: "2026-11-10" }),
      price({ input: "2", fromDay: "2026-11-05" })
    ]
    const inputs = ["2026-11-04", "2026-11-05", "2026-11-09", "2026-11-10", "2026-12-01"].map(
      (day) => (told(prices, {}, day) as ReadonlyArray<number>)[0]
    )
    assert.deepStrictEqual(inputs, [1, 2, 2, 4, 4])
    assert.deepStrictEqual<unknown>(told(prices, {}, "2026-10-31"), { _tag: "NoPrice" })
    const early = new PriceBook([price({ currency: "USD" })], [dollars("1", "2026-11-02")])
    assert.strictEqual(early.unitsOf(own, "2026-11-01")._tag, "NoRate")
    assert.strictEqual(early.unitsOf(own, "2026-11-02")._tag, "Priced")
  })

  it("on which a price or a rate begins is told once, in their order", () => {
    const prices = ["2026-11-10", "2026-11-01", "2026-11-10"].map((fromDay) => price({ fromDay }))
    const { days } = new PriceBook(prices, [dollars("1", "2026-11-05"), dollars("2", "2026-11-01")])
    assert.deepStrictEqual(days, ["2026-11-01", "2026-11-05", "2026-11-10"])
  })
})

describe("a decimal", () => {
  it("is read to its last place, never rounded", () => {
    assert.deepStrictEqual([scaled("12.5", 3), scaled("7", 0), scaled("0.001", 3)], [12_500n, 7n, 1n])
    const least = price({ currency: "USD", input: "0.000000001" })
    const priced = new PriceBook([least], [dollars("0.000001")]).unitsOf(
      { ...own, factor: "0.000000000000000001" },
      "2026-11-20"
    )
    assert.deepInclude(priced, { units: { input: 1n, cacheRead: 1n, cacheWrite: 1n, output: 0n, use: 0n } })
  })

  it.each(["", "1.2345", "-1", "1e3", "1x", "x1"])("is not %j", (text) => {
    assert.throws(() => scaled(text, 3), `No such decimal: ${text}`)
  })
})
