/** Which factor a call is charged and held at, and that no call is charged at more than it was held for. */
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { type Factor, formatFactor, larger, parseFactor, times } from "../../src/domain/factor.ts"
import { readTiers, TierFactors, ToolPrices } from "../../src/domain/surcharge-records.ts"
import { chargedTerms, heldFactor, type Terms } from "../../src/domain/surcharges.ts"

const tiers = readTiers({ priority: 2, flex: "0.5", fast: 6, us: 1.1 })

describe("a factor", () => {
  it.each([
    ["2", "2"],
    ["0.5", "0.5"],
    ["1.10", "1.1"],
    ["007.000001", "7.000001"],
    ["20.0", "20"]
  ])("%s is read exactly, and written as %s", (text, written) => {
    assert.strictEqual(formatFactor(parseFactor(text)!), written)
  })

  it.each(["", "0", "0.000", "-1", "1e3", "1,5", ".5", "1.", "1.2345678", "12345", "NaN"])(
    "is not read from %j",
    (text) => {
      assert.isUndefined(parseFactor(text))
    }
  )

  const Decimal = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 9_999_999_999 }))
  const factorOf = (millionths: number) =>
    parseFactor(`${Math.floor(millionths / 1_000_000)}.${String(millionths % 1_000_000).padStart(6, "0")}`)!

  it.prop(
    "is a count of millionths, also in products and comparisons",
    [Decimal, Decimal],
    ([left, right]) => {
      const millionths = ({ denominator, numerator }: Factor, unit: bigint) =>
        (numerator * unit) / denominator
      const [one, other] = [factorOf(left), factorOf(right)]
      assert.strictEqual(millionths(one, 1_000_000n), BigInt(left))
      assert.strictEqual(millionths(times(one, other), 1_000_000_000_000n), BigInt(left) * BigInt(right))
      assert.strictEqual(millionths(larger(one, other), 1_000_000n), BigInt(Math.max(left, right)))
    }
  )
})

describe("the terms that are charged", () => {
  it.each<[asked: Terms, served: Terms, name: string, factor: string]>([
    [{}, {}, "", "1"],
    [{ tier: "priority" }, {}, "priority", "2"],
    [{ tier: "priority" }, { tier: "priority" }, "priority", "2"],
    [{ tier: "priority" }, { tier: "default" }, "", "1"],
    [{ tier: "priority" }, { tier: "standard" }, "", "1"],
    [{ tier: "priority" }, { tier: "auto" }, "priority", "2"],
    [{ tier: "priority" }, { tier: "unheard-of" }, "priority", "2"],
    [{ tier: "priority" }, { tier: "standard_only" }, "", "1"],
    [{ tier: "priority" }, { tier: "not_available" }, "priority", "2"],
    [{ tier: "standard_only" }, {}, "", "1"],
    [{}, { tier: "not_available" }, "", "1"],
    [{ tier: "flex" }, { tier: "flex" }, "flex", "0.5"],
    [{ tier: "flex" }, { tier: "default" }, "", "1"],
    [{ tier: "flex" }, {}, "flex", "0.5"],
    [{ tier: "priority" }, { tier: "flex" }, "flex", "0.5"],
    [{ tier: "auto" }, { tier: "priority" }, "priority", "2"],
    [{}, { tier: "priority" }, "priority", "2"],
    [{}, { tier: "unheard-of" }, "unheard-of", "1"],
    [{ tier: "auto" }, { tier: "unheard-of" }, "unheard-of", "1"],
    [{ tier: "default" }, { tier: "default" }, "", "1"],
    [{ tier: "flex" }, { tier: "on_demand" }, "", "1"],
    [{ speed: "fast" }, { speed: "fast", tier: "standard" }, "fast", "6"],
    [{ speed: "fast" }, { speed: "standard" }, "", "1"],
    [{}, { speed: "fast" }, "", "1"],
    [{ region: "us" }, { region: "us" }, "us", "1.1"],
    [{ region: "us" }, { region: "not_available" }, "us", "1.1"],
    [{ region: "us" }, { region: "global" }, "", "1"],
    [{}, { region: "us" }, "", "1"],
    [{ tier: "priority", speed: "fast", region: "us" }, {}, "priority+fast+us", "13.2"]
  ])("asked %j and served %j are %j at %s", (asked, served, name, factor) => {
    const charged = chargedTerms(asked, served, { tiers })
    assert.deepStrictEqual([charged.name, formatFactor(charged.factor)], [name, factor])
  })

  const Tier = Schema.Literals(["", "auto", "default", "priority", "flex", "unpriced"])
  const Choice = Schema.Literals(["", "standard", "fast", "us", "unpriced"])
  const Served = Schema.Literals(["as asked", "standard", "priority", "nothing said"])

  it.prop(
    "are never dearer than what was held for them, whatever a provider serves",
    [Tier, Choice, Choice, Served],
    ([tier, speed, region, served]) => {
      const asked = { tier: tier || undefined, speed: speed || undefined, region: region || undefined }
      // Nobody who has named a tier gets a dearer one.
      const isOpen = tier === "" || tier === "auto"
      const servedAs: Record<typeof served, Terms> = {
        "as asked": asked,
        standard: { tier: "default", speed: "standard", region: "global" },
        priority: isOpen ? { ...asked, tier: "priority" } : asked,
        "nothing said": {}
      }
      const held = heldFactor(asked, { tiers })
      const { factor } = chargedTerms(asked, servedAs[served], { tiers })
      assert.strictEqual(formatFactor(larger(held, factor)), formatFactor(held))
    }
  )

  it("hold for what a provider may serve unasked", () => {
    assert.strictEqual(formatFactor(heldFactor({}, { tiers })), "2")
    for (const asked of [{}, { tier: "auto" }])
      assert.strictEqual(formatFactor(heldFactor(asked, { tiers: readTiers({ scale: 3 }) })), "3")
    assert.strictEqual(formatFactor(heldFactor({ tier: "default" }, { tiers })), "1")
    assert.strictEqual(formatFactor(heldFactor({ tier: "flex" }, { tiers })), "1")
    assert.strictEqual(
      formatFactor(heldFactor({ tier: "default", speed: "fast", region: "us" }, { tiers })),
      "6.6"
    )
  })
})

describe("surcharges as they are written", () => {
  const isTiers = Schema.is(TierFactors)
  const isPrices = Schema.is(ToolPrices)

  it.each([{}, { priority: 2, us: "1.15" }, { fast: 0.000_001 * 500_000 }])("%j are factors", (value) => {
    assert.isTrue(isTiers(value))
  })

  it.each([
    { default: 2 },
    { auto: 1 },
    { Priority: 2 },
    { "": 1 },
    { fast: 0 },
    { fast: -1 },
    { fast: "six" }
  ])("%j are none", (value) => {
    assert.isFalse(isTiers(value))
  })

  it("prices may have parts of a dong, and may be nothing", () => {
    assert.isTrue(isPrices({ web_search: 260, file_search: "65.5", code_execution: 0 }))
    for (const bad of [
      { web_search: -1 },
      { web_search: "1.1234567" },
      { web_search: 1e10 },
      { "web search": 1 }
    ])
      assert.isFalse(isPrices(bad), JSON.stringify(bad))
  })
})
