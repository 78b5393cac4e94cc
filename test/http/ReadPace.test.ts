/** By a clock of its own: who may be read when. */
import { assert, describe, it } from "@effect/vitest"
import { afterEach, beforeEach, vi } from "vitest"
import { type Pace, ReadPace } from "../../src/http/ReadPace.ts"

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const paceOf = (bytesPerSecond: number, burstBytes: number): Pace => ({ bytesPerSecond, burstBytes })
const plenty = paceOf(1_000_000, 1_000_000)
const start = (paces: { readonly all?: Pace; readonly ofEach?: Pace }) =>
  new ReadPace({ all: plenty, ofEach: plenty, ...paces }, () => Date.now())

const bytes = (count: number) => ({ bytes: count, mayFlood: false })
const flood = { bytes: 100, mayFlood: true }
const ignored = () => {}

describe("connections that bring much", () => {
  it.each(["all", "ofEach"])(
    "are read at once while little is read, and no faster than the pace: %s",
    (whose) => {
      const pace = start({ [whose]: paceOf(1_000, 300) })
      let read = 0
      const readOn = () => {
        read += 100
        pace.came("a", 100, 100)
        if (pace.ask("a", bytes(100), readOn)) readOn()
      }
      if (pace.ask("a", bytes(100), readOn)) readOn()
      assert.strictEqual(read, 300)
      vi.advanceTimersByTime(5_000)
      assert.isAtMost(read, 300 + 5_000)
      assert.isAtLeast(read, 4_800)
    }
  )

  it.each(["all", "ofEach"])("have no more at once for having read nothing for long: %s", (whose) => {
    const pace = start({ [whose]: paceOf(1_000, 300) })
    pace.ask("a", bytes(100), ignored)
    vi.advanceTimersByTime(60_000)
    let read = 0
    while (pace.ask("a", bytes(100), ignored)) read += 100
    assert.strictEqual(read, 300)
  })

  it("take turns by owner, whoever has how many of them", () => {
    const pace = start({ all: paceOf(1_000, 100) })
    pace.ask("z", bytes(100), ignored)
    const order: Array<string> = []
    for (let index = 0; index < 20; index++) pace.ask("many", bytes(100), () => order.push("many"))
    pace.ask("one", bytes(100), () => order.push("one"))
    vi.advanceTimersByTime(400)
    assert.strictEqual(order.indexOf("one"), 1)
    vi.advanceTimersByTime(10_000)
    assert.strictEqual(order.length, 21)
  })

  it("of one owner are let on in the order in which they asked, however little the later want", () => {
    const pace = start({ all: paceOf(1_000, 100) })
    assert.isTrue(pace.ask("a", bytes(90), ignored))
    const order: Array<number> = []
    assert.isFalse(pace.ask("a", bytes(50), () => order.push(50)))
    assert.isFalse(pace.ask("a", bytes(1), () => order.push(1)))
    vi.advanceTimersByTime(100)
    assert.deepStrictEqual(order, [50, 1])
  })

  it("are looked for fifty times a second while nobody may be read, and not at all once nobody waits", () => {
    let looks = 0
    const pace = new ReadPace({ all: plenty, ofEach: paceOf(100, 100) }, () => {
      looks++
      return Date.now()
    })
    let isLetOn = false
    pace.ask("a", bytes(100), ignored)
    pace.ask("a", bytes(100), () => (isLetOn = true))
    vi.advanceTimersByTime(900)
    assert.isFalse(isLetOn)
    assert.isAtMost(looks, 60)
    vi.advanceTimersByTime(200)
    assert.deepStrictEqual([isLetOn, vi.getTimerCount()], [true, 0])
  })

  it("that brought less than was thought leave the rest to others", () => {
    const pace = start({ all: paceOf(1_000, 100) })
    assert.isTrue(pace.ask("a", bytes(100), ignored))
    pace.came("a", 1, 100)
    assert.isTrue(pace.ask("b", bytes(99), ignored))
    assert.isFalse(pace.ask("c", bytes(99), ignored))
  })

  it("that brought far more than was thought are waited for by their owner, and hardly by others", () => {
    const pace = start({ all: paceOf(4_000, 200), ofEach: paceOf(1_000, 100) })
    assert.isTrue(pace.ask("a", bytes(100), ignored))
    pace.came("a", 10_000, 100)
    let mine = 0
    let others = 0
    pace.ask("a", bytes(10), () => mine++)
    pace.ask("b", bytes(10), () => others++)
    vi.advanceTimersByTime(100)
    assert.deepStrictEqual([mine, others], [0, 1])
    vi.advanceTimersByTime(9_000)
    assert.strictEqual(mine, 0)
    vi.advanceTimersByTime(1_500)
    assert.strictEqual(mine, 1)
  })

  it("without an end in sight are let on one in each turn of the event loop", () => {
    const pace = start({})
    const beganMs = Date.now()
    const order: Array<string> = []
    assert.isTrue(pace.ask("a", flood, ignored))
    for (const name of ["b", "c"]) assert.isFalse(pace.ask(name, flood, () => order.push(name)))
    assert.isTrue(pace.ask("d", bytes(100), ignored))
    for (const served of [["b"], ["b", "c"]]) {
      while (order.length < served.length) vi.advanceTimersToNextTimer()
      assert.deepStrictEqual(order, served)
    }
    assert.isBelow(Date.now() - beganMs, 10)
  })

  it("and want more as soon as they are let on never have the thread look for them twice at once", () => {
    const pace = start({ all: paceOf(1_000, 100) })
    let read = 0
    const readOn = () => {
      read++
      if (pace.ask("a", bytes(100), readOn)) readOn()
    }
    readOn()
    for (let turn = 0; turn < 100; turn++) {
      vi.advanceTimersByTime(20)
      assert.strictEqual(vi.getTimerCount(), 1)
    }
    assert.isAtLeast(read, 20)
  })

  it("are forgotten with what they have left, once they are many", () => {
    const pace = start({ ofEach: paceOf(1_000, 100) })
    for (const owner of ["owes", "waits"]) pace.came(owner, 60_000, 0)
    let isLetOn = false
    pace.ask("waits", bytes(100), () => (isLetOn = true))
    for (let index = 0; index < 50_000; index++) {
      assert.isTrue(pace.ask(index, bytes(100), ignored))
      vi.advanceTimersByTime(1)
    }
    assert.isFalse(pace.ask(49_999, bytes(100), ignored))
    // Whoever owes, or waits, is not.
    assert.isFalse(pace.ask("owes", bytes(100), ignored))
    assert.isFalse(isLetOn)
    vi.advanceTimersByTime(15_000)
    assert.isTrue(isLetOn)
  })

  it("are not forgotten while they wait for others alone", () => {
    const pace = start({})
    let isLetOn = false
    pace.ask("a", flood, ignored)
    pace.ask("b", flood, () => (isLetOn = true))
    for (let index = 0; index < 10_010; index++) pace.ask(index, bytes(1), ignored)
    vi.advanceTimersByTime(20)
    assert.isTrue(isLetOn)
  })
})
