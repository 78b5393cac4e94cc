/** Stands between a client and a PostgreSQL, and breaks their talk where a test wants it broken. */
import { createServer, connect, type Server, type Socket } from "node:net"
import { listen } from "../listen.ts"

export class DatabaseProxy {
  #target: URL
  readonly #server: Server
  readonly #clients = new Map<Socket, Socket>()
  /** What the server says no longer reaches the client. */
  dropsAnswers = false
  /** New connections are refused. */
  refuses = false
  /** Called with what clients send, before it is passed on. */
  onRequest: (bytes: Buffer) => void = () => {}
  /** Called when somebody connects. */
  onConnection: () => void = () => {}

  constructor(databaseUrl: string) {
    this.#target = new URL(databaseUrl)
    this.#server = createServer((client) => this.#accept(client))
  }

  /** Connections lead there from now on. */
  leadTo(databaseUrl: string): void {
    this.#target = new URL(databaseUrl)
  }

  /** The database's address through this proxy. */
  async start(): Promise<string> {
    const url = new URL(this.#target)
    url.hostname = "127.0.0.1"
    url.port = String(await listen(this.#server))
    return url.href
  }

  /** Cuts every connection; the server goes on with what it has been sent. */
  cut(): void {
    for (const [client, server] of this.#clients) {
      client.destroy()
      server.end()
    }
    this.#clients.clear()
  }

  async stop(): Promise<void> {
    this.cut()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  #accept(client: Socket): void {
    this.onConnection()
    if (this.refuses) return void client.destroy()
    const server = connect(Number(this.#target.port), this.#target.hostname)
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
    client.on("error", () => {})
    server.on("error", () => {})
  }
}
