/** Calls that wait for their commit, in their order. */
import type { CallRecord } from "../../domain/call.ts"
import { type Outcome, type QueuedCall, unpaidRow } from "./queued-calls.ts"

export class CallQueue {
  #calls: Array<QueuedCall> = []

  get length(): number {
    return this.#calls.length
  }

  get all(): ReadonlyArray<QueuedCall> {
    return this.#calls
  }

  get holdsSpooled(): boolean {
    return this.#calls.some(({ spooled }) => spooled)
  }

  /** Those that are not of this process are on disk already. */
  add(record: CallRecord, isOwn: boolean, queuedAtMs: number, done: (outcome: Outcome) => void): void {
    this.#calls.push({ record, queuedAtMs, done, isOwn, spooled: !isOwn, attempted: false })
  }

  first(count: number): ReadonlyArray<QueuedCall> {
    return this.#calls.slice(0, count)
  }

  /** The first ones are committed. */
  removeFirst(count: number): void {
    this.#calls = this.#calls.slice(count)
  }

  remove(calls: ReadonlySet<QueuedCall>): void {
    this.#calls = this.#calls.filter((call) => !calls.has(call))
  }

  /** They stay uncharged: rows of calls that failed take their places. */
  leaveUnpaid(calls: ReadonlySet<QueuedCall>): void {
    this.#calls = this.#calls.map((call) =>
      calls.has(call) ? { ...call, record: unpaidRow(call.record), done: () => {} } : call
    )
    for (const { done } of calls) done("unpaid")
  }

  /** Those whose callers have waited since before then. */
  waitingSince(beforeMs: number): ReadonlyArray<QueuedCall> {
    return this.#calls.filter(({ queuedAtMs, spooled }) => !spooled && queuedAtMs < beforeMs)
  }
}
