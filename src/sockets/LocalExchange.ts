/**
 * One HTTP request and its answer, where only this machine can ask: on the dashboard's own port and on the simulator's.
 *
 * uWebSockets.js frees the request when its handler returns, and forbids touching the response of a client that has left.
 */
import type { HttpRequest, HttpResponse } from "uWebSockets.js"
import { byteText } from "./byte-text.ts"
import { endHead } from "./end-head.ts"
import { holdOpen } from "./hold-open.ts"
import { type Bytes, inPieces } from "./in-pieces.ts"
import { type HeaderList, writeHead } from "./write-head.ts"

export class LocalExchange {
  /** In lower case. */
  readonly method: string
  /** Without the query. */
  readonly path: string
  readonly query: string
  /** Names in lower case; what came several times is joined by ", ". A character for each byte. */
  readonly headers: Readonly<Record<string, string>>
  readonly #res: HttpResponse
  /** The answer is not complete yet, and the client is there. */
  #open = true
  #corked = false
  #onGone = () => {}
  /** Set while the client does not keep up. */
  #held: (() => void) | undefined

  constructor(res: HttpResponse, req: HttpRequest) {
    this.#res = res
    this.method = req.getMethod()
    this.path = req.getUrl()
    this.query = req.getQuery() ?? ""
    this.headers = readHeaders(req)
    res.onAborted(() => {
      this.#open = false
      this.#release()
      this.#onGone()
    })
  }

  get isOpen(): boolean {
    return this.#open
  }

  /** Runs `listener` if the client leaves, or is thrown out, before the answer is complete. */
  onGone(listener: () => void): void {
    this.#onGone = listener
  }

  /** To be called while the handler runs. Tells the body, or `undefined` as soon as it is larger than `bytesMax`. */
  readBody(bytesMax: number, done: (body: Buffer | undefined) => void): void {
    let chunks: Array<Buffer> = []
    let size = 0
    this.#res.onData((chunk, isLast) => {
      if (!this.#open || size > bytesMax) return
      size += chunk.byteLength
      if (size > bytesMax) {
        chunks = []
        return done(undefined)
      }
      // The memory of a chunk is only lent.
      chunks.push(Buffer.from(chunk.slice(0)))
      if (isLast) done(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks))
    })
  }

  /** Everything inside goes out in as few packets as fit. What is written inside has to fit under one cork. */
  cork(send: () => void): void {
    if (!this.#open) return
    // uWebSockets.js would allow it, for a price that the simulator would pay for each event.
    if (this.#corked) return send()
    this.#corked = true
    try {
      this.#res.cork(send)
    } finally {
      this.#corked = false
    }
  }

  begin(status: number, headers: HeaderList): void {
    writeHead(this.#res, status, headers)
  }

  /** `false` when the client has to catch up first: `whenWritable` says when. */
  write(bytes: Bytes): boolean {
    let hasRoom = true
    for (const piece of inPieces(bytes)) {
      this.cork(() => {
        hasRoom = this.#res.write(piece)
      })
    }
    if (!hasRoom) this.#holdOpen()
    return hasRoom
  }

  /** A part of a body of `total` bytes, from `offset` on; `false` when the client has to catch up first. */
  writePart(bytes: Uint8Array, total: number): boolean {
    const [hasRoom, isDone] = this.#res.tryEnd(bytes, total)
    if (isDone) {
      this.#open = false
      this.#release()
    } else if (!hasRoom) this.#holdOpen()
    return hasRoom || isDone
  }

  /** Bytes of the body that have been taken by the connection. */
  get offset(): number {
    return this.#res.getWriteOffset()
  }

  /** Runs `listener`, one at most, whenever the client can take more again. */
  whenWritable(listener: () => void): void {
    if (!this.#open) return
    this.#res.onWritable(() => {
      this.#release()
      listener()
      return true
    })
  }

  /**
   * With `body` the answer is that, and its length is told; without, it is what has been written, of which a HEAD is told
   * the head alone. It may be of any size:
   * whoever asks here has read the answer before, so that there is room for the head.
   */
  end(body?: Bytes): void {
    if (!this.#open) return
    this.#open = false
    this.#release()
    if (this.method === "head") endHead(this.#res, body === undefined ? undefined : Buffer.byteLength(body))
    else this.#res.end(body)
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

const readHeaders = (req: HttpRequest): Readonly<Record<string, string>> => {
  const headers: Record<string, string> = {}
  req.forEach((name, told) => {
    const value = byteText(told)
    headers[name] = Object.hasOwn(headers, name) ? `${headers[name]}, ${value}` : value
  })
  return headers
}
