/**
 * Keeps calls away from a route that fails by its own fault, and lets one through every few seconds to see whether it
 * has recovered. A caller's bad request never counts.
 */
const failuresToOpen = 5
/** Outcomes are counted over the present and the last of such spans. */
const spanMs = 15_000
const retryEveryMs = 5_000

export type BreakerState = "closed" | "open" | "half_open"

interface Outcomes {
  failures: number
  successes: number
}

const none = (): Outcomes => ({ failures: 0, successes: 0 })

export class CircuitBreaker {
  #spanStartMs = 0
  #recent = none()
  #before = none()
  #openedAtMs: number | undefined
  #probingSinceMs: number | undefined

  /** Whether a call may use the route now; when it is open, one may every few seconds. */
  admits(nowMs: number): boolean {
    return this.#openedAtMs === undefined || nowMs >= this.#nextTryMs(this.#openedAtMs)
  }

  /** A call goes out over the route. */
  begin(nowMs: number): void {
    if (this.#openedAtMs !== undefined) this.#probingSinceMs = nowMs
  }

  /** The route answers; whether the whole answer comes is not known yet. */
  succeeded(nowMs: number): void {
    if (this.#openedAtMs !== undefined) {
      this.#openedAtMs = undefined
      this.#probingSinceMs = undefined
      this.#recent = none()
      this.#before = none()
    }
    this.#advance(nowMs)
    this.#recent.successes++
  }

  /** Opens when a fair number of calls have failed and at least half of all: a few among many are no outage. */
  failed(nowMs: number): void {
    this.#advance(nowMs)
    this.#recent.failures++
    const failures = this.#recent.failures + this.#before.failures
    const successes = this.#recent.successes + this.#before.successes
    const isFailing = failures >= failuresToOpen && failures >= successes
    if (this.#openedAtMs !== undefined || isFailing) this.#openedAtMs = nowMs
  }

  state(nowMs: number): BreakerState {
    if (this.#openedAtMs === undefined) return "closed"
    return this.admits(nowMs) ? "half_open" : "open"
  }

  /** Seconds until the route is tried again. */
  retryAfterSeconds(nowMs: number): number {
    if (this.#openedAtMs === undefined) return 0
    return Math.max(1, Math.ceil((this.#nextTryMs(this.#openedAtMs) - nowMs) / 1000))
  }

  #nextTryMs(openedAtMs: number): number {
    return Math.max(openedAtMs, this.#probingSinceMs ?? 0) + retryEveryMs
  }

  #advance(nowMs: number): void {
    const behind = nowMs - this.#spanStartMs
    if (behind < spanMs) return
    this.#before = behind < 2 * spanMs ? this.#recent : none()
    this.#recent = none()
    this.#spanStartMs = nowMs
  }
}
