/**
 * How much a gateway thread reads of large bodies in a second: connections that bring more take turns, so that their
 * bytes never hold the thread for long. Owners take turns too, whoever has how many connections.
 */

/** The most that a connection brings before it can be stopped again: the buffer of uWebSockets.js. */
export const bytesPerReadMax = 512 * 1024
const turnMs = 20

interface Waiting {
  readonly bytes: number
  readonly goOn: () => void
}

export class ReadPace {
  readonly #bytesPerSecond: number
  readonly #burstBytes: number
  readonly #now: () => number
  #left: number
  #countedMs: number
  /** Who waits, by owner; the first owner is the next. */
  readonly #waiting = new Map<unknown, Array<Waiting>>()

  /** `burstBytes` may be read at once after a while without reading. */
  constructor(
    options: { readonly bytesPerSecond: number; readonly burstBytes: number },
    now: () => number = () => performance.now()
  ) {
    this.#bytesPerSecond = options.bytesPerSecond
    this.#burstBytes = options.burstBytes
    this.#now = now
    this.#left = options.burstBytes
    this.#countedMs = now()
  }

  /** Whether a connection may be read once more now, for about so many bytes; else `goOn` is called when it may. */
  ask(owner: unknown, bytes: number, goOn: () => void): boolean {
    this.#refill()
    if (this.#waiting.size === 0 && this.#takes(bytes)) return true
    const others = this.#waiting.get(owner)
    if (others !== undefined) {
      others.push({ bytes, goOn })
      return false
    }
    this.#waiting.set(owner, [{ bytes, goOn }])
    if (this.#waiting.size === 1) setTimeout(() => this.#turn(), turnMs)
    return false
  }

  /** A read that was asked for has brought more than that, or less. */
  came(bytes: number, asked: number): void {
    this.#add(asked - bytes)
  }

  #takes(bytes: number): boolean {
    if (this.#left < bytes) return false
    this.#left -= bytes
    return true
  }

  #refill(): void {
    const now = this.#now()
    this.#add(((now - this.#countedMs) / 1000) * this.#bytesPerSecond)
    this.#countedMs = now
  }

  #add(bytes: number): void {
    this.#left = Math.min(this.#burstBytes, this.#left + bytes)
  }

  #turn(): void {
    this.#refill()
    const served: Array<Waiting> = []
    for (let next = this.#next(); next !== undefined; next = this.#next()) served.push(next)
    for (const { goOn } of served) goOn()
    if (this.#waiting.size > 0) setTimeout(() => this.#turn(), turnMs)
  }

  /** The first of the next owner, who goes to the end of the line, if there is room for it. */
  #next(): Waiting | undefined {
    for (const [owner, mine] of this.#waiting) {
      if (!this.#takes(mine[0]!.bytes)) return undefined
      const next = mine.shift()!
      this.#waiting.delete(owner)
      if (mine.length > 0) this.#waiting.set(owner, mine)
      return next
    }
    return undefined
  }
}
