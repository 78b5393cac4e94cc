import { assert, describe, it } from "@effect/vitest"
import { describeFault } from "../../src/telemetry/describe-fault.ts"

const marker = "what-a-caller-wrote"

const faultOf = (fail: () => unknown): unknown => {
  try {
    fail()
  } catch (fault) {
    return fault
  }
  return assert.fail("nothing was thrown")
}

describe("a fault in the log", () => {
  it("is told in its words and with where it happened", () => {
    const told = describeFault(faultOf(() => (undefined as unknown as { readonly a: string }).a))
    assert.match(told, /^TypeError: Cannot read properties of undefined \(reading 'a'\)\n {4}at /)
    assert.include(told, "describe-fault.test.ts")
  })

  it.each<readonly [string, () => unknown]>([
    ["JSON.parse", () => JSON.parse(`{"a": ${marker}}`)],
    ["BigInt", () => BigInt(marker)],
    ["Node", () => Buffer.alloc(marker as unknown as number)],
    ["an assertion", () => assert.strictEqual(marker, "")]
  ])("does not quote what %s could not read", (_, fail) => {
    const fault = faultOf(fail)
    assert.include(String((fault as Error).message), marker.slice(0, 8), "it would be quoted")
    assert.notInclude(describeFault(fault), marker.slice(0, 8))
  })
})
