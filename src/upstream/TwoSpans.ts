/** What is counted over the present and the last of spans of time, so that it is forgotten without a clock of its own. */

export class TwoSpans<A> {
  readonly #spanMs: number
  readonly #empty: () => A
  #startMs = 0
  recent: A
  before: A

  constructor(spanMs: number, empty: () => A) {
    this.#spanMs = spanMs
    this.#empty = empty
    this.recent = empty()
    this.before = empty()
  }

  /** To be called before either is looked at. Answers whether a new span has begun. */
  advance(nowMs: number): boolean {
    const behindMs = nowMs - this.#startMs
    if (behindMs < this.#spanMs) return false
    this.before = behindMs < 2 * this.#spanMs ? this.recent : this.#empty()
    this.recent = this.#empty()
    this.#startMs = nowMs
    return true
  }
}
