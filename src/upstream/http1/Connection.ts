/** One connection to a provider. It carries one call at a time, so that one which breaks or is read slowly concerns no other. */
import type { Socket } from "node:net"
import { AnswerReader } from "./AnswerReader.ts"
import { openSocket, type Origin, received } from "./open-socket.ts"
import type { AnswerHead } from "./read-head.ts"

/** Bytes as they go out: the head of a request, and its body. */
export interface Outgoing {
  readonly head: string
  readonly body: Uint8Array
}

/** Who hears of one call: head, data and end in this order, or a failure at any time; nothing after the end or a failure. */
export interface AnswerListener {
  /** The request goes out now: from here on the provider may be at work. */
  onSent(connection: Connection): void
  onHead(head: AnswerHead): void
  /** `bytes` are the listener's to keep. */
  onData(bytes: Buffer): void
  onEnd(): void
  /** `reason`: a code of the operating system or of TLS, or a word of ours. */
  onFailure(reason: string): void
}

/** Who keeps connections between calls. */
export interface ConnectionKeeper {
  /** It can carry another call; `head` is that of its last answer. */
  release(connection: Connection, head: AnswerHead): void
  forget(connection: Connection): void
}

/** A body that is no larger goes out in one piece with the head of its request. */
const wholeBytesMax = 64 * 1024
/** Larger ones go out in slices: TLS would encrypt all of one at once, while everybody else waits. */
const sliceBytes = 256 * 1024

/** From the first byte of a head to its last: heads come at once, or never. */
const headMs = 15_000

const nothing = new Uint8Array()

export class Connection {
  readonly #socket: Socket
  readonly #keeper: ConnectionKeeper
  readonly #connectTimer: NodeJS.Timeout
  #isConnected = false
  #listener: AnswerListener | undefined
  #reader = new AnswerReader()
  /** Waits for the connection. */
  #outgoing: Outgoing | undefined
  /** What of a large body has not been given to the socket yet. */
  #unsent: Uint8Array = nothing
  #isPaused = false
  #headTimer: NodeJS.Timeout | undefined
  /** Of an idle one: when it is to be closed, ms since 1970. */
  idleUntilMs = 0

  constructor(origin: Origin, connectTimeoutMs: number, keeper: ConnectionKeeper) {
    this.#keeper = keeper
    this.#socket = openSocket(origin, (length) => this.#read(length))
      .once(origin.isSecure ? "secureConnect" : "connect", () => this.#connected())
      .on("drain", () => this.#sendOn())
      .on("end", () => this.#ended())
      .on("error", (error) => this.close("code" in error ? String(error.code) : error.name))
      .on("close", () => this.close("closed"))
    this.#connectTimer = setTimeout(() => this.close("connect timeout"), connectTimeoutMs)
  }

  send(outgoing: Outgoing, listener: AnswerListener): void {
    this.#listener = listener
    if (this.#isConnected) this.#send(outgoing)
    else this.#outgoing = outgoing
  }

  /** Stops reading while it carries this listener's call; what has been read already still comes. */
  pause(listener: AnswerListener): void {
    if (this.#listener !== listener) return
    this.#isPaused = true
    this.#socket.pause()
  }

  resume(listener: AnswerListener): void {
    if (this.#listener === listener) this.#readOn()
  }

  /** Breaks this listener's call off, which hears no more. */
  abort(listener: AnswerListener): void {
    if (this.#listener !== listener) return
    this.#listener = undefined
    this.close("aborted")
  }

  close(reason: string): void {
    const listener = this.#listener
    this.#listener = undefined
    clearTimeout(this.#connectTimer)
    clearTimeout(this.#headTimer)
    this.#keeper.forget(this)
    this.#socket.destroy()
    listener?.onFailure(reason)
  }

  #connected(): void {
    clearTimeout(this.#connectTimer)
    this.#isConnected = true
    const outgoing = this.#outgoing
    this.#outgoing = undefined
    if (outgoing !== undefined) this.#send(outgoing)
  }

  #send({ body, head }: Outgoing): void {
    const listener = this.#listener!
    listener.onSent(this)
    // It may have been given up while it waited for the connection.
    if (this.#listener !== listener) return
    if (body.byteLength <= wholeBytesMax) {
      const bytes = Buffer.allocUnsafe(head.length + body.byteLength)
      bytes.set(body, bytes.write(head, "latin1"))
      this.#socket.write(bytes)
      return
    }
    this.#unsent = body
    this.#socket.cork()
    this.#socket.write(head, "latin1")
    this.#sendOn()
    this.#socket.uncork()
  }

  /** As much as the socket takes; it says when it takes more. */
  #sendOn(): void {
    let takesMore = true
    while (takesMore && this.#unsent.byteLength > 0) {
      const slice = this.#unsent.subarray(0, sliceBytes)
      this.#unsent = this.#unsent.subarray(sliceBytes)
      takesMore = this.#socket.write(slice)
    }
    // An empty piece of the body would keep all of it in memory, for as long as the connection is used.
    if (this.#unsent.byteLength === 0) this.#unsent = nothing
  }

  /** The next `length` bytes have come. */
  #read(length: number): void {
    const listener = this.#listener
    // Bytes that nobody asked for would be taken for the next call's answer.
    if (listener === undefined) return this.close("surplus")
    const { body, head, outcome } = this.#reader.read(received.subarray(0, length))
    if (head !== undefined) listener.onHead(head)
    if (body !== undefined && this.#listener === listener) listener.onData(body)
    if (this.#listener !== listener) return
    if (this.#reader.isWithinHead || this.#headTimer !== undefined) this.#limitHead()
    if (outcome === "more") return
    if (outcome === "broken") return this.close("malformed")
    this.#finish(listener, outcome === "ended")
  }

  #limitHead(): void {
    if (this.#reader.isWithinHead) this.#headTimer ??= setTimeout(() => this.close("head timeout"), headMs)
    else {
      clearTimeout(this.#headTimer)
      this.#headTimer = undefined
    }
  }

  /** The provider has closed its side. */
  #ended(): void {
    const listener = this.#listener
    if (listener !== undefined && this.#reader.head?.framing === "close") this.#finish(listener, false)
    else this.close("closed")
  }

  #finish(listener: AnswerListener, isExact: boolean): void {
    this.#listener = undefined
    const head = this.#reader.head!
    // An idle connection keeps nothing of the answer before.
    this.#reader = new AnswerReader()
    // A provider that answered before it took all of a body may never read the rest, nor what is sent behind it.
    const isSent = this.#unsent.byteLength === 0 && this.#socket.writableLength === 0
    if (isExact && isSent && head.keepsAlive) {
      // An idle connection is read from too, or nobody would see it being closed.
      this.#readOn()
      this.#keeper.release(this, head)
    } else this.close("finished")
    listener.onEnd()
  }

  #readOn(): void {
    if (!this.#isPaused) return
    this.#isPaused = false
    this.#socket.resume()
  }
}
