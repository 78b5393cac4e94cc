import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { SlidingWindow } from "../../src/actors/sliding-window.ts"

const Limit = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 20 }))
const Gaps = Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 20_000 }))).check(
  Schema.isMinLength(20),
  Schema.isMaxLength(80)
)
const startMs = 1_800_000_000_000

/** When calls come that are so many ms apart, and what they are answered. */
const play = (limit: number, gaps: ReadonlyArray<number>) => {
  const window = new SlidingWindow()
  let nowMs = startMs
  return gaps.map((gap) => {
    nowMs += gap
    return { nowMs, retryAfterMs: window.admit(nowMs, limit) }
  })
}

describe("a rate limit", () => {
  it.prop("admits no more than its number within any minute at all", [Limit, Gaps], ([limit, gaps]) => {
    const admitted = play(limit, gaps).filter(({ retryAfterMs }) => retryAfterMs === 0)
    for (const { nowMs: from } of admitted) {
      const within = admitted.filter(({ nowMs }) => nowMs >= from && nowMs < from + 60_000)
      assert.isAtMost(within.length, limit)
    }
  })

  it.prop("says truly when it admits again, and not before", [Limit, Gaps], ([limit, gaps]) => {
    const window = new SlidingWindow()
    let nowMs = startMs
    for (const gap of gaps) {
      nowMs += gap
      const retryAfterMs = window.admit(nowMs, limit)
      if (retryAfterMs === 0) continue
      assert.isAtMost(retryAfterMs, 60_000)
      assert.isAbove(window.admit(nowMs + retryAfterMs - 1, limit), 0, "a millisecond earlier")
      assert.strictEqual(window.admit(nowMs + retryAfterMs, limit), 0)
      nowMs += retryAfterMs
    }
  })

  it("is whole again after an idle minute", () => {
    const window = new SlidingWindow()
    for (let count = 0; count < 5; count++) assert.strictEqual(window.admit(startMs, 5), 0)
    assert.isAbove(window.admit(startMs, 5), 0)
    for (let count = 0; count < 5; count++) assert.strictEqual(window.admit(startMs + 60_000, 5), 0)
  })

  it("neither locks a key out nor lets it through when the clock is set back", () => {
    const window = new SlidingWindow()
    for (let count = 0; count < 5; count++) {
      assert.strictEqual(window.admit(startMs + count * 1_000, 5), 0)
    }
    const setBackMs = startMs - 3_600_000
    const retryAfterMs = window.admit(setBackMs, 5)
    assert.strictEqual(retryAfterMs, 56_000)
    assert.isAbove(window.admit(setBackMs + retryAfterMs - 1, 5), 0)
    assert.strictEqual(window.admit(setBackMs + retryAfterMs, 5), 0)
  })

  it("has all that is allowed, wherever the minute begins", () => {
    for (const limit of [1, 3, 60, 5_000]) {
      const window = new SlidingWindow()
      const admitted: Array<number> = []
      for (let nowMs = startMs; nowMs < startMs + 200_000; nowMs += 7) {
        if (window.admit(nowMs, limit) === 0) admitted.push(nowMs)
      }
      for (const [index, nowMs] of admitted.entries()) {
        const later = admitted[index + limit]
        assert.isTrue(later === undefined || later - nowMs >= 60_000, `limit ${limit}`)
      }
      assert.isAtLeast(admitted.length, limit * 3, `limit ${limit}`)
    }
  })

  it("says exactly when the next call may come", () => {
    const window = new SlidingWindow()
    assert.strictEqual(window.admit(startMs, 2), 0)
    assert.strictEqual(window.admit(startMs + 10_000, 2), 0)
    assert.strictEqual(window.admit(startMs + 20_000, 2), 40_000)
    assert.strictEqual(window.admit(startMs + 59_999, 2), 1)
    assert.strictEqual(window.admit(startMs + 60_000, 2), 0)
    assert.strictEqual(window.admit(startMs + 60_001, 2), 9_999)
  })

  it("obeys a limit that was lowered meanwhile", () => {
    const window = new SlidingWindow()
    for (let call = 0; call < 10; call++) window.admit(startMs + call, 10)
    assert.strictEqual(window.admit(startMs + 10, 1), 59_999)
  })
})
