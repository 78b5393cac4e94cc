import { assert } from "@effect/vitest"
import { describe, it } from "vitest"
import { LastMinute } from "../../src/telemetry/LastMinute.ts"

const startMs = 1_800_000_000_000

describe("the last minute", () => {
  it("counts what came within it, second by second", () => {
    const minute = new LastMinute()
    for (let second = 0; second < 90; second++) {
      for (let call = 0; call < 3; call++) minute.add(startMs + second * 1000 + call)
      assert.strictEqual(minute.count(startMs + second * 1000 + 999), 3 * Math.min(60, second + 1))
    }
    assert.strictEqual(minute.count(startMs + 89_000 + 30_000), 90)
    assert.strictEqual(minute.count(startMs + 89_000 + 60_000), 0)
  })

  it("is empty after any pause, and goes on behind it", () => {
    const minute = new LastMinute()
    minute.add(startMs)
    assert.strictEqual(minute.count(startMs + 3_600_000), 0)
    minute.add(startMs + 3_600_500)
    assert.strictEqual(minute.count(startMs + 3_600_999), 1)
  })

  it("loses nothing when the clock is set back", () => {
    const minute = new LastMinute()
    minute.add(startMs)
    minute.add(startMs - 3_600_000)
    assert.strictEqual(minute.count(startMs), 2)
  })
})
