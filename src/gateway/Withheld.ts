/** Bytes for the client that the hold does not cover yet. */
import { wholeEvents } from "../formats/stream/whole-events.ts"

export class Withheld {
  #pieces: Array<Buffer> = []

  add(bytes: Buffer): void {
    this.#pieces.push(bytes)
  }

  take(): Buffer | undefined {
    const pieces = this.#pieces
    this.#pieces = []
    return pieces.length < 2 ? pieces[0] : Buffer.concat(pieces)
  }

  /** The events that make up about this share of the bytes, and no more; the others are lost. */
  takeShare(share: number): Buffer | undefined {
    const bytes = this.take()
    return bytes && wholeEvents(bytes, share)
  }
}
