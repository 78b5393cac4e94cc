/** The calls of the last minute, each by its time: exact, so that a key is never held off longer than its limit says. */
const windowMs = 60_000
/** How many forgotten times may stand at the front before the list is made anew. */
const forgottenMax = 1_024

export class SlidingWindow {
  #times: Array<number> = []
  #first = 0

  /** Counts one call and answers 0, or answers the ms after which one may be admitted. */
  admit(nowMs: number, limit: number): number {
    this.#leaveFuture(nowMs)
    this.#forget(nowMs - windowMs)
    const count = this.#times.length - this.#first
    if (count < limit) {
      this.#times.push(nowMs)
      return 0
    }
    // Once this one is a minute old, fewer than the limit are left.
    return Math.max(1, this.#times[this.#times.length - limit]! + windowMs - nowMs)
  }

  /** A clock that was set back takes the calls along: they are as far apart as they were. */
  #leaveFuture(nowMs: number): void {
    const aheadMs = (this.#times.at(-1) ?? nowMs) - nowMs
    if (aheadMs > 0) this.#times = this.#times.map((timeMs) => timeMs - aheadMs)
  }

  #forget(untilMs: number): void {
    while (this.#first < this.#times.length && this.#times[this.#first]! <= untilMs) this.#first++
    if (this.#first < this.#times.length && this.#first <= forgottenMax) return
    this.#times = this.#times.slice(this.#first)
    this.#first = 0
  }
}
