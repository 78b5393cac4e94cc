/** By which clocks a node's right to admit calls runs out. */
import { assert, describe, it } from "@effect/vitest"
import { LeaseDeadline } from "../../src/ledger/bridge/LeaseDeadline.ts"

const setUp = () => {
  const at = { monotonicMs: 5_000, wallMs: 1_800_000_000_000 }
  const clocks = {
    monotonicNs: () => BigInt(at.monotonicMs) * 1_000_000n,
    wallMs: () => at.wallMs
  }
  const deadline = LeaseDeadline.make(clocks)
  deadline.set(deadline.now(), 5_000)
  const pass = (ms: number, isAsleep = false) => {
    if (!isAsleep) at.monotonicMs += ms
    at.wallMs += ms
  }
  // As a gateway thread sees it.
  const hasPassed = () => new LeaseDeadline(deadline.memory, clocks).hasPassed
  const dateMs = () => new LeaseDeadline(deadline.memory, clocks).dateMs()
  return { at, deadline, dateMs, hasPassed, pass }
}

const day = 86_400_000

describe("the end of a lease", () => {
  it.each([0, -3_600_000, -730 * day, -1_800_000_000_000])(
    "comes when it is due where the machine's clock is set by %i ms",
    (stepMs) => {
      const { at, hasPassed, pass } = setUp()
      pass(1_000)
      at.wallMs += stepMs
      pass(3_999)
      assert.isFalse(hasPassed())
      pass(1)
      assert.isTrue(hasPassed())
    }
  )

  it("comes at once where the machine's clock is set ahead, which nothing tells from a rest of all its clocks", () => {
    const { at, hasPassed } = setUp()
    at.wallMs += 5_000
    assert.isTrue(hasPassed())
  })

  it("comes while the machine sleeps, in which the steady clock stands still", () => {
    const { hasPassed, pass } = setUp()
    pass(4_999, true)
    assert.isFalse(hasPassed())
    pass(1, true)
    assert.isTrue(hasPassed())
  })
})

describe("the date of a call", () => {
  it.each([0, 600_000, 730 * day, -3 * day, -1_800_000_000_000])(
    "is the database's where the machine's clock is %i ms ahead, and goes on as that does when it is set",
    (aheadMs) => {
      const { at, dateMs, deadline, pass } = setUp()
      at.wallMs += aheadMs
      deadline.noteDate(1_800_000_000_123, deadline.now())
      pass(1_500)
      assert.strictEqual(dateMs(), 1_800_000_001_623)
      at.wallMs -= 2 * aheadMs
      pass(1_500)
      assert.strictEqual(dateMs(), 1_800_000_003_123)
    }
  )

  it("is none of the past after an answer that took long, and follows a clock of the database that is set", () => {
    const { dateMs, deadline, pass } = setUp()
    const start = 1_800_000_000_000
    deadline.noteDate(start, deadline.now())
    const tell = (aheadMs: number, tookMs: number) => {
      const asked = deadline.now()
      pass(tookMs / 2)
      const saidMs = dateMs() + aheadMs
      pass(tookMs / 2)
      deadline.noteDate(saidMs, asked)
      return dateMs() - start
    }
    assert.strictEqual(tell(0, 3_000), 3_000)
    assert.strictEqual(tell(3_600_000, 2), 3_603_001)
    assert.strictEqual(tell(-3_600_000, 2), 3_005)
  })

  it("is the machine's before the database has said one", () => {
    const { at, dateMs } = setUp()
    assert.strictEqual(dateMs(), at.wallMs)
  })
})
