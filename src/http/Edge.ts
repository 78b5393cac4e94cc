/** What the exchanges of a gateway thread share. */
import { BodyMemory, type BodyBounds } from "./BodyMemory.ts"
import { ReadPace } from "./ReadPace.ts"
import { Underway } from "./Underway.ts"

const mebibyte = 1024 * 1024

export class Edge {
  readonly memory: BodyMemory
  /** For bodies that are wanted. */
  readonly bodies = new ReadPace({ bytesPerSecond: 256 * mebibyte, burstBytes: 16 * mebibyte })
  /** For what is thrown away: reading it does nothing but that a client gets to its answer. */
  readonly discards = new ReadPace({ bytesPerSecond: 64 * mebibyte, burstBytes: 8 * mebibyte })
  /** Answers that are complete here and not yet taken by their clients. */
  readonly unread = new Underway()
  /** Exchanges that still cost something, such as refused ones whose body is on its way. */
  openExchanges = 0

  constructor(bounds: () => BodyBounds) {
    this.memory = new BodyMemory(bounds)
  }
}
