/** A body as it arrives: gathered in pieces while it is small, and where codec workers can read it once it is not. */
import { inPlaceBytesMax, joinChunks, shareableBuffer } from "./share-bytes.ts"

/** What comes in one piece, mostly, needs no room of its own. */
const roomBytesMin = 64 * 1024

/** A part of what was announced that must have come before room is made for all of it. */
const shareThatMustCome = 1 / 16

/** Small pieces share blocks of this size: kept one by one, a body of single bytes takes hundreds of times its size. */
const blockBytes = 16 * 1024

export class BodyBytes {
  readonly #declared: number
  #chunks: Array<Buffer> = []
  /** The memory of the last chunk, where it has room for more. */
  #block: Buffer | undefined
  #whole: Buffer | undefined
  #size = 0

  /** `declared` is the announced length, if there is one. */
  constructor(declared: number | undefined) {
    this.#declared = declared ?? 0
  }

  get size(): number {
    return this.#size
  }

  /** Copies the bytes, whose memory is used again. */
  add(bytes: ArrayBuffer): void {
    if (bytes.byteLength === 0) return
    const at = this.#size
    this.#size += bytes.byteLength
    if (this.#whole === undefined && this.#isWorthRoom()) this.#makeRoom()
    if (this.#whole === undefined || this.#size > this.#whole.length) {
      this.#keep(bytes)
      return
    }
    this.#whole.set(new Uint8Array(bytes), at)
  }

  /** All that has come. */
  take(): Buffer {
    if (this.#whole === undefined) return joinChunks(this.#chunks, this.#size)
    if (this.#chunks.length === 0) return this.#whole.subarray(0, this.#size)
    const first = this.#size - this.#chunks.reduce((sum, chunk) => sum + chunk.length, 0)
    return joinChunks([this.#whole.subarray(0, first), ...this.#chunks], this.#size)
  }

  #keep(bytes: ArrayBuffer): void {
    const last = this.#chunks.at(-1)
    if (this.#block !== undefined && last!.length + bytes.byteLength <= blockBytes) {
      this.#block.set(new Uint8Array(bytes), last!.length)
      this.#chunks[this.#chunks.length - 1] = this.#block.subarray(0, last!.length + bytes.byteLength)
      return
    }
    // Most bodies come in one piece, or in large ones.
    if (last === undefined || bytes.byteLength >= blockBytes) {
      this.#block = undefined
      this.#chunks.push(Buffer.from(new Uint8Array(bytes)))
      return
    }
    this.#block = Buffer.allocUnsafeSlow(blockBytes)
    this.#block.set(new Uint8Array(bytes))
    this.#chunks.push(this.#block.subarray(0, bytes.byteLength))
  }

  #isWorthRoom(): boolean {
    return this.#declared >= roomBytesMin && this.#size >= this.#declared * shareThatMustCome
  }

  #makeRoom(): void {
    const whole = roomFor(this.#declared)
    let at = 0
    for (const chunk of this.#chunks) {
      whole.set(chunk, at)
      at += chunk.length
    }
    this.#chunks = []
    this.#block = undefined
    this.#whole = whole
  }
}

/** Where codec workers will read it, they must be able to. */
const roomFor = (bytes: number): Buffer =>
  bytes < inPlaceBytesMax ? Buffer.allocUnsafeSlow(bytes) : shareableBuffer(bytes)
