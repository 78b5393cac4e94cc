/**
 * Counts calls of the last minute in two fixed minutes, the older one weighted by how much of it still lies in the
 * window: the usual approximation, two numbers a key, never more than the limit in any aligned minute.
 */
const windowMs = 60_000

export class SlidingWindow {
  #startMs = 0
  #current = 0
  #previous = 0

  /** Counts one call and answers 0, or answers the ms after which one may be admitted. */
  admit(nowMs: number, limit: number): number {
    this.#advance(nowMs)
    const elapsed = nowMs - this.#startMs
    const weighted = this.#previous * (1 - elapsed / windowMs) + this.#current
    if (weighted + 1 <= limit) {
      this.#current++
      return 0
    }
    return Math.max(1, Math.ceil(this.#waitMs(elapsed, limit)))
  }

  #waitMs(elapsed: number, limit: number): number {
    const room = limit - 1 - this.#current
    if (room >= 0 && this.#previous > 0) return (1 - room / this.#previous) * windowMs - elapsed
    // Only when this minute has become the previous one does its weight begin to fall.
    return windowMs - elapsed + (1 - (limit - 1) / this.#current) * windowMs
  }

  #advance(nowMs: number): void {
    const behind = nowMs - this.#startMs
    if (behind < windowMs) return
    this.#previous = behind < 2 * windowMs ? this.#current : 0
    this.#current = 0
    this.#startMs = behind < 2 * windowMs ? this.#startMs + windowMs : nowMs
  }
}
