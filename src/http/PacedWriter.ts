/** Writes an answer no faster than its client reads, however long that takes. */
import type { HttpResponse } from "uWebSockets.js"
import { holdOpen } from "../sockets/hold-open.ts"
import { type Bytes, fitsUnderCork, inPieces } from "../sockets/in-pieces.ts"
import type { Underway } from "./Underway.ts"

export class PacedWriter {
  readonly #res: HttpResponse
  /** Answers that are complete here and not yet taken by their clients. */
  readonly #unread: Underway
  /** Runs what may end the exchange, and is told whether it did. */
  readonly #ending: (end: () => boolean) => void
  #head: (() => void) | undefined
  /** What has to wait until the client has read what is buffered below. */
  #kept: Array<Bytes> = []
  /** Set while the client does not keep up. */
  #release: (() => void) | undefined
  /** Set while the client is held against a clock that runs for no reason of its own. */
  #stopHolding: (() => void) | undefined
  #onWritable: (() => void) | undefined
  /** Set when all is said, and the client has not taken it yet. */
  #taken: (() => void) | undefined

  constructor(
    res: HttpResponse,
    unread: Underway,
    ending: (end: () => boolean) => void = (end) => void end()
  ) {
    this.#res = res
    this.#unread = unread
    this.#ending = ending
  }

  /** `head` goes out with the first bytes: alone it costs a system call, and uWebSockets.js ends it with them only. */
  begin(head: () => void): void {
    this.#head = head
    this.#watch(() => this.#drain())
    this.outlastClock()
  }

  /** `false` when the client does not keep up. */
  write(bytes: Bytes): boolean {
    for (const piece of inPieces(bytes)) {
      if (this.#release !== undefined) this.#kept.push(piece)
      else if (!this.#send(piece)) this.#block()
    }
    return this.#release === undefined
  }

  /**
   * The clock of uWebSockets.js may run though all of the request has come, and nothing that is written stops it: it was
   * started by reading on, or by a last piece that found no room, of which nobody is told before the next. The connection
   * is held against it until the client is the one who is waited for, or the answer is over.
   */
  outlastClock(): void {
    this.#stopHolding ??= holdOpen(this.#res, Infinity)
  }

  /** Runs `listener` whenever the client can take more again. */
  whenWritable(listener: () => void): void {
    this.#onWritable = listener
  }

  /** The answer ends with `bytes`, once all before them is sent. */
  end(bytes: Bytes): void {
    if (this.#release === undefined && fitsUnderCork(bytes)) return this.#finish(bytes)
    this.#kept.push(...inPieces(bytes))
    this.#taken = this.#unread.add()
    if (this.#release === undefined) this.#sendKept()
  }

  /** Sends a whole answer, with its length. */
  endWith(head: () => void, body: Bytes): void {
    const whole = () => (typeof body === "string" ? Buffer.from(body) : body)
    if (!fitsUnderCork(body)) return this.#sendWhole(head, whole())
    let over = false
    this.#res.cork(() => {
      head()
      this.#ending(() => (over = this.#res.tryEnd(body, Buffer.byteLength(body))[1]))
    })
    // Behind what its client has not read of former answers.
    if (!over) this.#sendWhole(() => {}, whole())
  }

  /**
   * Sends a whole answer after which the connection is still read, or closed, by whoever is told that it is `sent`: as
   * long as a byte more than there is seems to be missing, uWebSockets.js neither ends the exchange nor takes another.
   */
  sendWith(head: () => void, body: Bytes, sent: () => void): void {
    const whole = typeof body === "string" ? Buffer.from(body) : body
    const headAndLength = () => {
      head()
      this.#res.tryEnd("", whole.length)
    }
    this.#sendWhole(headAndLength, whole, whole.length + 1, sent)
  }

  /** The client has gone, or has everything. */
  forget(): void {
    this.#letGo()
    this.#release?.()
    this.#release = undefined
    this.#kept = []
    this.#taken?.()
    this.#taken = undefined
  }

  /** `total` is what uWebSockets.js waits for: with all of it the exchange ends. */
  #sendWhole(head: () => void, whole: Uint8Array, total = whole.length, sent = () => {}): void {
    const res = this.#res
    this.#taken = this.#unread.add()
    let over = false
    const send = (begin: () => void) => {
      if (over) return
      res.cork(() => {
        begin()
        this.#ending(() => (over = res.tryEnd(whole.subarray(res.getWriteOffset()), total)[1]))
      })
      if (over) return this.forget()
      // Nothing more to send: whether what was buffered below has found room.
      if (res.getWriteOffset() === whole.length) res.cork(() => (over = res.tryEnd("", total)[0]))
      if (!over) return this.#block()
      this.forget()
      sent()
    }
    this.#watch(() => send(() => {}))
    send(head)
  }

  /**
   * From the start: nobody is told when the last piece under a cork finds no room. Unwatched, uWebSockets.js sends it
   * when there is some, and then closes the connection ten seconds later, whatever else is sent on it.
   */
  #watch(onWritable: () => void): void {
    this.#res.onWritable(() => {
      onWritable()
      return true
    })
  }

  #letGo(): void {
    this.#stopHolding?.()
    this.#stopHolding = undefined
  }

  /** From here on a client that reads nothing has its time, and one that reads again stops the clock. */
  #block(): void {
    this.#letGo()
    this.#release?.()
    this.#release = holdOpen(this.#res)
  }

  #drain(): void {
    // Sends what is buffered below, which nobody else does while somebody watches.
    this.#res.cork(() => {})
    if (this.#release !== undefined) this.#sendKept()
  }

  #sendKept(): void {
    for (let piece = this.#kept.shift(); piece !== undefined; piece = this.#kept.shift()) {
      if (!this.#send(piece)) return this.#block()
    }
    if (this.#taken !== undefined) return this.#finish("")
    this.#release?.()
    this.#release = undefined
    this.outlastClock()
    this.#onWritable?.()
  }

  #finish(last: Bytes): void {
    let keepsUp = true
    this.#res.cork(() => {
      this.#writeHead()
      if (last.length > 0) keepsUp = this.#res.write(last)
      if (keepsUp) this.#ending(() => this.#end())
    })
    if (keepsUp) return this.forget()
    this.#taken ??= this.#unread.add()
    this.#block()
  }

  #end(): boolean {
    // Asked to close, uWebSockets.js would write that header here, into the body.
    this.#res.end()
    return true
  }

  #send(piece: Bytes): boolean {
    let keepsUp = true
    this.#res.cork(() => {
      this.#writeHead()
      keepsUp = this.#res.write(piece)
    })
    return keepsUp
  }

  #writeHead(): void {
    this.#head?.()
    this.#head = undefined
  }
}
