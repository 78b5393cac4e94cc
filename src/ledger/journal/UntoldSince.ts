/** Since when something lies idle on this node of which the database has not answered that it knows; ms of the monotonic clock. */
export class UntoldSince {
  #waitsSinceMs: number | undefined
  /** Of what the database is being told. */
  #toldSinceMs: number | undefined

  note(nowMs: number): void {
    this.#waitsSinceMs ??= nowMs
  }

  /** All that waits is being told from now on. */
  beginTelling(): void {
    this.#toldSinceMs ??= this.#waitsSinceMs
    this.#waitsSinceMs = undefined
  }

  endTelling(isKnown: boolean): void {
    if (!isKnown) this.#waitsSinceMs = this.#toldSinceMs ?? this.#waitsSinceMs
    this.#toldSinceMs = undefined
  }

  ageMs(nowMs: number): number {
    const sinceMs = this.#toldSinceMs ?? this.#waitsSinceMs
    return sinceMs === undefined ? 0 : nowMs - sinceMs
  }
}
