/**
 * Reads the answer to one request out of the bytes of its connection, in pieces as they come. All chunks in one piece become
 * one piece of the body: a hurried stream puts dozens of events into each read.
 */
import { ChunkDecoder } from "./ChunkDecoder.ts"
import { type AnswerHead, readHead } from "./read-head.ts"

/** What a piece has brought, in this order. */
export interface Reading {
  readonly head: AnswerHead | undefined
  /** Memory of its own. */
  readonly body: Buffer | undefined
  /** `surplus`: it has ended, and bytes follow that nobody asked for. `broken`: what follows is no answer. */
  readonly outcome: "more" | "ended" | "surplus" | "broken"
}

const headEnd = Buffer.from("\r\n\r\n")
/** Node's own limit is 16 KiB; some providers' policies and cookies come near it. */
const headBytesMax = 64 * 1024

const more: Reading = { head: undefined, body: undefined, outcome: "more" }
const broken: Reading = { head: undefined, body: undefined, outcome: "broken" }

export class AnswerReader {
  #head: AnswerHead | undefined
  #partOfHead: Buffer | undefined
  #bytesLeft = 0
  #chunks: ChunkDecoder | undefined

  get head(): AnswerHead | undefined {
    return this.#head
  }

  /** `bytes` may be used again afterwards. */
  read(bytes: Buffer): Reading {
    return this.#head === undefined
      ? this.#readHead(this.#partOfHead === undefined ? bytes : Buffer.concat([this.#partOfHead, bytes]))
      : this.#readBody(this.#head, bytes, 0, false)
  }

  #readHead(bytes: Buffer): Reading {
    for (let start = 0; ;) {
      const end = bytes.indexOf(headEnd, start)
      if (end === -1 ? bytes.length - start > headBytesMax : end - start > headBytesMax) return broken
      if (end === -1) {
        this.#partOfHead = Buffer.from(bytes.subarray(start))
        return more
      }
      const head = readHead(bytes.toString("latin1", start, end + 2))
      if (head === undefined || head.status === switchingProtocols) return broken
      start = end + headEnd.length
      if (isInterim(head)) continue
      this.#head = head
      this.#partOfHead = undefined
      this.#bytesLeft = head.bodyBytes
      if (head.framing === "chunked") this.#chunks = new ChunkDecoder()
      return this.#readBody(head, bytes, start, true)
    }
  }

  #readBody(known: AnswerHead, bytes: Buffer, start: number, isNew: boolean): Reading {
    const head = isNew ? known : undefined
    if (this.#chunks !== undefined) return this.#readChunks(this.#chunks, head, bytes, start)
    const end = known.framing === "close" ? bytes.length : Math.min(bytes.length, start + this.#bytesLeft)
    this.#bytesLeft -= end - start
    const body = end === start ? undefined : Buffer.from(bytes.subarray(start, end))
    const isEnded = known.framing !== "close" && this.#bytesLeft === 0
    return { head, body, outcome: isEnded ? endedAt(end, bytes) : "more" }
  }

  #readChunks(chunks: ChunkDecoder, head: AnswerHead | undefined, bytes: Buffer, start: number): Reading {
    const body = chunks.decode(bytes, start)
    if (chunks.isBroken) return { head, body, outcome: "broken" }
    return { head, body, outcome: chunks.isEnded ? endedAt(chunks.position, bytes) : "more" }
  }
}

const endedAt = (position: number, bytes: Buffer) => (position === bytes.length ? "ended" : "surplus")

/** Such a head only informs; the answer's own is still to come. */
const isInterim = ({ status }: AnswerHead): boolean => status < 200
/** Nobody has asked for another protocol. */
const switchingProtocols = 101
