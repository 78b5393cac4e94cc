/** What calls cost where more than tokens at one price goes into it, and that their holds cover it. */
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import type { Prepared } from "../../src/compute/prepare-call.ts"
import { noExtras } from "../../src/domain/call.ts"
import type { Model } from "../../src/domain/catalogue.ts"
import { type Particulars, noParticulars } from "../../src/domain/particulars.ts"
import { readTiers, readToolPrices } from "../../src/domain/surcharge-records.ts"
import type { Terms } from "../../src/domain/surcharges.ts"
import { coveredOutput, fixedDemand, tokenDemand } from "../../src/gateway/admission.ts"
import { billOf } from "../../src/gateway/bill.ts"
import type { ResolvedCall } from "../../src/gateway/Call.ts"
import { tokenRate } from "../../src/domain/price.ts"
import { holdTermsOf, plainHold } from "../../src/gateway/hold-terms.ts"
import { catalogue as sold, modelNamed } from "../catalogue.ts"

const surcharges = {
  tiers: readTiers({ priority: 2, flex: 0.5, us: 1.1 }),
  toolPrices: readToolPrices({ web_search: 260, file_search: "65.5" }),
  refusesHostedTools: false
}
const priced = (id: string): Model => ({ ...modelNamed(id), surcharges })

const bill = (id: string, particulars: Partial<Particulars>, terms: Terms = {}, tokens = [100, 10]) => {
  const call = { model: priced(id), sold, terms } as unknown as ResolvedCall
  const usage = { inputTokens: tokens[0]!, outputTokens: tokens[1]! }
  const charge = { usage, units: 1, estimated: false, particulars: { ...noParticulars, ...particulars } }
  return billOf(call, charge)
}

const uncached = { cacheReadTokens: 0, cacheWriteTokens: 0 }
const others = (model: string, inputTokens: number, outputTokens: number, isApart: boolean) => ({
  others: [{ model, inputTokens, ...uncached, outputTokens, isApart }]
})
const searches = { toolUses: [{ tool: "web_search", uses: 3 }] }

describe("a bill", () => {
  // Sonnet costs 6,500, Sol 2,400, Flash 1,500 VND for a million tokens, Sonnet by the request 900 VND.
  it.each<[what: string, id: string, Partial<Particulars>, Terms, cost: bigint]>([
    ["tokens alone", "claude-sonnet-5", {}, {}, 110n * 6_500n],
    ["a dearer tier", "gpt-6.1-sol", {}, { tier: "priority" }, 110n * 4_800n],
    [
      "a tier that was not served",
      "gpt-6.1-sol",
      { served: { tier: "default" } },
      { tier: "priority" },
      110n * 2_400n
    ],
    ["a cheaper tier", "gpt-6.1-sol", { served: { tier: "flex" } }, { tier: "flex" }, 110n * 1_200n],
    ["a region", "claude-sonnet-5", {}, { region: "us" }, 110n * 7_150n],
    ["a fixed price in a dearer tier", "req/claude-sonnet-5", {}, { tier: "priority" }, 1_800_000_000n],
    ["searches", "claude-sonnet-5", searches, {}, 110n * 6_500n + 780_000_000n],
    [
      "searches, which no tier makes dearer",
      "gpt-6.1-sol",
      searches,
      { tier: "priority" },
      110n * 4_800n + 780_000_000n
    ],
    ["searches at a fixed price", "req/claude-sonnet-5", searches, {}, 1_680_000_000n],
    ["tools without a price", "claude-sonnet-5", { toolUses: [{ tool: "mcp", uses: 9 }] }, {}, 110n * 6_500n],
    [
      "an advisor",
      "deepseek-v4-flash",
      others("claude-opus-4-8", 40, 2, true),
      {},
      110n * 1_500n + 42n * 6_500n
    ],
    [
      "a dated advisor",
      "deepseek-v4-flash",
      others("claude-opus-4-8-20260101", 40, 2, true),
      {},
      110n * 1_500n + 42n * 6_500n
    ],
    ["an advisor nobody knows", "claude-sonnet-5", others("claude-x", 40, 2, true), {}, 152n * 6_500n],
    [
      "an advisor at a fixed price",
      "req/claude-sonnet-5",
      others("claude-opus-4-8", 40, 2, true),
      {},
      900_273_000n
    ],
    [
      "a fallback",
      "claude-sonnet-5",
      others("deepseek-v4-flash", 60, 5, false),
      {},
      45n * 6_500n + 65n * 1_500n
    ],
    ["a fallback nobody knows", "claude-sonnet-5", others("claude-x", 60, 5, false), {}, 110n * 6_500n],
    [
      "an advisor nobody knows at a fixed price",
      "req/claude-sonnet-5",
      others("claude-x", 40, 2, true),
      {},
      900_000_000n
    ],
    [
      "a fallback at a fixed price",
      "req/claude-sonnet-5",
      others("claude-opus-4-8", 60, 5, false),
      {},
      900_000_000n
    ]
  ])("of %s (%s)", (_, id, particulars, terms, cost) => {
    assert.strictEqual(bill(id, particulars, terms).cost, cost)
  })

  it("says how it came about", () => {
    const counts = { cacheReadTokens: 5, cacheWriteTokens: 6, reasoningTokens: 7 }
    const { extras } = bill("gpt-6.1-sol", { ...searches, ...counts, served: { tier: "priority" } })
    const toolUses = [{ tool: "web_search", uses: 3, price: 260_000_000n }]
    assert.deepStrictEqual(extras, { ...noExtras, ...counts, tier: "priority", factor: "2", toolUses })
  })

  it("names other models as they are sold, those that nobody knows as their provider does", () => {
    const named = (model: string) =>
      bill("claude-sonnet-5", others(model, 40, 2, true)).extras.others.map((other) => other.model)
    assert.deepStrictEqual(named("claude-opus-4-8-20260101"), ["claude-opus-4-8"])
    assert.deepStrictEqual(named("claude-x"), ["claude-x"])
  })

  it("sums up what is told of one model, and names only so many", () => {
    const cached = { cacheReadTokens: 1, cacheWriteTokens: 2 }
    const advice = (model: string) => ({ model, inputTokens: 3, ...cached, outputTokens: 1, isApart: true })
    const named = Array.from({ length: 1_000 }, () => advice("claude-opus-4-8"))
    const unheard = Array.from({ length: 1_000 }, (_, index) => advice(`m${index}`))
    const { cost, extras } = bill("claude-sonnet-5", { others: [...named, ...unheard] })
    assert.strictEqual(cost, (110n + 2_000n * 4n) * 6_500n)
    assert.lengthOf(extras.others, 17)
    assert.deepStrictEqual(extras.others[0], {
      model: "claude-opus-4-8",
      inputTokens: 3_000,
      cacheReadTokens: 1_000,
      cacheWriteTokens: 2_000,
      outputTokens: 1_000,
      perMtokVnd: 6_500,
      isApart: true
    })
    assert.strictEqual(
      extras.others.reduce((sum, { inputTokens }) => sum + inputTokens, 0),
      6_000
    )
  })

  it("makes a part of a µVND a whole one, once", () => {
    // 3 tokens at 1.1 × 1,500.
    assert.strictEqual(bill("deepseek-v4-flash", {}, { region: "us" }, [2, 1]).cost, 4_950n)
    const odd = { ...priced("deepseek-v4-flash"), price: { _tag: "PerToken", perMtokVnd: 7 } as const }
    const charge = { usage: { inputTokens: 1, outputTokens: 2 }, units: 1, estimated: false }
    assert.strictEqual(
      billOf({ model: odd, sold, terms: { region: "us" } } as unknown as ResolvedCall, charge).cost,
      24n
    )
  })
})

