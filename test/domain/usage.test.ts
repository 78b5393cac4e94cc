/** A provider's count is believed only as a whole number of tokens that a call can have. */
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { tokenCount } from "../../src/domain/usage.ts"

describe("token counts from outside", () => {
  it.prop(
    "are taken as they are when they are plausible",
    [Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1_000_000_000 }))],
    ([count]) => {
      assert.strictEqual(tokenCount(count), count)
    }
  )

  it.each([0, 1, 1_000_000_000])("%s is taken as it is", (count) => {
    assert.strictEqual(tokenCount(count), count)
  })

  it.each([
    -1,
    0.5,
    NaN,
    Infinity,
    -Infinity,
    1_000_000_001,
    2 ** 53,
    "12",
    null,
    undefined,
    {},
    [3],
    true,
    12n
  ])("%s counts as unknown", (value) => {
    assert.strictEqual(tokenCount(value), undefined)
  })
})
