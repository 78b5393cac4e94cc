import { assert } from "@effect/vitest"
import { describe, it } from "vitest"
import { askId, slotOf } from "../../src/ledger/bridge/ask-ids.ts"

describe("the id of an ask", () => {
  const slots = [0, 1, 5, 49_999, 2 ** 20 - 1]

  it("is exact and tells its slot, however many asks there were before", () => {
    for (const asked of [0, 1, 2 ** 32 - 1, 2 ** 32, 2 ** 33 + 1, 2 ** 45, Number.MAX_SAFE_INTEGER]) {
      for (const slot of slots) {
        const id = askId(asked, slot)
        assert.isTrue(Number.isSafeInteger(id), `${asked}`)
        assert.strictEqual(slotOf(id), slot, `${asked}`)
      }
    }
  })

  it("is another one for each of many asks in a row, and never 0", () => {
    for (const first of [0, 2 ** 32 - 50]) {
      const ids = Array.from({ length: 100 }, (_, index) => askId(first + index, 0))
      assert.strictEqual(new Set(ids).size, 100)
      assert.notInclude(ids, 0)
    }
  })
})
