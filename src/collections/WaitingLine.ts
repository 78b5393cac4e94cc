/** Whoever waits, first come first served. One may leave before its turn, and nothing of it is kept then. */

/** Places that are empty in front are given back at once when there are so many, and more than are taken. */
const emptyMax = 64

export class WaitingLine<A> {
  #places: Array<A | undefined> = []
  /** Of the first place that may be taken. */
  #first = 0
  /** Places that were given back. */
  #gone = 0
  #length = 0

  get length(): number {
    return this.#length
  }

  /** How many it keeps, empty ones among them. */
  get places(): number {
    return this.#places.length
  }

  /** Answers its place, by which it may leave. */
  add(value: A): number {
    this.#length++
    return this.#gone + this.#places.push(value) - 1
  }

  /** Who is served next; `undefined` when nobody waits. */
  get first(): A | undefined {
    while (this.#first < this.#places.length && this.#places[this.#first] === undefined) this.#first++
    return this.#places[this.#first]
  }

  /** The first one; `undefined` when there is none. */
  take(): A | undefined {
    return this.first === undefined ? undefined : this.#empty(this.#first++)
  }

  /** Nothing happens where it has been taken, or has left. */
  leave(place: number): void {
    this.#empty(place - this.#gone)
  }

  *[Symbol.iterator](): Generator<A> {
    for (const value of this.#places) if (value !== undefined) yield value
  }

  #empty(index: number): A | undefined {
    const value = this.#places[index]
    if (value === undefined) return undefined
    this.#places[index] = undefined
    this.#length--
    this.#giveBack()
    return value
  }

  #giveBack(): void {
    const count = this.#length === 0 ? this.#places.length : this.#first
    if (count < emptyMax || 2 * count < this.#places.length) return
    this.#places = this.#places.slice(count)
    this.#gone += count
    this.#first = 0
  }
}
