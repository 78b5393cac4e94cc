/** How many of something there were within the last minute, to the second. */
const seconds = 60

export class LastMinute {
  readonly #counts = new Uint32Array(seconds)
  /** The second that was counted last, since 1970. */
  #last = 0

  add(nowMs: number): void {
    this.#advance(nowMs)
    this.#counts[this.#last % seconds]!++
  }

  count(nowMs: number): number {
    this.#advance(nowMs)
    return this.#counts.reduce((sum, each) => sum + each, 0)
  }

  /** Forgets what is older than a minute. A clock that was set back counts on in the last second. */
  #advance(nowMs: number): void {
    const now = Math.floor(nowMs / 1000)
    if (now - this.#last >= seconds) this.#counts.fill(0)
    else for (let second = this.#last + 1; second <= now; second++) this.#counts[second % seconds] = 0
    this.#last = Math.max(this.#last, now)
  }
}
