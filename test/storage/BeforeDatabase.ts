/** What stands before a PostgreSQL, whose clients come here instead. */
import { connect, createServer, type Server, type Socket } from "node:net"
import { listen } from "../listen.ts"

export abstract class BeforeDatabase {
  #target: URL
  readonly #server: Server
  readonly #sockets = new Set<Socket>()

  constructor(databaseUrl: string) {
    this.#target = new URL(databaseUrl)
    this.#server = createServer((client) => {
      this.#keep(client)
      this.accept(client)
    })
  }

  /** The database's address by this way. */
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

  /** Connections lead there from now on. */
  leadTo(databaseUrl: string): void {
    this.#target = new URL(databaseUrl)
  }

  protected abstract accept(client: Socket): void

  protected connect(): Socket {
    const server = connect(Number(this.#target.port), this.#target.hostname)
    this.#keep(server)
    return server
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket)
    socket.on("error", () => {}).on("close", () => this.#sockets.delete(socket))
  }
}
