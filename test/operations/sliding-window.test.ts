import { assert } from "@effect/vitest"
import { describe, it } from "vitest"
import { SlidingWindow } from "../../src/actors/sliding-window.ts"

const start = 1_000_000

describe("a key's window", () => {
  it("admits as many calls a minute as the limit says, wherever the minute begins", () => {
    for (const limit of [1, 3, 60, 5_000]) {
      const window = new SlidingWindow()
      const admitted: Array<number> = []
      for (let nowMs = start; nowMs < start + 200_000; nowMs += 7) {
        if (window.admit(nowMs, limit) === 0) admitted.push(nowMs)
      }
      for (const [index, nowMs] of admitted.entries()) {
        const later = admitted[index + limit]
        assert.isTrue(later === undefined || later - nowMs >= 60_000, `limit ${limit}`)
      }
      // What is allowed is also had: the limit in each of the three whole minutes.
      assert.isAtLeast(admitted.length, limit * 3, `limit ${limit}`)
    }
  })

  it("says exactly when the next call may come", () => {
    const window = new SlidingWindow()
    assert.strictEqual(window.admit(start, 2), 0)
    assert.strictEqual(window.admit(start + 10_000, 2), 0)
    assert.strictEqual(window.admit(start + 20_000, 2), 40_000)
    assert.strictEqual(window.admit(start + 59_999, 2), 1)
    assert.strictEqual(window.admit(start + 60_000, 2), 0)
    assert.strictEqual(window.admit(start + 60_001, 2), 9_999)
  })

  it("obeys a limit that was lowered meanwhile", () => {
    const window = new SlidingWindow()
    for (let call = 0; call < 10; call++) window.admit(start + call, 10)
    assert.strictEqual(window.admit(start + 10, 1), 59_999)
  })
})
