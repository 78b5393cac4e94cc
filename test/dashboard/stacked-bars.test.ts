/** Parts of bars: the greatest apart, the others together, and nothing lost. */
import { assert, describe, it } from "@effect/vitest"
import { stackBars } from "../../src/dashboard/web/pages/stacked-bars.ts"

const sum = (start: number, part: string, value: number) => ({ start, part, value })
const stack = (sums: ReadonlyArray<ReturnType<typeof sum>>) => stackBars(sums, ({ value }) => value)

describe("stacked bars", () => {
  it("have the part that is greatest over all bars first, and 0 where a part is not", () => {
    const { hasOthers, parts, valuesAt } = stack([sum(1, "a", 5), sum(1, "b", 3), sum(2, "b", 4)])
    assert.deepStrictEqual(parts, ["b", "a"])
    assert.isFalse(hasOthers)
    assert.deepStrictEqual(
      [valuesAt(1), valuesAt(2), valuesAt(3)],
      [
        [3, 5],
        [4, 0],
        [0, 0]
      ]
    )
  })

  it("tell five parts apart, and add up all others", () => {
    const { hasOthers, parts, valuesAt } = stack(
      "gfedcba".split("").map((part, index) => sum(1, part, index + 1))
    )
    assert.deepStrictEqual(parts, ["a", "b", "c", "d", "e"])
    assert.isTrue(hasOthers)
    assert.deepStrictEqual(valuesAt(1), [7, 6, 5, 4, 3, 1 + 2])
  })

  it("are whole where nothing is stacked", () => {
    assert.isUndefined(stack([]).valuesAt(1))
  })
})
