/** Which address is taken for the caller's, of all that proxies and callers write. */
import { assert, describe, it } from "@effect/vitest"
import type { HttpRequest } from "uWebSockets.js"
import { readForwardedFor, toldAddress } from "../../src/http/told-address.ts"

describe("the caller's address, as proxies tell it", () => {
  it.each([
    ["192.0.2.1", "192.0.2.1"],
    ["192.0.2.1:4711", "192.0.2.1"],
    ["198.51.100.7, 192.0.2.1", "192.0.2.1"],
    ["198.51.100.7,192.0.2.1 ", "192.0.2.1"],
    ["2001:db8::1", "2001:db8::1"],
    ["[2001:db8::1]", "2001:db8::1"],
    ["192.0.2.1, [2001:db8::1]:4711", "2001:db8::1"],
    ["192.0.2.1, unknown", undefined],
    ["192.0.2.1,", undefined],
    ["", undefined]
  ])("%j is %s", (told, address) => {
    assert.strictEqual(toldAddress(told), address)
  })

  it("stands in the last line that has it, whatever else is sent", () => {
    const lines = [
      ["x-forwarded-for", "198.51.100.7"],
      ["x-forwarded-for", "192.0.2.1"],
      ["x-other", "203.0.113.9"]
    ] as const
    const req = {
      forEach: (tell: (name: string, value: string) => void) =>
        lines.forEach(([name, value]) => tell(name, value))
    } as unknown as HttpRequest
    assert.strictEqual(readForwardedFor(req), "192.0.2.1")
  })
})
