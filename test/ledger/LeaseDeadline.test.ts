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
  return { at, pass, hasPassed }
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