const Count = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 200_000 }))
const Tier = Schema.Literals(["", "priority", "flex", "default", "auto"])
const Uses = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 8 }))
const Id = Schema.Literals(["claude-sonnet-5", "gpt-6.1-sol", "deepseek-v4-flash", "req/claude-sonnet-5"])
const advisor = "claude-opus-4-8"

const askedOf = (
  tier: string,
  usesMax: number,
  region = ""
): Pick<Prepared, "terms" | "hostedTools" | "fallbacks"> => ({
  terms: { tier: tier || undefined, region: region || undefined },
  hostedTools: [
    { tool: "web_search", field: "tools", usesMax, asks: undefined },
    { tool: "advisor", field: "tools", usesMax, asks: { model: advisor, outputTokens: 500 } }
  ],
  fallbacks: ["deepseek-v4-flash", advisor]
})

describe("a hold", () => {
  it.prop(
    "covers all that its call may cost within what it allows",
    [Id, Tier, Uses, Schema.Tuple([Count, Count]), Schema.Boolean],
    ([id, tier, uses, [input, output], fellBack]) => {
      const model = priced(id)
      const asked = askedOf(tier, uses)
      const hold = holdTermsOf({ model, sold }, asked, input)
      const { wanted } =
        hold.rate === undefined
          ? fixedDemand(model.price, 1, hold)
          : tokenDemand({ ...hold, rate: hold.rate }, input, output)
      const served = ["", "auto"].includes(tier) ? "priority" : tier
      const advised = {
        model: advisor,
        inputTokens: uses * input,
        ...uncached,
        outputTokens: uses * 500,
        isApart: true
      }
      const answered = {
        model: advisor,
        inputTokens: input,
        ...uncached,
        outputTokens: output,
        isApart: false
      }
      const { cost } = bill(
        id,
        {
          served: { tier: served },
          toolUses: [{ tool: "web_search", uses }],
          others: fellBack ? [advised, answered] : [advised]
        },
        asked.terms,
        [input, output]
      )
      assert.isTrue(cost <= wanted, `${cost} <= ${wanted}`)
    }
  )

  it.prop(
    "tells how much output it covers: so much, and not one token more",
    [Tier, Schema.Literals(["us", ""]), Uses, Schema.Tuple([Count, Count])],
    ([tier, region, uses, [input, output]]) => {
      const asked = askedOf(tier, uses, region)
      const hold = holdTermsOf({ model: priced("claude-sonnet-5"), sold }, asked, input)
      const byToken = { ...hold, rate: hold.rate! }
      const tokens = Math.max(1, output)
      const { minimum, wanted } = tokenDemand(byToken, input, tokens)
      assert.strictEqual(coveredOutput(byToken, input, wanted), tokens)
      assert.strictEqual(coveredOutput(byToken, input, wanted - 1n), tokens - 1)
      assert.strictEqual(coveredOutput(byToken, input, minimum), 1)
      assert.strictEqual(coveredOutput(byToken, input, tokenDemand(byToken, input, 1, 16).minimum), 16)
    }
  )

  it("covers whatever comes where tokens cost nothing, and no more than it pays for where they cost next to it", () => {
    assert.strictEqual(coveredOutput({ ...plainHold, rate: tokenRate(0) }, 5, 0n), Number.MAX_SAFE_INTEGER)
    assert.strictEqual(coveredOutput({ ...plainHold, rate: tokenRate(1) }, 5, 8n), 3)
  })
})
