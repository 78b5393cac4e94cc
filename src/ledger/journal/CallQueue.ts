/** Calls that wait for their commit, in their order. */
import type { CallRecord } from "../../domain/call.ts"
import { type Entry, type Outcome, unpaidRow } from "./entries.ts"

export class CallQueue {
  #entries: Array<Entry> = []

  get length(): number {
    return this.#entries.length
  }

  get all(): ReadonlyArray<Entry> {
    return this.#entries
  }

  get holdsSpooled(): boolean {
    return this.#entries.some(({ spooled }) => spooled)
  }

  /** Those that are not of this process are on disk already. */
  add(record: CallRecord, isOwn: boolean, queuedAtMs: number, done: (outcome: Outcome) => void): void {
    this.#entries.push({ record, queuedAtMs, done, isOwn, spooled: !isOwn, attempted: false })
  }

  first(count: number): ReadonlyArray<Entry> {
    return this.#entries.slice(0, count)
  }

  /** The first ones are committed. */
  removeFirst(count: number): void {
    this.#entries = this.#entries.slice(count)
  }

  remove(entries: ReadonlySet<Entry>): void {
    this.#entries = this.#entries.filter((entry) => !entries.has(entry))
  }

  /** They stay uncharged: rows of calls that failed take their places. */
  leaveUnpaid(entries: ReadonlySet<Entry>): void {
    this.#entries = this.#entries.map((entry) =>
      entries.has(entry) ? { ...entry, record: unpaidRow(entry.record), done: () => {} } : entry
    )
    for (const { done } of entries) done("unpaid")
  }

  /** Those whose callers have waited since before then. */
  waitingSince(beforeMs: number): ReadonlyArray<Entry> {
    return this.#entries.filter(({ queuedAtMs, spooled }) => !spooled && queuedAtMs < beforeMs)
  }
}
