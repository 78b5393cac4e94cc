/** Connections to providers end by themselves, and with the process. */
import { assert } from "@effect/vitest"
import { describe, it } from "vitest"
import { endAfterEach, providerOf, reply, routesTo, start, startStub } from "./stub-providers.ts"
import { until } from "../until.ts"

endAfterEach()

describe("connections that nobody needs", () => {
  it("are closed before their provider would close them", async () => {
    const stub = await startStub(reply(200, "keep-alive: timeout=3\r\n"))
    const { call } = start()
    await call(providerOf(routesTo(stub.port)))
    assert.strictEqual(stub.open.size, 1)
    await until(() => stub.open.size === 0)
  })

  it("are closed with the process", async () => {
    const stub = await startStub(reply(200))
    const { call, stop } = start()
    await call(providerOf(routesTo(stub.port)))
    assert.strictEqual(stub.open.size, 1)
    await stop()
    await until(() => stub.open.size === 0)
  })
})
