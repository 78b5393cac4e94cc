/**
 * The least that the database's clock can say now: what it said in its last answer, and what has passed since that came, by
 * this machine's monotonic clock. Known for one connection only: another server may have another clock.
 */
const driftMax = 0.03

export class DatabaseClock {
  #saidMs: number | undefined
  #heardAtMs = 0

  get isKnown(): boolean {
    return this.#saidMs !== undefined
  }

  /** `saidMs`: ms since 1970, told by an answer that has come by now. */
  note(saidMs: number, nowMs: number): void {
    this.#saidMs = saidMs
    this.#heardAtMs = nowMs
  }

  /** Ms since 1970, `agoMs` before now; `undefined` before the first answer. */
  atLeast(nowMs: number, agoMs: number): number | undefined {
    return this.#saidMs === undefined
      ? undefined
      : this.#saidMs + (nowMs - this.#heardAtMs) * (1 - driftMax) - agoMs * (1 + driftMax)
  }
}
