/** Calls of a thread whose loop of events is slower than its provider: answers lie there before the system told that their requests are sent. */
import { assert, describe, it } from "vitest"
import { once } from "node:events"
import { Worker } from "node:worker_threads"
import { ConnectionCounts } from "../../../src/upstream/http1/ConnectionCounts.ts"
import { ConnectionPool } from "../../../src/upstream/http1/ConnectionPool.ts"
import { endpointOf } from "../../../src/upstream/http1/Endpoint.ts"
import { makeAuthority } from "../../certificates.ts"
import { collect, request } from "./collect.ts"

const callers = 4
const callsOfEach = 50
/** Of each loop: time for the provider to answer what has just been sent. */
const busyMs = 3

const never = new Int32Array(new SharedArrayBuffer(4))

describe("calls over TLS on a busy thread", () => {
  it("go out on the few connections that are there", async () => {
    const authority = makeAuthority()
    const workerData = authority.issue("localhost")
    const provider = new Worker(new URL("secure-thread.ts", import.meta.url), { workerData, execArgv: [] })
    const [port] = await once(provider, "message")
    const counts = new ConnectionCounts()
    const pool = new ConnectionPool(
      endpointOf(`https://localhost:${port}`, { authorities: authority.cert }),
      counts
    )
    let left = callers * callsOfEach
    let isOver = false
    const delayLoop = (): void => {
      Atomics.wait(never, 0, 0, busyMs)
      if (!isOver) setImmediate(delayLoop)
    }
    const call = async (): Promise<void> => {
      while (left-- > 0) assert.strictEqual((await collect(pool, request))?.status, 200)
    }
    delayLoop()
    await Promise.all(Array.from({ length: callers }, call))
    isOver = true
    pool.close()
    await provider.terminate()
    assert.isAtMost(counts.opened, 2 * callers)
  }, 20_000)
})
