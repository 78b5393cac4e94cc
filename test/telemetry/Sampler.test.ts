import { assert, describe, it } from "@effect/vitest"
import { afterEach, beforeEach, vi } from "vitest"
import { Sampler } from "../../src/telemetry/Sampler.ts"

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe("a sampler", () => {
  it("lets so many through in a while, and then tells how many more there were", () => {
    const more: Array<number> = []
    const sampler = new Sampler({ fullMax: 2, whileMs: 1_000, tellMore: (count) => more.push(count) })
    assert.deepStrictEqual(
      Array.from({ length: 5 }, () => sampler.take()),
      [true, true, false, false, false]
    )
    vi.advanceTimersByTime(999)
    assert.isFalse(sampler.take())
    assert.deepStrictEqual(more, [])
    vi.advanceTimersByTime(1)
    assert.deepStrictEqual(more, [4])
    assert.isTrue(sampler.take())
  })

  it("says nothing of a while in which all were let through", () => {
    const more: Array<number> = []
    const sampler = new Sampler({ fullMax: 2, whileMs: 1_000, tellMore: (count) => more.push(count) })
    sampler.take()
    vi.advanceTimersByTime(10_000)
    assert.deepStrictEqual(more, [])
  })
})
