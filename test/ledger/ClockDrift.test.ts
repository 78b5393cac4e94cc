/** When an operator is told that a machine's clock does not run with the database's. */
import { assert, describe, it } from "@effect/vitest"
import { ClockDrift } from "../../src/ledger/node/ClockDrift.ts"
import { Random, seeds } from "../Random.ts"

const now = 1_800_000_000_000

describe("a clock apart from the database's", () => {
  it.each([
    ["ahead of", 3_600_000],
    ["behind", -3_600_000]
  ])(
    "is told of once when it is %s it, when it is so no more, and when it is by much more or the other way",
    (where, byMs) => {
      const drift = new ClockDrift()
      const steps = [byMs, byMs, byMs / 900, byMs / 1_000, 0, 0, byMs, 1.5 * byMs, -byMs, -3 * byMs]
      const told = steps.map((ms) => drift.note(now, now + ms, now + ms + 20))
      assert.deepStrictEqual(
        told.map((text) => text !== undefined),
        [true, false, false, false, true, false, true, false, true, true]
      )
      assert.include(told[0], `is 3600 s ${where} the database's`)
    }
  )

  it.each(seeds(3))(
    "is told of by no answer that may have been given at the same moment, seed %i",
    (seed) => {
      const random = new Random(seed)
      const drift = new ClockDrift()
      for (let turn = 0; turn < 1_000; turn++) {
        const tookMs = random.below(60_000)
        const askedAfterMs = random.below(tookMs + 1)
        const apartMs = random.below(10_001) - 5_000
        assert.isUndefined(
          drift.note(now, now - askedAfterMs + apartMs, now - askedAfterMs + tookMs + apartMs)
        )
      }
    }
  )
})
