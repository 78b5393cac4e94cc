/** Stands before a PostgreSQL and cuts every connection after a random number of bytes, in the midst of whatever they say. */
import type { Socket } from "node:net"
import type { Random } from "../Random.ts"
import { BeforeDatabase } from "./BeforeDatabase.ts"

export class CuttingProxy extends BeforeDatabase {
  /** How many connections it has cut. */
  cuts = 0
  /** Lets everything pass from now on. */
  isCalm = false
  readonly #random: Random

  constructor(databaseUrl: string, random: Random) {
    super(databaseUrl)
    this.#random = random
  }

  protected accept(client: Socket): void {
    const server = this.connect()
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
      socket.on("close", () => {
        client.destroy()
        server.destroy()
      })
    }
    client.on("data", (bytes: Buffer) => pass(bytes, server))
    server.on("data", (bytes: Buffer) => pass(bytes, client))
  }
}
