/** Stands between a client and a PostgreSQL, and breaks their talk where a test wants it broken. */
import type { Socket } from "node:net"
import { BeforeDatabase } from "../storage/BeforeDatabase.ts"

export class DatabaseProxy extends BeforeDatabase {
  readonly #clients = new Map<Socket, Socket>()
  /** What the server says no longer reaches the client. */
  dropsAnswers = false
  /** New connections are refused. */
  refuses = false
  /** Called with what clients send, before it is passed on. */
  onRequest: (bytes: Buffer) => void = () => {}
  /** Called when somebody connects. */
  onConnection: () => void = () => {}

  /** Cuts every connection; the server goes on with what it has been sent. */
  cut(): void {
    for (const [client, server] of this.#clients) {
      client.destroy()
      server.end()
    }
    this.#clients.clear()
  }

  protected accept(client: Socket): void {
    this.onConnection()
    if (this.refuses) return void client.destroy()
    const server = this.connect()
    this.#clients.set(client, server)
    client.on("data", (bytes) => {
      this.onRequest(bytes)
      server.write(bytes)
    })
    server.on("data", (bytes) => {
      if (!this.dropsAnswers) client.write(bytes)
    })
    client.on("close", () => {
      server.end()
      this.#clients.delete(client)
    })
    server.on("close", () => client.destroy())
  }
}
