/**
 * How much a gateway thread reads of large bodies in a second, in all and of each owner: connections that bring more
 * wait, so that their bytes never hold the thread for long. Owners take turns, whoever has how many connections, and
 * what one of them has brought too much is waited for by that one.
 */

/** The buffer of uWebSockets.js: what a connection brings by one read. */
export const bytesPerReadMax = 512 * 1024
const turnMs = 20

/** Owners of whom nothing has come for a while are swept out from then on. */
const ownersKept = 10_000

export interface Pace {
  readonly bytesPerSecond: number
  /** May be read at once after a while without reading. */
  readonly burstBytes: number
}

export interface Reading {
  /** About so many. */
  readonly bytes: number
  /**
   * Whether far more may come: a connection that fills the buffer is read again at once, stopped or not, for as long as
   * its sender keeps up. Such a one is let on alone: the event loop comes round to everybody else before the next.
   */
  readonly mayFlood: boolean
}

interface Waiting extends Reading {
  readonly goOn: () => void
}

interface Owner {
  readonly bucket: Bucket
  readonly waiting: Array<Waiting>
}

export class ReadPace {
  readonly #all: Bucket
  readonly #ofEach: Pace
  readonly #now: () => number
  /** The first is the next. */
  readonly #owners = new Map<unknown, Owner>()
  #waiting = 0
  /** One that may flood was let on in this turn of the event loop. */
  #isTaken = false

  constructor(
    paces: { readonly all: Pace; readonly ofEach: Pace },
    now: () => number = () => performance.now()
  ) {
    // A little of what one has brought too much is waited for by all: the thread has done that work.
    this.#all = new Bucket(paces.all, now, -paces.all.burstBytes)
    this.#ofEach = paces.ofEach
    this.#now = now
  }

  /** Whether a connection may be read once more now; else `goOn` is called when it may. */
  ask(ownedBy: unknown, reading: Reading, goOn: () => void): boolean {
    const owner = this.#ownerOf(ownedBy)
    if (owner.waiting.length === 0 && this.#takes(owner, reading)) return true
    owner.waiting.push({ ...reading, goOn })
    if (this.#waiting++ === 0) this.#turnSoon(this.#isTaken)
    return false
  }

  /** A read that was asked for has brought more than that, or less. */
  came(ownedBy: unknown, bytes: number, asked: number): void {
    this.#all.add(asked - bytes)
    this.#ownerOf(ownedBy).bucket.add(asked - bytes)
  }

  #ownerOf(ownedBy: unknown): Owner {
    const present = this.#owners.get(ownedBy)
    if (present !== undefined) return present
    if (this.#owners.size >= ownersKept) this.#sweep()
    const owner = { bucket: new Bucket(this.#ofEach, this.#now), waiting: [] }
    this.#owners.set(ownedBy, owner)
    return owner
  }

  #takes({ bucket }: Owner, { bytes, mayFlood }: Reading): boolean {
    if ((mayFlood && this.#isTaken) || !bucket.has(bytes) || !this.#all.has(bytes)) return false
    bucket.add(-bytes)
    this.#all.add(-bytes)
    if (mayFlood) {
      this.#isTaken = true
      setImmediate(() => (this.#isTaken = false))
    }
    return true
  }

  #turn(): void {
    const served: Array<Waiting> = []
    for (let next = this.#next(); next !== undefined; next = this.#next()) served.push(next)
    this.#waiting -= served.length
    // First, since whoever goes on may ask at once, and begins the next turn where nobody waits.
    if (this.#waiting > 0) this.#turnSoon(served.length > 0)
    for (const { goOn } of served) goOn()
  }

  #turnSoon(isNext: boolean): void {
    if (isNext) setImmediate(() => this.#turn())
    else setTimeout(() => this.#turn(), turnMs)
  }

  /** The first of the next owner who may, and goes to the end of the line. */
  #next(): Waiting | undefined {
    for (const [ownedBy, owner] of this.#owners) {
      const [first] = owner.waiting
      if (first === undefined || !this.#takes(owner, first)) continue
      this.#owners.delete(ownedBy)
      this.#owners.set(ownedBy, owner)
      return owner.waiting.shift()
    }
    return undefined
  }

  #sweep(): void {
    for (const [ownedBy, { bucket, waiting }] of this.#owners)
      if (waiting.length === 0 && bucket.isFull) this.#owners.delete(ownedBy)
  }
}

/** Bytes that may be read, which come back with time: a token bucket. */
class Bucket {
  readonly #pace: Pace
  readonly #now: () => number
  readonly #least: number
  #left: number
  #countedMs: number

  constructor(pace: Pace, now: () => number, least = -Infinity) {
    this.#pace = pace
    this.#now = now
    this.#least = least
    this.#left = pace.burstBytes
    this.#countedMs = now()
  }

  get isFull(): boolean {
    return this.has(this.#pace.burstBytes)
  }

  has(bytes: number): boolean {
    const now = this.#now()
    this.add(((now - this.#countedMs) / 1000) * this.#pace.bytesPerSecond)
    this.#countedMs = now
    return this.#left >= bytes
  }

  add(bytes: number): void {
    this.#left = Math.max(this.#least, Math.min(this.#pace.burstBytes, this.#left + bytes))
  }
}
