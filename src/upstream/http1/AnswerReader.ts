/**
 * Reads the answer to one request out of the bytes of its connection, in pieces as they come. All chunks in one piece become
 * one piece of the body: a hurried stream puts dozens of events into each read.
 */
import { ChunkDecoder } from "./ChunkDecoder.ts"
import { HeadFinder } from "./HeadFinder.ts"
import { type AnswerHead, readHead } from "./read-head.ts"

/** What a piece has brought, in this order. */
export interface Reading {
  readonly head: AnswerHead | undefined
  /** Memory of its own. */
  readonly body: Buffer | undefined
  /**
   * `surplus`: it has ended, and bytes follow that nobody asked for. `broken`: what follows is no answer. `encoded`: it has been encoded
   * on its way, which nobody has asked for.
   */
  readonly outcome: "more" | "ended" | "surplus" | "broken" | "encoded"
}

/** Some providers send one every few seconds while a model thinks. */
const interimHeadsMax = 200

const more: Reading = { head: undefined, body: undefined, outcome: "more" }
const broken: Reading = { head: undefined, body: undefined, outcome: "broken" }
const encoded: Reading = { head: undefined, body: undefined, outcome: "encoded" }

export class AnswerReader {
  readonly #heads = new HeadFinder()
  #interimHeads = 0
  #head: AnswerHead | undefined
  #bytesLeft = 0
  #chunks: ChunkDecoder | undefined

  get head(): AnswerHead | undefined {
    return this.#head
  }

  /** None came before that only informed. */
  get isFirstHead(): boolean {
    return this.#interimHeads === 0
  }

  /** A head has begun and is still to end. */
  get isWithinHead(): boolean {
    return this.#heads.isWithin
  }

  /** `bytes` may be used again afterwards. */
  read(bytes: Buffer): Reading {
    return this.#head === undefined ? this.#readHeads(bytes) : this.#readBody(this.#head, bytes, 0, false)
  }

  #readHeads(bytes: Buffer): Reading {
    for (let start = 0; ; start = this.#heads.position) {
      const text = this.#heads.find(bytes, start)
      if (text === undefined) return this.#heads.isBroken ? broken : more
      const head = readHead(text)
      if (head === "encoded") return encoded
      if (head === undefined || head.status === switchingProtocols) return broken
      if (!isInterim(head)) return this.#begin(head, bytes)
      if (++this.#interimHeads > interimHeadsMax) return broken
    }
  }

  #begin(head: AnswerHead, bytes: Buffer): Reading {
    this.#head = head
    this.#bytesLeft = head.bodyBytes
    if (head.framing === "chunked") this.#chunks = new ChunkDecoder()
    return this.#readBody(head, bytes, this.#heads.position, true)
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
