import { assert, describe, it } from "@effect/vitest"
import { keepAliveDueMs } from "../../src/gateway/keep-alive-due.ts"
import { sweepMs } from "../../src/upstream/Sweeper.ts"

/** How long a stream is silent whose last event came `offsetMs` before the clock's next look. */
const silenceOf = (limitSeconds: number, offsetMs: number): number => {
  let silenceMs = offsetMs
  while (silenceMs < keepAliveDueMs(limitSeconds)) silenceMs += sweepMs
  return silenceMs
}

describe("a keep-alive", () => {
  it("comes within its limit, and not long before, whenever the clock looks", () => {
    for (const limitSeconds of [2, 3, 15, 60]) {
      for (let offsetMs = 0; offsetMs < sweepMs; offsetMs += 50) {
        const silenceMs = silenceOf(limitSeconds, offsetMs)
        assert.isAtMost(silenceMs, limitSeconds * 1000)
        assert.isAtLeast(silenceMs, limitSeconds * 1000 - sweepMs)
      }
    }
  })
})
