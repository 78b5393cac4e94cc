/** By a clock of its own: who may be read when. */
import { assert, describe, it } from "@effect/vitest"
import { afterEach, beforeEach, vi } from "vitest"
import { ReadPace } from "../../src/http/ReadPace.ts"

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const paceOf = (bytesPerSecond: number, burstBytes: number) =>
  new ReadPace({ bytesPerSecond, burstBytes }, () => Date.now())

describe("connections that bring much", () => {
  it("are read at once while little is read, and no faster than the pace in the long run", () => {
    const pace = paceOf(1_000, 300)
    let read = 0
    const readOn = () => {
      read += 100
      pace.came(100, 100)
      if (pace.ask("a", 100, readOn)) readOn()
    }
    if (pace.ask("a", 100, readOn)) readOn()
    assert.strictEqual(read, 300)
    vi.advanceTimersByTime(5_000)
    assert.isAtMost(read, 300 + 5_000)
    assert.isAtLeast(read, 4_800)
  })

  it("take turns by owner, whoever has how many of them", () => {
    const pace = paceOf(1_000, 100)
    pace.ask("z", 100, () => {})
    const order: Array<string> = []
    for (let index = 0; index < 20; index++) pace.ask("many", 100, () => order.push("many"))
    pace.ask("one", 100, () => order.push("one"))
    vi.advanceTimersByTime(400)
    assert.strictEqual(order.indexOf("one"), 1)
    vi.advanceTimersByTime(10_000)
    assert.strictEqual(order.length, 21)
  })

  it("that brought less than was thought leave the rest to others", () => {
    const pace = paceOf(1_000, 100)
    assert.isTrue(pace.ask("a", 100, () => {}))
    pace.came(1, 100)
    assert.isTrue(pace.ask("b", 99, () => {}))
    assert.isFalse(pace.ask("c", 99, () => {}))
  })
})
