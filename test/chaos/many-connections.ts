/**
 * What is left of connections that are over: `node --expose-gc test/chaos/many-connections.ts [connections]` opens one for each
 * call, and prints the memory in use after each tenth of them, which must stay as it is.
 */
import { createServer, type Socket } from "node:net"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { ConnectionPool } from "../../src/upstream/http1/ConnectionPool.ts"
import { endpointOf } from "../../src/upstream/http1/Endpoint.ts"
import { listen } from "../listen.ts"
import { collect, request } from "../upstream/http1/collect.ts"
import { reply } from "../upstream/stub-providers.ts"
import { delay } from "../delay.ts"

setFlagsFromString("--expose-gc")
const collectGarbage = runInNewContext("gc") as () => void

const callers = 16

export interface MemoryInUse {
  readonly heapBytes: number
  readonly residentBytes: number
}

/** Opens and closes so many connections; the memory in use after each of the steps. */
export const openAndClose = async (
  connections: number,
  steps: number
): Promise<ReadonlyArray<MemoryInUse>> => {
  const serve = (socket: Socket) => {
    socket.on("error", () => {})
    socket.on("data", () => socket.end(reply(200, "connection: close\r\n")))
  }
  const server = createServer(serve)
  const pool = new ConnectionPool(endpointOf(`http://127.0.0.1:${await listen(server)}`))
  const found: Array<MemoryInUse> = []
  for (let step = 0; step < steps; step++) {
    let left = connections / steps
    const call = async (): Promise<void> => {
      while (left-- > 0)
        if ((await collect(pool, request, 10_000))?.status !== 200) throw new Error("a call has failed")
    }
    await Promise.all(Array.from({ length: callers }, call))
    await delay(20)
    collectGarbage()
    const { arrayBuffers, heapUsed, rss } = process.memoryUsage()
    found.push({ heapBytes: heapUsed + arrayBuffers, residentBytes: rss })
  }
  pool.close()
  server.close()
  return found
}

if (import.meta.main) {
  const connections = Number(process.argv[2] ?? 100_000)
  for (const { heapBytes, residentBytes } of await openAndClose(connections, 10))
    process.stdout.write(
      `heap ${(heapBytes / 1e6).toFixed(2)} MB, resident ${(residentBytes / 1e6).toFixed(0)} MB\n`
    )
}
