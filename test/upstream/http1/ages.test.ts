/** How long connections are kept, and that one is ready where traffic is steady. */
import { afterEach, assert, beforeEach, describe, it, vi } from "vitest"
import { setImmediate as nextLoop } from "node:timers/promises"
import { steadyMs } from "../../../src/telemetry/steady-clock.ts"
import { ConnectionCounts } from "../../../src/upstream/http1/ConnectionCounts.ts"
import { ConnectionPool } from "../../../src/upstream/http1/ConnectionPool.ts"
import { endpointOf } from "../../../src/upstream/http1/Endpoint.ts"
import { endAfterEach, reply, startStub, type Stub } from "../stub-providers.ts"
import { collect, poolTo, request } from "./collect.ts"
import { until } from "../../until.ts"

endAfterEach()
beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }))
afterEach(() => void vi.useRealTimers())

/** So much time has passed, and what was on its way has arrived. */
const pass = async (pool: ConnectionPool, seconds: number, tickEvery = seconds): Promise<void> => {
  for (let second = 0; second < seconds; second += tickEvery) {
    vi.advanceTimersByTime(tickEvery * 1_000)
    pool.tick(steadyMs())
    for (let loop = 0; loop < 20; loop++) await nextLoop()
  }
}

/** One call every so many seconds, all of them answered; how many connections were opened meanwhile. */
const callEvery = async (pool: ConnectionPool, stub: Stub, seconds: number, calls: number) => {
  const seen = new Set<unknown>()
  for (let call = 0; call < calls; call++) {
    assert.strictEqual((await collect(pool, request))?.status, 200)
    for (const socket of stub.open) seen.add(socket)
    await pass(pool, seconds, 1)
  }
  return seen.size
}

describe("a connection", () => {
  it("is closed when it was idle for long, the one used last only later", async () => {
    const stub = await startStub(reply(200))
    const pool = poolTo(stub)
    await Promise.all([collect(pool, request), collect(pool, request)])
    await pass(pool, 20)
    await collect(pool, request)
    await pass(pool, 11)
    assert.strictEqual(stub.open.size, 1)
    pool.close()
  })

  it("is closed in time where the machine's clock is set back, and not before where it is set ahead", async () => {
    const stub = await startStub(reply(200))
    const pool = poolTo(stub)
    await collect(pool, request)
    const realNow = Date.now
    const clock = vi.spyOn(Date, "now").mockImplementation(() => realNow() + 30 * 86_400_000)
    await pass(pool, 10)
    assert.strictEqual(stub.open.size, 1)
    clock.mockImplementation(() => realNow() - 30 * 86_400_000)
    await pass(pool, 30)
    assert.strictEqual(stub.open.size, 0)
    clock.mockRestore()
    pool.close()
  })

  it("that nobody needs any more is the last", async () => {
    const stub = await startStub(reply(200))
    const pool = poolTo(stub)
    await Promise.all([collect(pool, request), collect(pool, request)])
    await pass(pool, 120, 1)
    assert.deepStrictEqual([stub.open.size, pool.open, pool.idle], [0, 0, 0])
    pool.close()
  })

  it("is closed behind the call that has made it old", async () => {
    const stub = await startStub(reply(200))
    const pool = poolTo(stub)
    stub.answer = (socket) => {
      vi.advanceTimersByTime(301_000)
      socket.write(reply(200))
    }
    await collect(pool, request)
    await until(() => stub.open.size === 0)
    assert.strictEqual(pool.open, 0)
    pool.close()
  })

  it.each([1, 3, 20])(
    "makes room for a younger one while calls come every %i s, before it is old",
    async (seconds) => {
      const stub = await startStub(reply(200))
      const pool = poolTo(stub)
      let longestMs = 0
      const ages = new Map<unknown, number>()
      for (let call = 0; call * seconds < 900; call++) {
        assert.strictEqual((await collect(pool, request))?.status, 200)
        for (const socket of stub.open) {
          if (!ages.has(socket)) ages.set(socket, steadyMs())
          longestMs = Math.max(longestMs, steadyMs() - ages.get(socket)!)
        }
        await pass(pool, seconds, 1)
      }
      assert.isAtMost(longestMs, 300_000)
      // Three or four, one after the other, and none of them made while a call waited for it.
      assert.isAtMost(ages.size, 6)
      pool.close()
    }
  )

  it("is ready before it is needed where one was used up and calls come steadily", async () => {
    const stub = await startStub(reply(200, "connection: close\r\n"))
    const counts = new ConnectionCounts()
    const pool = new ConnectionPool(endpointOf(`http://127.0.0.1:${stub.port}`), counts)
    for (let call = 0; call < 10; call++) {
      assert.strictEqual((await collect(pool, request))?.status, 200)
      await pass(pool, 2, 1)
    }
    // The first two calls had to wait for theirs: before them nothing was known to be steady.
    assert.strictEqual(counts.reused, 8)
    pool.close()
  })

  it("is not made again at once where its provider closes it unused, or none can be made", async () => {
    const stub = await startStub(reply(200))
    const pool = poolTo(stub)
    await collect(pool, request)
    await collect(pool, request)
    let closed = 0
    for (let second = 0; second < 50; second++) {
      closed += stub.open.size
      for (const socket of stub.open) socket.destroy()
      await pass(pool, 1)
    }
    assert.isAtMost(closed, 8)
    assert.isAtLeast(closed, 3)
    pool.close()
  })

  it("is kept by a told patience, and one call in ten seconds makes no other", async () => {
    const stub = await startStub(reply(200, "keep-alive: timeout=120\r\n"))
    const pool = poolTo(stub)
    assert.strictEqual(await callEvery(pool, stub, 10, 12), 1)
    pool.close()
  })

  it("of a provider that is configured no more ends with its call, and none is kept", async () => {
    const stub = await startStub(reply(200))
    const pool = poolTo(stub)
    await Promise.all([collect(pool, request), collect(pool, request)])
    await pass(pool, 1)
    const last = collect(pool, request)
    await until(() => stub.calls === 3)
    pool.retire()
    assert.strictEqual((await last)?.status, 200)
    assert.strictEqual((await collect(pool, request))?.status, 200)
    await until(() => stub.open.size === 0)
    assert.isTrue(pool.isEmpty)
    pool.close()
  })
})
