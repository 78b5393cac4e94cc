/** How long a provider may take, and that nothing is left of a call that took longer. */
import { assert } from "@effect/vitest"
import { describe, it } from "vitest"
import {
  endAfterEach,
  faultOf,
  providerOf,
  reply,
  routesTo,
  start,
  startStub,
  untilClosed
} from "./stub-providers.ts"
import { steadyMs } from "../../src/telemetry/steady-clock.ts"

endAfterEach()

describe("limits of time", () => {
  it("end a call whose upstream never answers, and its connection", async () => {
    const only = await startStub(() => {})
    const { call, watched } = start()
    const { exit, outcomes } = await call(providerOf(routesTo(only.port), { firstByteTimeoutMs: 50 }))
    assert.strictEqual(faultOf(exit), "timeout")
    assert.deepStrictEqual(outcomes, ["p#0 timeout"])
    await untilClosed(only)
    assert.strictEqual(watched(), 0)
  })

  it("end a call whose upstream stops in the middle of its answer", async () => {
    const only = await startStub("HTTP/1.1 200 X\r\ncontent-length: 20\r\n\r\nbegin")
    const { call } = start()
    const { exit } = await call(providerOf(routesTo(only.port), { idleTimeoutMs: 50 }))
    assert.strictEqual(faultOf(exit), "timeout")
    await untilClosed(only)
  })

  it("end a call that goes on beyond the limit of the whole, however lively it is", async () => {
    const only = await startStub((socket) => {
      socket.write("HTTP/1.1 200 X\r\ntransfer-encoding: chunked\r\n\r\n")
      const timer = setInterval(() => socket.write("1\r\nx\r\n"), 50)
      socket.on("close", () => clearInterval(timer))
    })
    const { call } = start()
    const { exit } = await call(providerOf(routesTo(only.port)), steadyMs() + 500)
    assert.strictEqual(faultOf(exit), "timeout")
    await untilClosed(only)
  })

  it("leave nothing watched when calls have ended well", async () => {
    const only = await startStub(reply(200))
    const { call, watched } = start()
    await Promise.all(Array.from({ length: 20 }, () => call(providerOf(routesTo(only.port)))))
    assert.strictEqual(watched(), 0)
  })
})
