/**
 * Whether this machine's clock runs with the database's. Dates of calls, and with them days and months of budgets, prices for a moment and
 * ends of keys go by the former; leases, limits and what others see by the latter.
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
    return `This machine's clock is ${seconds} s ${where} the database's: calls, budgets, prices and ends of keys go by it`
  }
}
