/** By which clocks a node's right to admit calls runs out. */
import { assert, describe, it } from "@effect/vitest"
import { LeaseDeadline } from "../../src/ledger/bridge/LeaseDeadline.ts"

const setUp = () => {
  const at = { monotonicMs: 5_000, wallMs: 1_800_000_000_000, bootMs: 90_000 }
  const clocks = {
    monotonicNs: () => BigInt(at.monotonicMs) * 1_000_000n,
    wallMs: () => at.wallMs,
    bootMs: () => at.bootMs
  }
  const deadline = LeaseDeadline.make(clocks)
  deadline.set(deadline.now(), 5_000)
  const pass = (ms: number, isAsleep = false) => {
    if (!isAsleep) at.monotonicMs += ms
    at.wallMs += ms
    at.bootMs += ms
  }
  /** As a gateway thread sees it. */
  const hasPassed = () => new LeaseDeadline(deadline.memory, clocks).hasPassed
  /** As a gateway thread sees it. */
  const dateMs = () => new LeaseDeadline(deadline.memory, clocks).dateMs()
  return { at, deadline, dateMs, hasPassed, pass }
}

const day = 86_400_000

describe("the end of a lease", () => {
  it.each([0, 3_600_000, 730 * day, -3_600_000, -730 * day, -1_800_000_000_000])(
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
      deadline.noteDate(1_800_000_000_123)
      pass(1_500)
      assert.strictEqual(dateMs(), 1_800_000_001_623)
      at.wallMs -= 2 * aheadMs
      pass(1_500)
      assert.strictEqual(dateMs(), 1_800_000_003_123)
    }
  )

  it("is the machine's before the database has said one, and where the lease has run out", () => {
    const { at, dateMs, deadline, pass } = setUp()
    assert.strictEqual(dateMs(), at.wallMs)
    deadline.noteDate(1_700_000_000_000)
    pass(10_000_000, true)
    assert.strictEqual(dateMs(), at.wallMs)
  })
})
