/** Connections to providers end by themselves, and with the process. */
import { assert } from "@effect/vitest"
import { describe, it, vi } from "vitest"
import { endAfterEach, providerOf, reply, routesTo, start, startStub } from "./stub-providers.ts"

endAfterEach()

describe("connections that nobody needs", () => {
  it("are closed before their provider would close them", async () => {
    const stub = await startStub(reply(200, "keep-alive: timeout=3\r\n"))
    const { call } = start()
    await call(providerOf(routesTo(stub.port)))
    assert.strictEqual(stub.open.size, 1)
    await vi.waitUntil(() => stub.open.size === 0, { timeout: 4_000 })
  })

  it("are closed with the process", async () => {
    const stub = await startStub(reply(200))
    const { call, stop } = start()
    await call(providerOf(routesTo(stub.port)))
    assert.strictEqual(stub.open.size, 1)
    await stop()
    await vi.waitUntil(() => stub.open.size === 0, { timeout: 4_000 })
  })
})
