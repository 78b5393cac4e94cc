/**
 * Values in the order in which they came, each of which can leave from wherever it stands, at the cost of two
 * assignments: what all connections do with each request is too much for a `Set` (see `Slots`).
 */
export interface Place<A> {
  readonly value: A
  previous: Place<A> | undefined
  next: Place<A> | undefined
  /** The line it stands in. */
  line: Line<A> | undefined
}

export const placeFor = <A>(value: A): Place<A> => ({
  value,
  previous: undefined,
  next: undefined,
  line: undefined
})

export class Line<A> {
  #first: Place<A> | undefined
  #last: Place<A> | undefined
  #size = 0

  get size(): number {
    return this.#size
  }

  /** Who has stood there longest. */
  get first(): Place<A> | undefined {
    return this.#first
  }

  /** At the end. Its place must be in no line. */
  join(place: Place<A>): void {
    place.line = this
    place.previous = this.#last
    if (this.#last === undefined) this.#first = place
    else this.#last.next = place
    this.#last = place
    this.#size++
  }

  /** Only of a place in this line. */
  leave(place: Place<A>): void {
    const { next, previous } = place
    if (previous === undefined) this.#first = next
    else previous.next = next
    if (next === undefined) this.#last = previous
    else next.previous = previous
    place.previous = place.next = place.line = undefined
    this.#size--
  }
}
