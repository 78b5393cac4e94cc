/**
 * Writes a streamed answer no faster than its client reads, however long that takes.
 *
 * uWebSockets.js closes a connection that does not read for ten seconds. `resume` starts that clock again, but also ends
 * the watch for the client's reading, and only a write that fails begins it anew. So what comes after a failed write is
 * kept here, and a few bytes of it are tried from time to time.
 */
import type { HttpResponse } from "uWebSockets.js"
import { inPieces } from "../sockets/in-pieces.ts"

/** So little that a client which never reads costs nothing. */
const probeBytes = 16

export class PacedWriter {
  readonly #res: HttpResponse
  #head: (() => void) | undefined
  #kept: Array<Buffer> = []
  #blocked = false
  #watches = false
  #onWritable: (() => void) | undefined

  constructor(res: HttpResponse) {
    this.#res = res
  }

  /** `head` goes out with the first piece: alone it costs a system call, and uWebSockets.js ends it with that piece only. */
  begin(head: () => void): void {
    this.#head = head
  }

  /** `false` when the client does not keep up. */
  write(piece: Uint8Array | string): boolean {
    if (this.#blocked) {
      this.#kept.push(Buffer.from(piece as Uint8Array))
      return false
    }
    if (!this.#send(piece)) this.#block()
    return !this.#blocked
  }

  /** Everything that is kept goes out, then `piece`, and is buffered below where need be. */
  end(piece: Uint8Array | string): void {
    const pieces = [...this.#kept, piece].flatMap(inPieces)
    const last = pieces.pop()!
    for (const each of pieces) this.#send(each)
    this.#kept = []
    this.#blocked = false
    this.#res.cork(() => {
      this.#writeHead()
      if (last.length > 0) this.#res.write(last)
      // Asked to close, uWebSockets.js would write that header here, into the body.
      this.#res.end()
    })
  }

  /** Runs `listener` whenever the client can take more again. */
  whenWritable(listener: () => void): void {
    this.#onWritable = listener
  }

  /** Must be called every few seconds while the client does not keep up. */
  keepWaiting(): void {
    if (!this.#blocked) return
    this.#res.resume()
    const [first] = this.#kept
    // With nothing to try, one piece more is asked for.
    if (first === undefined) return this.#onWritable?.()
    const rest = first.subarray(probeBytes)
    if (rest.length > 0) this.#kept[0] = rest
    else this.#kept.shift()
    if (this.#send(first.subarray(0, probeBytes))) this.#drain()
  }

  #block(): void {
    this.#blocked = true
    if (this.#watches) return
    this.#watches = true
    this.#res.onWritable(() => {
      this.#drain()
      return true
    })
  }

  #drain(): void {
    // Sends what is buffered below, which nobody else does while somebody watches.
    this.#res.cork(() => {})
    for (let piece = this.#kept.shift(); piece !== undefined; piece = this.#kept.shift()) {
      if (!this.#send(piece)) return
    }
    this.#blocked = false
    this.#onWritable?.()
  }

  #send(piece: Uint8Array | string): boolean {
    let keepsUp = true
    for (const each of inPieces(piece)) {
      this.#res.cork(() => {
        this.#writeHead()
        keepsUp = this.#res.write(each)
      })
    }
    return keepsUp
  }

  #writeHead(): void {
    this.#head?.()
    this.#head = undefined
  }
}
