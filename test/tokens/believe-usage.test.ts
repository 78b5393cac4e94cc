/** Which counts of a provider are charged, and what stands for those that can not be. */
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { noParticulars, type OtherTokens } from "../../src/domain/particulars.ts"
import { believeParticulars, believeUsage, usageLimits } from "../../src/tokens/believe-usage.ts"

const size = { window: 1_000_000, inputBound: 60, outputEach: 100, answers: 1, rounds: 1 }
const limits = usageLimits(size)
const never = () => assert.fail("nothing was to be counted")
const believed = (inputTokens: number, outputTokens: number, seen: () => number = () => 40, of = limits) =>
  believeUsage({ inputTokens, outputTokens }, of, seen)

const Count = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1_000_000_000 }))

describe("a provider's count", () => {
  it("is charged as it is within what its call allows, and nothing is counted for that", () => {
    for (const [input, output] of [
      [0, 0],
      [60, 100],
      [1_048_576, 150],
      [10, 16_000]
    ] as const) {
      const usage = { inputTokens: input, outputTokens: output }
      assert.deepStrictEqual(believed(input, output, never), { usage, disbelieved: undefined })
    }
  })

  it("of more output than the cap allows by far gives way to what the output that was seen hardly exceeds", () => {
    const { disbelieved, usage } = believed(10, 50_000)
    assert.deepStrictEqual(usage, { inputTokens: 10, outputTokens: 40 })
    assert.deepStrictEqual(disbelieved, { inputTokens: 10, outputTokens: 50_000 })
  })

  it("of an output that was seen is charged, whatever the cap", () => {
    assert.isUndefined(believed(10, 90_000, () => 180_000).disbelieved)
    assert.isUndefined(believed(10, 90_000, () => 45_000).disbelieved)
    assert.isUndefined(believed(10, 50_000_000, () => 60_000_000).disbelieved)
  })

  it("of more input than the model has context gives way to what was held for", () => {
    for (const input of [1_500_000, 900_000_000]) {
      const { disbelieved, usage } = believed(input, 5)
      assert.deepStrictEqual(usage, { inputTokens: 60, outputTokens: 5 })
      assert.deepStrictEqual(disbelieved, { inputTokens: input, outputTokens: 5 })
    }
  })

  it("of more output than the model has context is not charged, unless it was seen", () => {
    const uncapped = usageLimits({ ...size, outputEach: 900_000 })
    assert.isDefined(believed(10, 1_500_000, () => 40, uncapped).disbelieved)
  })

  it("of thoughts is charged as reported where the provider does not count them inside the cap, and not by far beyond", () => {
    const qwen = usageLimits({ ...size, outputEach: 64 + 131_072 })
    assert.isUndefined(believed(10, 131_072, never, qwen).disbelieved)
    assert.isDefined(believed(10, 600_000, () => 40, qwen).disbelieved)
    // Said to be inside, and yet beyond: a way of counting, not a slip.
    assert.isUndefined(believed(10, 9_000, never).disbelieved)
    assert.isDefined(believed(10, 100_000, () => 40).disbelieved)
  })

  it("is of as many answers as were asked for, and of as many rounds as the provider's tools take", () => {
    const four = usageLimits({ ...size, outputEach: 20_000, answers: 4 })
    assert.isUndefined(believed(10, 160_000, never, four).disbelieved)
    const searching = usageLimits({ ...size, rounds: 16 })
    assert.isUndefined(believed(1_500_000, 2_000, never, searching).disbelieved)
  })

  it("is of at most a quarter more than the context, taken for a million at least, in each answer and round", () => {
    const inputMaxOf = (window: number | null, more = {}) =>
      usageLimits({ ...size, window, ...more }).inputMax
    assert.deepStrictEqual(
      [null, 8_000, 1_000_000, 2_000_000].map((window) => inputMaxOf(window)),
      [1_250_000, 1_250_000, 1_250_000, 2_500_000]
    )
    assert.strictEqual(inputMaxOf(null, { answers: 2, rounds: 3 }), 7_500_000)
    assert.strictEqual(inputMaxOf(null, { inputBound: 9_000_000 }), 9_000_000)
    const searching = usageLimits({ ...size, outputEach: 20_000, answers: 2, rounds: 3 })
    assert.isUndefined(believed(10, 2 * 120_000 + 16_384, never, searching).disbelieved)
    assert.isDefined(believed(10, 2 * 120_000 + 16_385, () => 40, searching).disbelieved)
  })

  it("is charged up to the very limit, and not beyond", () => {
    const { inputMax, outputMax } = limits
    assert.isUndefined(believed(inputMax, outputMax, never).disbelieved)
    assert.deepStrictEqual(believed(inputMax + 1, outputMax, never).usage.inputTokens, 60)
    assert.deepStrictEqual(believed(inputMax, outputMax + 1).usage.outputTokens, 40)
    const seen = outputMax
    assert.isUndefined(believed(10, 2 * seen + 16_384, () => seen).disbelieved)
    assert.strictEqual(believed(10, 2 * seen + 16_385, () => seen).usage.outputTokens, seen)
  })

  it("of another model is charged up to the same limits, and only beside one that is believed", () => {
    const { inputMax, outputMax } = limits
    const other = (inputTokens: number, outputTokens: number): OtherTokens => ({
      model: "m",
      inputTokens,
      cacheReadTokens: 0,
      cacheWriteTokens: 0,
      outputTokens,
      isApart: true
    })
    const most = other(inputMax, outputMax)
    const told = {
      ...noParticulars,
      reasoningTokens: 3,
      others: [other(inputMax + 1, 1), most, other(1, outputMax + 1)]
    }
    assert.deepStrictEqual(believeParticulars(told, true, limits), { ...told, others: [most] })
    assert.deepStrictEqual(believeParticulars(told, false, limits), { ...told, others: [] })
    assert.deepStrictEqual(believeParticulars(noParticulars, false, limits), noParticulars)
  })

  it.prop(
    "never costs more than the call allows or what was seen makes likely, and is never below what was sent",
    [Count, Count, Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 50_000 }))],
    ([input, output, seen]) => {
      const { disbelieved, usage } = believed(input, output, () => seen)
      assert.isAtMost(usage.inputTokens, limits.inputMax)
      assert.isAtMost(usage.outputTokens, Math.max(limits.outputMax, 2 * seen + 16_384))
      assert.isAtMost(usage.outputTokens, Math.max(output, seen))
      if (disbelieved === undefined)
        assert.deepStrictEqual(usage, { inputTokens: input, outputTokens: output })
      else assert.deepStrictEqual(disbelieved, { inputTokens: input, outputTokens: output })
    }
  )
})
