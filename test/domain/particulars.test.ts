/** Tokens of other models, which are kept with a call for a few of them at most. */
import { assert, describe, it } from "@effect/vitest"
import { noParticulars, type OtherTokens, sumByModel } from "../../src/domain/particulars.ts"

const of = (model: string, inputTokens: number, isApart = true): OtherTokens => ({
  model,
  inputTokens,
  cacheReadTokens: 2,
  cacheWriteTokens: 3,
  outputTokens: 4,
  isApart
})
const models = Array.from({ length: 16 }, (_, index) => of(`m${index}`, index))

describe("the tokens of other models", () => {
  it("are added up for each, those apart by themselves", () => {
    assert.deepStrictEqual(sumByModel([of("a", 10), of("b", 20), of("a", 30), of("a", 40, false)]), [
      { ...of("a", 40), cacheReadTokens: 4, cacheWriteTokens: 6, outputTokens: 8 },
      of("b", 20),
      of("a", 40, false)
    ])
  })

  it("stay with the models that are known once there are many, and lose no token of further ones", () => {
    const sums = sumByModel([...models, of("m3", 50), of("x", 60), of("y", 70)])
    assert.strictEqual(sums.length, 17)
    assert.deepInclude(sums[3], { model: "m3", inputTokens: 53, outputTokens: 8 })
    assert.deepInclude(sums[16], { model: "", inputTokens: 130, cacheReadTokens: 4, outputTokens: 8 })
  })
})

it("an answer that tells nothing has used nothing but its tokens", () => {
  assert.deepStrictEqual(noParticulars, {
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    reasoningTokens: 0,
    served: {},
    toolUses: [],
    others: []
  })
})
