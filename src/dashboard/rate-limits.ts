/** How often one account may do something expensive or dangerous, counted in fixed windows in this thread's memory. */

const subjectsMax = 50_000

export class RateLimits {
  /** In the order in which they began. */
  readonly #windows = new Map<string, { count: number; endsAtMs: number }>()
  readonly #running = new Map<string, number>()
  readonly #enabled: boolean

  constructor(enabled: boolean) {
    this.#enabled = enabled
  }

  /** 0 when it may be done, else the seconds to wait. */
  take(action: string, subject: string, limit: number, windowMs: number, nowMs: number): number {
    if (!this.#enabled) return 0
    const key = `${action} ${subject}`
    const window = this.#windows.get(key)
    // Where the clock was set back, nobody waits for as long as that was.
    if (window !== undefined) window.endsAtMs = Math.min(window.endsAtMs, nowMs + windowMs)
    if (window === undefined || window.endsAtMs <= nowMs) {
      this.#windows.delete(key)
      if (this.#windows.size >= subjectsMax) this.#forget(nowMs)
      this.#windows.set(key, { count: 1, endsAtMs: nowMs + windowMs })
      return 0
    }
    if (window.count >= limit) return Math.ceil((window.endsAtMs - nowMs) / 1_000)
    window.count += 1
    return 0
  }

  /** Whether it was done in a window that has not ended. */
  isNoted(action: string, subject: string, nowMs: number): boolean {
    return (this.#windows.get(`${action} ${subject}`)?.endsAtMs ?? 0) > nowMs
  }

  /** What was taken turned out not to count. */
  giveBack(action: string, subject: string): void {
    const window = this.#windows.get(`${action} ${subject}`)
    if (window !== undefined && window.count > 0) window.count -= 1
  }

  /** Begins one of at most `limit` at the same time; the answer ends it. `undefined` when there are as many already. */
  enter(action: string, subject: string, limit: number): (() => void) | undefined {
    const key = `${action} ${subject}`
    const count = this.#running.get(key) ?? 0
    if (count >= limit) return undefined
    this.#running.set(key, count + 1)
    return () => {
      const left = (this.#running.get(key) ?? 1) - 1
      if (left === 0) this.#running.delete(key)
      else this.#running.set(key, left)
    }
  }

  /** Room for one more: the oldest go, so that nobody wipes out what is counted of them by making up subjects. */
  #forget(nowMs: number) {
    for (const [key, window] of this.#windows) {
      if (window.endsAtMs > nowMs && this.#windows.size < subjectsMax) return
      this.#windows.delete(key)
    }
  }
}
