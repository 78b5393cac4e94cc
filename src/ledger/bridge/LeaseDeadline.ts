/**
 * Until when this node may admit calls, in memory that its threads share: a thread that wakes up from a freeze sees that
 * its node's right has run out, before the node itself has had a chance to notice.
 *
 * The monotonic clock stands still while a machine sleeps. The wall clock does not, but it can be set: where it says that time has
 * passed, the time since the machine was started is asked, which tells sleep from a clock set ahead, but is too slow to be asked always.
 *
 * Beside it stands by how much the database's clock is ahead of the monotonic one, for the dates of calls: all nodes have the same then,
 * and no clock of a machine that is wrong or set puts a call into another day, month or price.
 */
import { uptime } from "node:os"

export interface Clocks {
  readonly monotonicNs: () => bigint
  readonly wallMs: () => number
  /** Since the machine was started, its sleep included. */
  readonly bootMs: () => number
}

export interface Moment {
  readonly monotonicNs: bigint
  readonly wallMs: number
  readonly bootMs: number
}

const machineClocks: Clocks = {
  monotonicNs: () => process.hrtime.bigint(),
  wallMs: Date.now,
  bootMs: () => uptime() * 1_000
}

const nsPerMs = 1_000_000n

const monotonic = 0
const wall = 1
const boot = 2
const dates = 3

export class LeaseDeadline {
  readonly memory: SharedArrayBuffer
  readonly #words: BigInt64Array
  readonly #clocks: Clocks

  constructor(memory: SharedArrayBuffer, clocks = machineClocks) {
    this.memory = memory
    this.#words = new BigInt64Array(memory)
    this.#clocks = clocks
  }

  /** Passed from the beginning. */
  static make(clocks = machineClocks): LeaseDeadline {
    return new LeaseDeadline(new SharedArrayBuffer(4 * BigInt64Array.BYTES_PER_ELEMENT), clocks)
  }

  get hasPassed(): boolean {
    return (
      this.#clocks.monotonicNs() >= Atomics.load(this.#words, monotonic) ||
      (this.#clocks.wallMs() >= this.#read(wall) && this.#clocks.bootMs() >= this.#read(boot))
    )
  }

  /** A moment from which to count. */
  now(): Moment {
    const { bootMs, monotonicNs, wallMs } = this.#clocks
    return { monotonicNs: monotonicNs(), wallMs: wallMs(), bootMs: bootMs() }
  }

  /** It passes `ms` after that moment. */
  set({ bootMs, monotonicNs, wallMs }: Moment, ms: number): void {
    Atomics.store(this.#words, wall, BigInt(Math.trunc(wallMs + ms)))
    Atomics.store(this.#words, boot, BigInt(Math.trunc(bootMs + ms)))
    Atomics.store(this.#words, monotonic, monotonicNs + BigInt(ms) * nsPerMs)
  }

  /** It has passed, at once and for all threads. */
  end(): void {
    Atomics.store(this.#words, monotonic, 0n)
  }

  /** The database has just said what its clock is; answers when it was heard. */
  noteDate(databaseMs: number): Moment {
    const heard = this.now()
    Atomics.store(this.#words, dates, BigInt(Math.trunc(databaseMs)) * nsPerMs - heard.monotonicNs)
    return heard
  }

  /** Ms since 1970, by the database's clock while the lease lives: before and after that by the machine's own. */
  dateMs(): number {
    const aheadNs = Atomics.load(this.#words, dates)
    if (aheadNs === 0n || this.hasPassed) return this.#clocks.wallMs()
    return Number((this.#clocks.monotonicNs() + aheadNs) / nsPerMs)
  }

  #read(word: number): number {
    return Number(Atomics.load(this.#words, word))
  }
}
