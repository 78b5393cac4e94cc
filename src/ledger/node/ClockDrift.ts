/**
 * Whether this machine's clock runs with the database's. All of calls goes by the latter; by the former go lines of the log, codes and
 * sessions of people, and signatures, which others refuse that are of another time.
 */
const driftMaxMs = 5_000

export class ClockDrift {
  /** How far ahead it was when that was told; 0 while there is nothing to tell. */
  #toldMs = 0

  /** What the database said is of a moment between the two of this machine's; ms since 1970. Answers what there is to tell. */
  note(databaseMs: number, sentMs: number, heardMs: number): string | undefined {
    const aheadMs = Math.max(0, sentMs - databaseMs) - Math.max(0, databaseMs - heardMs)
    // What is told is not told again for going to and fro about the bound, but for being another.
    if (Math.abs(aheadMs) <= (this.#toldMs === 0 ? driftMaxMs : driftMaxMs / 2)) {
      if (this.#toldMs === 0) return undefined
      this.#toldMs = 0
      return "This machine's clock runs with the database's again"
    }
    if (Math.abs(aheadMs - this.#toldMs) <= Math.abs(this.#toldMs)) return undefined
    this.#toldMs = aheadMs
    const where = aheadMs > 0 ? "ahead of" : "behind"
    const seconds = Math.round(Math.abs(aheadMs) / 1_000)
    return `This machine's clock is ${seconds} s ${where} the database's, by which calls go: set it right, since codes, sign-ins and signatures go by it`
  }
}
