/** Costs are exact products of a price and a count. */
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { formatVnd, fromVnd } from "../../src/domain/money.ts"
import { callCost, tokensCost } from "../../src/domain/price.ts"

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

  it.prop("a million tokens cost the price itself", [Vnd], ([perMtokVnd]) => {
    assert.strictEqual(tokensCost(perMtokVnd, 1_000_000), fromVnd(BigInt(perMtokVnd)))
  })

  it.prop(
    "costs add up: a call costs what its input and output cost apart",
    [Vnd, Tokens, Tokens],
    ([perMtokVnd, input, output]) => {
      const price = { _tag: "PerToken", perMtokVnd } as const
      assert.strictEqual(
        callCost(price, { inputTokens: input, outputTokens: output }),
        tokensCost(perMtokVnd, input) + tokensCost(perMtokVnd, output)
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
