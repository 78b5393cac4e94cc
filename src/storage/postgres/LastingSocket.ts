/**
 * The socket that a postgres.js client is given. It outlives its TCP connection: bytes written after the end go nowhere,
 * and `close` is told only when `Connection` says so. Why stands in `Connection.ts`.
 */
import { EventEmitter } from "node:events"
import type { Socket } from "node:net"
import { connectionClosed } from "./open-socket.ts"

/** How long the server may take to close its side after a goodbye. */
const goodbyeMs = 1_000

export class LastingSocket extends EventEmitter {
  readonly #onEnd: () => void
  readonly #opening = new AbortController()
  #socket: Socket | undefined
  /** Written while the connection was still being opened. */
  #early: Array<Uint8Array> = []
  #ended = false

  /** `onEnd` is called once: the connection has ended, by whomever. */
  constructor(open: (signal: AbortSignal) => Promise<Socket>, onEnd: () => void) {
    super()
    this.#onEnd = onEnd
    // An error that nobody listens for would be thrown.
    this.on("error", () => {})
    // The client listens a moment after it was given the socket.
    setImmediate(() => {
      if (this.#ended) return
      open(this.#opening.signal).then(
        (socket) => this.#connected(socket),
        (cause: unknown) => this.#end(cause)
      )
    })
  }

  get readyState(): "opening" | "open" | "closed" {
    if (this.#ended) return "closed"
    return this.#socket === undefined ? "opening" : "open"
  }

  write(bytes: Uint8Array): boolean {
    if (this.#ended) return true
    if (this.#socket !== undefined) return this.#socket.write(bytes)
    this.#early.push(bytes)
    return true
  }

  /** Says goodbye, and does not wait for long until the server has heard it. */
  end(bytes: Uint8Array): void {
    const socket = this.#socket
    if (this.#ended || socket === undefined) return
    socket.end(bytes)
    const timer = setTimeout(() => socket.destroy(), goodbyeMs)
    socket.once("close", () => clearTimeout(timer))
    this.#end(undefined)
  }

  /** After a goodbye there is nothing left to do. */
  destroy(cause?: Error): void {
    if (this.#ended) return
    this.#socket?.destroy()
    this.#end(cause)
  }

  #connected(socket: Socket): void {
    if (this.#ended) return void socket.destroy()
    this.#socket = socket
    socket.on("data", (bytes) => {
      if (!this.#ended) this.emit("data", bytes)
    })
    socket.on("drain", () => {
      if (!this.#ended) this.emit("drain")
    })
    socket.on("error", (cause) => this.#end(cause))
    // The server has said its last word; a half-open connection is of no use.
    socket.on("end", () => socket.destroy())
    socket.on("close", () => this.#end(undefined))
    for (const bytes of this.#early.splice(0)) socket.write(bytes)
  }

  #end(cause: unknown): void {
    if (this.#ended) return
    this.#ended = true
    this.#early = []
    this.#opening.abort()
    // Ends every query that waits for an answer.
    this.emit("error", cause ?? connectionClosed())
    this.#onEnd()
  }
}
