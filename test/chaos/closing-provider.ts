/**
 * Calls to a provider that closes idle connections at random, unannounced: `node test/chaos/closing-provider.ts [calls] [https]`
 * prints how many failed, which must be none, and how many met a closing connection.
 */
import { createServer as createPlain, type Server, type Socket } from "node:net"
import { createServer as createSecure } from "node:tls"
import { ConnectionCounts } from "../../src/upstream/http1/ConnectionCounts.ts"
import { ConnectionPool } from "../../src/upstream/http1/ConnectionPool.ts"
import { endpointOf } from "../../src/upstream/http1/Endpoint.ts"
import { makeAuthority } from "../certificates.ts"
import { listen } from "../listen.ts"
import { Random } from "../Random.ts"
import { collect, request } from "../upstream/http1/collect.ts"
import { reply } from "../upstream/stub-providers.ts"
import { delay } from "../delay.ts"

const callers = 32
/** Of idle connections, how many are closed within a few milliseconds. */
const closedShare = 0.3
const idleMsMax = 4

export interface ClosingRun {
  readonly failed: number
  readonly counts: ConnectionCounts
}

/** Makes `calls` calls, some dozens at once, with pauses between them. */
export const callClosingProvider = async (
  calls: number,
  seed: number,
  isSecure: boolean
): Promise<ClosingRun> => {
  const random = new Random(seed)
  const authority = makeAuthority()
  const open = new Set<Socket>()
  const serve = (socket: Socket) => {
    open.add(socket)
    let timer: NodeJS.Timeout | undefined
    socket.on("error", () => {}).on("close", () => open.delete(socket))
    socket.on("data", (data) => {
      if (!data.includes("POST ")) return
      clearTimeout(timer)
      socket.write(reply(200))
      if (!random.chance(closedShare)) return
      // Some end, some reset, some say first that it was too long.
      const close = random.pick([
        () => socket.end(),
        () => (isSecure ? socket.destroy() : socket.resetAndDestroy()),
        () => socket.end(reply(408, "connection: close\r\n"))
      ])
      timer = setTimeout(close, random.below(idleMsMax))
    })
  }
  const server: Server = isSecure ? createSecure(authority.issue("localhost"), serve) : createPlain(serve)
  const counts = new ConnectionCounts()
  const url = `${isSecure ? "https" : "http"}://localhost:${await listen(server)}`
  const pool = new ConnectionPool(endpointOf(url, { authorities: authority.cert }), counts)
  let left = calls
  let failed = 0
  const call = async (): Promise<void> => {
    while (left-- > 0) {
      const answer = await collect(pool, request, 10_000)
      if (answer?.status !== 200) failed++
      await delay(random.below(idleMsMax))
    }
  }
  await Promise.all(Array.from({ length: callers }, call))
  pool.close()
  for (const socket of open) socket.destroy()
  server.close()
  return { failed, counts }
}

if (import.meta.main) {
  const calls = Number(process.argv[2] ?? 100_000)
  const { counts, failed } = await callClosingProvider(calls, Date.now() % 1e9, process.argv[3] === "https")
  const { opened, reused, sentAgain } = counts
  process.stdout.write(`${JSON.stringify({ calls, failed, opened, reused, sentAgain })}\n`)
}
