/** Numbers that stand where counts should be and are none, told from counts that are missing. */
import { assert, describe, it } from "@effect/vitest"
import { isNonsense } from "../../../src/formats/meter/nonsense-usage.ts"

describe("a usage", () => {
  it.each([
    "prompt_tokens",
    "completion_tokens",
    "input_tokens",
    "output_tokens",
    "cache_read_input_tokens",
    "cache_creation_input_tokens",
    "inputTokens",
    "outputTokens",
    "cacheReadInputTokens",
    "cacheWriteInputTokens"
  ])("is nonsense with a %s that is no count", (name) => {
    for (const odd of [-1, 0.5, 1e21, 1_000_000_001, Infinity])
      assert.isTrue(isNonsense({ prompt_tokens: 1, completion_tokens: 1, [name]: odd }), String(odd))
    for (const fine of [0, 5, 1_000_000_000, null, undefined, "12"])
      assert.isFalse(isNonsense({ [name]: fine }), String(fine))
  })

  it("is nonsense where plausible parts add up to what no call can have", () => {
    const half = 600_000_000
    for (const cache of ["cache_read_input_tokens", "cache_creation_input_tokens"])
      assert.isTrue(isNonsense({ input_tokens: half, [cache]: half, output_tokens: 1 }), cache)
    assert.isFalse(isNonsense({ input_tokens: half, cache_creation_input_tokens: 5 }))
  })

  it("is nonsense with a part that is no count, also where the sum is one", () => {
    const names = ["input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens"]
    const fine = Object.fromEntries(names.map((name) => [name, 5]))
    assert.isFalse(isNonsense(fine))
    for (const name of names) assert.isTrue(isNonsense({ ...fine, [name]: -1 }), name)
  })

  it("that is none is merely missing", () => {
    for (const none of [undefined, null, {}, [], "x", 7]) assert.isFalse(isNonsense(none))
  })
})
