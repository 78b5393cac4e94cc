/** Writes an answer no faster than its client reads, however long that takes. */
import type { HttpResponse } from "uWebSockets.js"
import { holdOpen } from "../sockets/hold-open.ts"
import { type Bytes, fitsUnderCork, inPieces } from "../sockets/in-pieces.ts"
import type { Underway } from "./Underway.ts"

export class PacedWriter {
  readonly #res: HttpResponse
  /** Answers that are complete here and not yet taken by their clients. */
  readonly #unread: Underway
  #head: (() => void) | undefined
  /** What has to wait until the client has read what is buffered below. */
  #kept: Array<Bytes> = []
  /** Set while the client does not keep up. */
  #release: (() => void) | undefined
  #onWritable: (() => void) | undefined
  /** Set when all is said, and the client has not taken it yet. */
  #taken: (() => void) | undefined

  constructor(res: HttpResponse, unread: Underway) {
    this.#res = res
    this.#unread = unread
  }

  /** `head` goes out with the first bytes: alone it costs a system call, and uWebSockets.js ends it with them only. */
  begin(head: () => void): void {
    this.#head = head
    this.#watch(() => this.#drain())
  }

  /** `false` when the client does not keep up. */
  write(bytes: Bytes): boolean {
    for (const piece of inPieces(bytes)) {
      if (this.#release !== undefined) this.#kept.push(piece)
      else if (!this.#send(piece)) this.#block()
    }
    return this.#release === undefined
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
  endWith(head: () => void, body: Bytes, closes: boolean): void {
    const res = this.#res
    if (fitsUnderCork(body)) {
      res.cork(() => {
        head()
        res.end(body, closes)
      })
      return
    }
    const whole = typeof body === "string" ? Buffer.from(body) : body
    this.#taken = this.#unread.add()
    const send = () => {
      let done = false
      res.cork(() => {
        ;[, done] = res.tryEnd(whole.subarray(res.getWriteOffset()), whole.length)
      })
      if (done) this.forget()
      else this.#block()
    }
    this.#watch(send)
    res.cork(() => {
      head()
      send()
    })
  }

  /** The client has gone, or has everything. */
  forget(): void {
    this.#release?.()
    this.#release = undefined
    this.#kept = []
    this.#taken?.()
    this.#taken = undefined
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

  #block(): void {
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
    this.#onWritable?.()
  }

  #finish(last: Bytes): void {
    this.forget()
    this.#res.cork(() => {
      this.#writeHead()
      if (last.length > 0) this.#res.write(last)
      // Asked to close, uWebSockets.js would write that header here, into the body.
      this.#res.end()
    })
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
