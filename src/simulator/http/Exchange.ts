/** One request and its answer on uWebSockets.js, which frees the request at once and forbids touching a gone client. */
import type { HttpRequest, HttpResponse } from "uWebSockets.js"
import { holdOpen } from "../../sockets/hold-open.ts"
import { type Frame, type HeaderList, statusLine } from "./Answer.ts"

export class Exchange {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly headers: Readonly<Record<string, string>>
  body: Buffer = Buffer.alloc(0)
  #res: HttpResponse
  #open = true
  #onGone = () => {}
  #listening = false
  /** Set while the reader does not keep up. */
  #held: (() => void) | undefined

  constructor(res: HttpResponse, req: HttpRequest) {
    this.#res = res
    this.method = req.getMethod()
    this.path = req.getUrl()
    this.query = req.getQuery() ?? ""
    const headers: Record<string, string> = {}
    req.forEach((name, value) => {
      headers[name] = value
    })
    this.headers = headers
    res.onAborted(() => {
      this.#open = false
      this.#release()
      this.#onGone()
    })
  }

  get open(): boolean {
    return this.#open
  }

  /** Runs `listener` if the client leaves, or is thrown out, before the answer is complete. */
  onGone(listener: () => void): void {
    this.#onGone = listener
  }

  readBody(done: () => void): void {
    const chunks: Array<Buffer> = []
    this.#res.onData((chunk, isLast) => {
      // The memory of a chunk is only lent.
      chunks.push(Buffer.from(chunk.slice(0)))
      if (!isLast) return
      this.body = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)
      done()
    })
  }

  /** Everything inside goes out in as few packets as fit. */
  cork(send: () => void): void {
    if (this.#open) this.#res.cork(send)
  }

  begin(status: number, headers: HeaderList): void {
    this.#res.writeStatus(statusLine(status))
    for (const [name, value] of headers) this.#res.writeHeader(name, value)
  }

  /** False when the reader has to catch up first: `whenWritable` says when. */
  write(frame: Frame): boolean {
    const roomLeft = this.#res.write(frame)
    if (!roomLeft) this.#holdOpen()
    return roomLeft
  }

  /** A part of a body of `total` bytes, from `offset` on; false when the reader has to catch up first. */
  writePart(bytes: Uint8Array, total: number): boolean {
    const [roomLeft, done] = this.#res.tryEnd(bytes, total)
    if (done) {
      this.#open = false
      this.#release()
    } else if (!roomLeft) this.#holdOpen()
    return roomLeft || done
  }

  /** Bytes of the body that have been taken by the connection. */
  get offset(): number {
    return this.#res.getWriteOffset()
  }

  whenWritable(listener: () => void): void {
    if (this.#listening) return
    this.#listening = true
    this.#res.onWritable(() => {
      this.#release()
      listener()
      return true
    })
  }

  end(body?: Frame): void {
    if (!this.#open) return
    this.#open = false
    this.#release()
    this.#res.end(body)
  }

  /** Breaks the connection. */
  destroy(): void {
    if (this.#open) this.#res.close()
  }

  #holdOpen(): void {
    this.#held ??= holdOpen(this.#res)
  }

  #release(): void {
    this.#held?.()
    this.#held = undefined
  }
}
