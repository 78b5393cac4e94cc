/** Bytes for the client that the hold does not cover yet. */
import { eventsIn, wholeEvents } from "../formats/stream/whole-events.ts"

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
  takeShare(share: number): { readonly bytes: Buffer | undefined; readonly lostEvents: number } {
    const all = this.take()
    if (all === undefined) return { bytes: undefined, lostEvents: 0 }
    const bytes = wholeEvents(all, share)
    return { bytes, lostEvents: eventsIn(all.subarray(bytes?.length ?? 0)) }
  }
}
