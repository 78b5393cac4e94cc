/**
 * One HTTP/1.1 connection of the load generator, on a bare socket: request bytes are made beforehand and answers are
 * read no further than needed, so that the generator costs little beside what it measures. It trusts its servers.
 */
import { connect, type Socket } from "node:net"

export interface AnswerListener {
  /** Each piece of the body, as it arrives; its memory is used again for the next. */
  body(bytes: Buffer): void
  done(status: number): void
  failed(reason: string): void
}

type State = "head" | "length" | "chunk-size" | "chunk-data" | "chunk-end" | "trailer"

const headEnd = Buffer.from("\r\n\r\n")
const empty = Buffer.alloc(0)

/** What has just come, on whichever connection: memory of its own for each piece would make a call a quarter dearer. */
const received = Buffer.alloc(64 * 1024)

export class HttpConnection {
  readonly socket: Socket
  #listener: AnswerListener | undefined
  #rest: Buffer = empty
  #state: State = "head"
  #status = 0
  #remaining = 0
  #closed = false

  constructor(url: string) {
    const { hostname, port } = new URL(url)
    this.socket = connect({
      host: hostname,
      port: Number(port),
      noDelay: true,
      onread: {
        buffer: received,
        callback: (length) => {
          this.#read(received.subarray(0, length))
          return true
        }
      }
    })
    this.socket.on("error", (error) => this.#lost(error.message))
    this.socket.on("close", () => this.#lost("connection closed"))
  }

  get isClosed(): boolean {
    return this.#closed
  }

  send(request: Buffer, listener: AnswerListener): void {
    if (this.#closed) return listener.failed("connection closed")
    this.#listener = listener
    this.socket.write(request)
  }

  close(): void {
    this.#listener = undefined
    this.socket.destroy()
  }

  #lost(reason: string): void {
    this.#closed = true
    const listener = this.#listener
    this.#listener = undefined
    listener?.failed(reason)
  }

  #read(chunk: Buffer): void {
    let bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
    this.#rest = empty
    while (bytes.length > 0) {
      const used = this.#step(bytes)
      if (used === 0) {
        this.#rest = Buffer.from(bytes)
        return
      }
      bytes = bytes.subarray(used)
    }
  }

  /** Reads one part of the answer; answers how many bytes that took, 0 when it needs more. */
  #step(bytes: Buffer): number {
    switch (this.#state) {
      case "head":
        return this.#head(bytes)
      case "length":
      case "chunk-data": {
        const length = Math.min(bytes.length, this.#remaining)
        this.#remaining -= length
        this.#listener?.body(length === bytes.length ? bytes : bytes.subarray(0, length))
        if (this.#remaining === 0) {
          if (this.#state === "length") this.#done()
          else this.#state = "chunk-end"
        }
        return length
      }
      case "chunk-size": {
        const end = bytes.indexOf(10)
        if (end === -1) return 0
        this.#remaining = Number.parseInt(bytes.toString("latin1", 0, end), 16)
        this.#state = this.#remaining === 0 ? "trailer" : "chunk-data"
        return end + 1
      }
      case "chunk-end":
        if (bytes.length < 2) return 0
        this.#state = "chunk-size"
        return 2
      case "trailer":
        if (bytes.length < 2) return 0
        this.#done()
        return 2
    }
  }

  #head(bytes: Buffer): number {
    const end = bytes.indexOf(headEnd)
    if (end === -1) return 0
    const head = bytes.toString("latin1", 0, end)
    this.#status = Number(head.slice(9, 12))
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
    if (length === undefined) this.#state = "chunk-size"
    else {
      this.#remaining = Number(length)
      this.#state = "length"
      if (this.#remaining === 0) this.#done()
    }
    return end + headEnd.length
  }

  #done(): void {
    this.#state = "head"
    const listener = this.#listener
    this.#listener = undefined
    listener?.done(this.#status)
  }
}
