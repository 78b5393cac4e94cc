/** Costs are exact products of a price and a count. */
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { parseFactor } from "../../src/domain/factor.ts"
import { formatVnd, fromVnd } from "../../src/domain/money.ts"
import { noUsage } from "../../src/domain/usage.ts"
import { callCost, nothingBeyond, tokenRate, tokensCost } from "../../src/domain/price.ts"

const Tokens = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1_000_000_000 }))
const Vnd = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 10_000_000 }))

describe("price", () => {
  it.each([
    [8_300, 60, 40, "0.83"],
    [8_300, 100_000, 28_000, "1062.4"],
    [8_300, 0, 0, "0"],
    [1, 1, 0, "0.000001"]
  ])(
    "at %s VND per million, %s input and %s output tokens cost %s VND",
    (perMtokVnd, inputTokens, outputTokens, cost) => {
      assert.strictEqual(
        formatVnd(callCost({ _tag: "PerToken", perMtokVnd }, { inputTokens, outputTokens })),
        cost
      )
    }
  )

  it.each([
    ["0.000001", 1, 1n],
    ["0.000001", 1_000_000, 1n],
    ["0.000001", 1_000_001, 2n],
    ["1.000001", 1, 2n],
    ["0.5", 3, 2n],
    ["0.5", 4, 2n]
  ])("times %s, %s µVND are %s: a fraction of one counts as a whole one", (text, tokens, cost) => {
    const factor = parseFactor(text)!
    const usage = { inputTokens: tokens, outputTokens: 0 }
    assert.strictEqual(
      callCost({ _tag: "PerToken", perMtokVnd: 1 }, usage, 1, { ...nothingBeyond, factor }),
      cost
    )
    assert.strictEqual(tokensCost(tokenRate(1, factor), tokens), cost)
  })

  it.prop("a million tokens cost the price itself", [Vnd], ([perMtokVnd]) => {
    assert.strictEqual(tokensCost(tokenRate(perMtokVnd), 1_000_000), fromVnd(BigInt(perMtokVnd)))
  })

  it.prop(
    "costs add up: a call costs what its input and output cost apart",
    [Vnd, Tokens, Tokens],
    ([perMtokVnd, input, output]) => {
      const price = { _tag: "PerToken", perMtokVnd } as const
      assert.strictEqual(
        callCost(price, { inputTokens: input, outputTokens: output }),
        tokensCost(tokenRate(perMtokVnd), input) + tokensCost(tokenRate(perMtokVnd), output)
      )
    }
  )

  it.prop(
    "a fixed price does not depend on tokens, only on the number of images",
    [Vnd, Tokens],
    ([perRequestVnd, tokens]) => {
      const price = { _tag: "PerRequest", perRequestVnd } as const
      const usage = { inputTokens: tokens, outputTokens: tokens }
      assert.strictEqual(callCost(price, usage), fromVnd(BigInt(perRequestVnd)))
      assert.strictEqual(callCost(price, usage, 4), 4n * fromVnd(BigInt(perRequestVnd)))
    }
  )

  it("tokens priced per token do not cost more for being many images", () => {
    const usage = { inputTokens: 10, outputTokens: 20 }
    const price = { _tag: "PerToken", perMtokVnd: 100 } as const
    assert.strictEqual(callCost(price, usage, 4), callCost(price, usage))
  })
})

/** The same reckoned in millionths of a µVND, with what is left over counted as a whole one. */
const dueOf = (millionths: bigint, tokens: ReadonlyArray<readonly [perMtokVnd: number, tokens: number]>) => {
  let due = 0n
  for (const [price, count] of tokens) due += BigInt(price) * BigInt(count) * millionths
  return due / 1_000_000n + (due % 1_000_000n === 0n ? 0n : 1n)
}

describe("what has a price of its own", () => {
  const Count = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 3_000_000 }))
  const Millionths = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 99_999_999 }))
  const Uses = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1_000 }))

  it.prop(
    "is added exactly: tokens at their models' prices, multiplied once, and uses at theirs",
    [Vnd, Vnd, Schema.Tuple([Count, Count, Count, Count]), Millionths, Schema.Tuple([Uses, Vnd])],
    ([own, other, [input, output, within, apart], millionths, [uses, usePrice]]) => {
      const factor = parseFactor(
        `${Math.floor(millionths / 1e6)}.${String(millionths % 1e6).padStart(6, "0")}`
      )!
      const price = fromVnd(BigInt(usePrice))
      const uncached = { cacheReadTokens: 0, cacheWriteTokens: 0 }
      const otherTokens = { model: "other", ...uncached, outputTokens: 0, perMtokVnd: other }
      const cost = callCost(
        { _tag: "PerToken", perMtokVnd: own },
        { inputTokens: input + within, outputTokens: output },
        1,
        {
          factor,
          toolUses: [
            { tool: "web_search", uses, price },
            { tool: "code_execution", uses, price: undefined }
          ],
          others: [
            { ...otherTokens, inputTokens: within, isApart: false },
            { ...otherTokens, inputTokens: apart, isApart: true }
          ]
        }
      )
      const due = dueOf(BigInt(millionths), [
        [own, input],
        [own, output],
        [other, within],
        [other, apart]
      ])
      assert.strictEqual(cost, due + BigInt(uses) * price)
    }
  )

  it.prop(
    "a hold for so many tokens at a rate covers so many",
    [Vnd, Count, Millionths],
    ([own, tokens, millionths]) => {
      const factor = parseFactor(
        `${Math.floor(millionths / 1e6)}.${String(millionths % 1e6).padStart(6, "0")}`
      )!
      const usage = { inputTokens: tokens, outputTokens: 0 }
      const cost = callCost({ _tag: "PerToken", perMtokVnd: own }, usage, 1, { ...nothingBeyond, factor })
      assert.strictEqual(tokensCost(tokenRate(own, factor), tokens), cost)
    }
  )

  it("multiplies a fixed price, too", () => {
    const beyond = { ...nothingBeyond, factor: parseFactor("1.1")! }
    assert.strictEqual(callCost({ _tag: "PerRequest", perRequestVnd: 230 }, noUsage, 1, beyond), 253_000_000n)
  })
})
