/**
 * Keeps calls away from a route that fails by its own fault, and lets one through every few seconds to see whether it
 * has recovered. A caller's bad request never counts.
 */
const failuresToOpen = 5
const failureWindowMs = 30_000
const retryEveryMs = 5_000

export type BreakerState = "closed" | "open" | "half_open"

export class CircuitBreaker {
  #failures: Array<number> = []
  #openedAtMs: number | undefined
  #probingSinceMs: number | undefined

  /** Whether a call may use the route now; when it is open, one may every few seconds. */
  admits(nowMs: number): boolean {
    if (this.#openedAtMs === undefined) return true
    const lastTryMs = Math.max(this.#openedAtMs, this.#probingSinceMs ?? 0)
    return nowMs - lastTryMs >= retryEveryMs
  }

  /** A call goes out over the route. */
  begin(nowMs: number): void {
    if (this.#openedAtMs !== undefined) this.#probingSinceMs = nowMs
  }

  succeeded(): void {
    this.#failures = []
    this.#openedAtMs = undefined
    this.#probingSinceMs = undefined
  }

  failed(nowMs: number): void {
    this.#failures = [...this.#failures.filter((atMs) => nowMs - atMs < failureWindowMs), nowMs]
    if (this.#openedAtMs !== undefined || this.#failures.length >= failuresToOpen) this.#openedAtMs = nowMs
  }

  state(nowMs: number): BreakerState {
    if (this.#openedAtMs === undefined) return "closed"
    return this.admits(nowMs) ? "half_open" : "open"
  }

  /** Seconds until the route is tried again. */
  retryAfterSeconds(nowMs: number): number {
    if (this.#openedAtMs === undefined) return 0
    const lastTryMs = Math.max(this.#openedAtMs, this.#probingSinceMs ?? 0)
    return Math.max(1, Math.ceil((lastTryMs + retryEveryMs - nowMs) / 1000))
  }
}
