/** A head that has begun to come has a limit of time; before it, a model may think. */
import { afterEach, assert, describe, it, vi } from "vitest"
import type { Socket } from "node:net"
import { setImmediate as nextLoop } from "node:timers/promises"
import { endAfterEach, startStub, untilClosed } from "../stub-providers.ts"
import { collect, failureOf, poolTo, request } from "./collect.ts"
import { until } from "../../until.ts"

endAfterEach()
afterEach(() => void vi.useRealTimers())

/** What has been sent arrives meanwhile. */
const loops = async (count: number): Promise<void> => {
  for (let loop = 0; loop < count; loop++) await nextLoop()
}

describe("a call", () => {
  it.each([
    ["", "HTTP/1.1 200 OK\r\n"],
    ["HTTP/1.1 100 Continue\r\n\r\n", "HTTP/1.1 200 OK\r\na: b\r\n"],
    ["", "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r"]
  ])(
    "fails where its head has begun and does not end in time, and not before: %j %j",
    async (before, begun) => {
      vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
      let provider: Socket
      const stub = await startStub((socket) => {
        provider = socket
        socket.write(before)
      })
      const pool = poolTo(stub)
      const reasons: Array<string> = []
      const failed = failureOf(pool).then((reason) => reasons.push(reason))
      await until(() => stub.calls === 1)
      await loops(20)
      // As long as nothing of the head has come, the provider may think.
      vi.advanceTimersByTime(60_000)
      provider!.write(begun)
      await loops(20)
      vi.advanceTimersByTime(14_000)
      await loops(20)
      assert.deepStrictEqual(reasons, [])
      vi.advanceTimersByTime(1_001)
      await failed
      assert.deepStrictEqual(reasons, ["head timeout"])
      await untilClosed(stub)
    }
  )

  it("is not ended by the time of a head that has come in two pieces", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
    let provider: Socket
    const stub = await startStub((socket) => {
      provider = socket
      socket.write("HTTP/1.1 200 OK\r\n")
    })
    const pool = poolTo(stub)
    const answered = collect(pool, request)
    await until(() => stub.calls === 1)
    await loops(20)
    provider!.write("content-length: 2\r\n\r\n")
    await loops(20)
    vi.advanceTimersByTime(60_000)
    provider!.write("{}")
    assert.strictEqual((await answered)?.body, "{}")
    pool.close()
  })
})
