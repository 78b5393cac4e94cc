import { assert } from "@effect/vitest"
import { describe, it } from "vitest"
import { CircuitBreaker } from "../../src/upstream/CircuitBreaker.ts"

const start = 1_000_000
const failing = (times: number, breaker = new CircuitBreaker()) => {
  for (let time = 0; time < times; time++) breaker.failed(start)
  return breaker
}

describe("a circuit breaker", () => {
  it("stays closed for a few failures and opens at the fifth", () => {
    assert.strictEqual(failing(4).state(start), "closed")
    const open = failing(5)
    assert.strictEqual(open.state(start), "open")
    assert.isFalse(open.admits(start))
  })

  it("stays closed while failures are few among many answers", () => {
    const breaker = new CircuitBreaker()
    for (let call = 0; call < 1_000; call++) {
      breaker.succeeded(start + call)
      if (call % 20 === 0) breaker.failed(start + call)
      // The next answer would close it again.
      assert.strictEqual(breaker.state(start + call), "closed")
    }
  })

  it("opens when every answer begins well and then breaks off", () => {
    const breaker = new CircuitBreaker()
    for (let call = 0; call < 5; call++) {
      breaker.succeeded(start)
      breaker.failed(start)
    }
    assert.strictEqual(breaker.state(start), "open")
  })

  it("forgets failures of long ago", () => {
    const breaker = failing(4)
    breaker.failed(start + 31_000)
    assert.strictEqual(breaker.state(start + 31_000), "closed")
  })

  it("lets one call through every few seconds, and no second one meanwhile", () => {
    const breaker = failing(5)
    assert.isFalse(breaker.admits(start + 4_999))
    assert.strictEqual(breaker.retryAfterSeconds(start + 2_000), 3)
    assert.isTrue(breaker.admits(start + 5_000))
    breaker.begin(start + 5_000)
    assert.isFalse(breaker.admits(start + 5_001))
    assert.isTrue(breaker.admits(start + 10_000))
  })

  it("closes when the call let through is answered, and opens again when it fails", () => {
    const recovered = failing(5)
    recovered.begin(start + 5_000)
    recovered.succeeded(start + 5_100)
    assert.strictEqual(recovered.state(start + 5_100), "closed")
    recovered.failed(start + 5_200)
    assert.strictEqual(recovered.state(start + 5_200), "closed")
    const failed = failing(5)
    failed.begin(start + 5_000)
    failed.failed(start + 5_100)
    assert.strictEqual(failed.state(start + 5_200), "open")
    assert.isTrue(failed.admits(start + 10_100))
  })
})
