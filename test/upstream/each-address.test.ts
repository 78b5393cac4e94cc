/** How a connection is made where a name has several addresses. */
import { assert } from "@effect/vitest"
import { syncBuiltinESMExports } from "node:module"
import net from "node:net"
import { describe, it, vi } from "vitest"
import { endAfterEach, providerOf, reply, routesTo, start, startStub } from "./stub-providers.ts"

endAfterEach()

describe("a connection to a provider", () => {
  it("gives each address of its name the time of a trip around the world, not Node's 250 ms", async () => {
    const connect = vi.spyOn(net, "connect")
    syncBuiltinESMExports()
    const stub = await startStub(reply(200))
    await start().call(providerOf(routesTo(stub.port)))
    const options = JSON.stringify(connect.mock.calls[0])
    connect.mockRestore()
    syncBuiltinESMExports()
    assert.include(options, `"autoSelectFamily":true,"autoSelectFamilyAttemptTimeout":1000`)
  })
})
