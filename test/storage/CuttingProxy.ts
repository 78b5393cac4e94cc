/** Stands before a PostgreSQL and cuts every connection after a random number of bytes, in the midst of whatever they say. */
import { connect, createServer, type Server, type Socket } from "node:net"
import { listen } from "../listen.ts"
import type { Random } from "../Random.ts"

export class CuttingProxy {
  /** How many connections it has cut. */
  cuts = 0
  /** Lets everything pass from now on. */
  isCalm = false
  readonly #target: URL
  readonly #random: Random
  readonly #server: Server
  readonly #sockets = new Set<Socket>()

  constructor(databaseUrl: string, random: Random) {
    this.#target = new URL(databaseUrl)
    this.#random = random
    this.#server = createServer((client) => this.#accept(client))
  }

  /** The database's address through this proxy. */
  async start(): Promise<string> {
    const url = new URL(this.#target)
    url.hostname = "127.0.0.1"
    url.port = String(await listen(this.#server))
    return url.href
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  #accept(client: Socket): void {
    const server = connect(Number(this.#target.port), this.#target.hostname)
    // Most live through the start of a session, which is some 600 bytes; some do not, and some end on their first byte.
    let left = this.#random.below(this.#random.chance(0.3) ? 700 : 12_000)
    const cut = () => {
      if (client.destroyed) return
      this.cuts++
      if (this.#random.chance(0.5)) client.resetAndDestroy()
      else client.end()
      server.destroy()
    }
    const pass = (bytes: Buffer, to: Socket) => {
      if (this.isCalm || bytes.length <= left) {
        left -= bytes.length
        return void to.write(bytes)
      }
      to.write(bytes.subarray(0, Math.max(0, left)), () => setImmediate(cut))
      left = 0
    }
    for (const socket of [client, server]) {
      this.#sockets.add(socket)
      socket.on("error", () => {})
      socket.on("close", () => {
        this.#sockets.delete(socket)
        client.destroy()
        server.destroy()
      })
    }
    client.on("data", (bytes: Buffer) => pass(bytes, server))
    server.on("data", (bytes: Buffer) => pass(bytes, client))
  }
}
