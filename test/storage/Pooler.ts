/**
 * Stands before a PostgreSQL as a pooler does, and tells its clients of server processes that do not exist. In the mode
 * `transaction` all of them have one server connection, that of the first, each for as long as it asks something; in the
 * mode `session` each has its own.
 */
import type { Socket } from "node:net"
import { BeforeDatabase } from "./BeforeDatabase.ts"

export class Pooler extends BeforeDatabase {
  readonly #mode: "session" | "transaction"
  #shared: Socket | undefined
  /** Who hears what the shared connection answers. */
  #asking: Socket | undefined

  constructor(databaseUrl: string, mode: "session" | "transaction") {
    super(databaseUrl)
    this.#mode = mode
  }

  protected accept(client: Socket): void {
    if (this.#shared !== undefined) return this.#lend(client, this.#shared)
    const server = this.connect()
    server.on("data", (bytes: Buffer) => (this.#asking ?? client).write(withOtherProcess(bytes)))
    client.on("data", (bytes: Buffer) => {
      if (this.#mode === "transaction") this.#asking = client
      if (!isGoodbye(bytes) || this.#mode === "session") server.write(bytes)
    })
    if (this.#mode === "transaction") this.#shared = server
    else client.on("close", () => server.destroy())
  }

  #lend(client: Socket, server: Socket): void {
    client.once("data", () => {
      client.write(welcome)
      client.on("data", (bytes: Buffer) => {
        this.#asking = client
        if (!isGoodbye(bytes)) server.write(bytes)
      })
    })
  }
}

const isGoodbye = (bytes: Buffer): boolean => bytes[0] === 0x58

/** `BackendKeyData`: its type, its length, a process and its secret. */
const processTold = Buffer.from([0x4b, 0, 0, 0, 12])

const withOtherProcess = (bytes: Buffer): Buffer => {
  const at = bytes.indexOf(processTold)
  if (at === -1) return bytes
  const changed = Buffer.from(bytes)
  changed.writeUInt32BE(400_000_000, at + processTold.length)
  return changed
}

/** `AuthenticationOk`, a process that is none, and `ReadyForQuery`. */
const welcome = Buffer.concat([
  Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0]),
  processTold,
  Buffer.from([0x17, 0, 0, 0, 0, 0, 0, 1]),
  Buffer.from([0x5a, 0, 0, 0, 5, 0x49])
])
