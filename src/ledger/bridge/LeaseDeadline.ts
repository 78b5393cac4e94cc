/**
 * Until when this node may admit calls, in memory that its threads share: a thread that wakes up from a freeze sees that
 * its node's right has run out, before the node itself has had a chance to notice.
 *
 * By two clocks, of which the first to run out counts: the monotonic one stands still while a machine sleeps or is held by what it
 * runs in, the wall clock can be set back. One that is set ahead looks like such a rest, so it ends the lease too, until it is renewed
 * within the second: rather a 503 than money that is others' by now.
 *
 * Beside it stands by how much the database's clock is ahead of the monotonic one, for the dates of calls: all nodes have the same then,
 * and no clock of a machine that is wrong or set puts a call into another day, month or price.
 */
export interface Clocks {
  readonly monotonicNs: () => bigint
  readonly wallMs: () => number
}

export interface Moment {
  readonly monotonicNs: bigint
  readonly wallMs: number
}

const machineClocks: Clocks = { monotonicNs: () => process.hrtime.bigint(), wallMs: Date.now }

const nsPerMs = 1_000_000n

const monotonic = 0
const wall = 1
const dates = 2
const ends = 3

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
      this.#clocks.wallMs() >= Number(Atomics.load(this.#words, wall))
    )
  }

  /** A moment from which to count. */
  now(): Moment {
    return { monotonicNs: this.#clocks.monotonicNs(), wallMs: this.#clocks.wallMs() }
  }

  /** It passes `ms` after that moment. */
  set({ monotonicNs, wallMs }: Moment, ms: number): void {
    Atomics.store(this.#words, wall, BigInt(Math.trunc(wallMs + ms)))
    Atomics.store(this.#words, monotonic, monotonicNs + BigInt(ms) * nsPerMs)
  }

  /** It has passed, at once and for all threads. */
  end(): void {
    Atomics.store(this.#words, monotonic, 0n)
    Atomics.add(this.#words, ends, 1n)
  }

  /** How often it was ended: what is known from before may not be so any more. */
  get timesEnded(): bigint {
    return Atomics.load(this.#words, ends)
  }

  /**
   * The database has said what its clock is, asked at `asked` and heard now, which is answered. What agrees with what it said before
   * changes nothing: an answer that took long on its way puts no call into the past.
   */
  noteDate(databaseMs: number, asked: Moment): Moment {
    const heard = this.now()
    const saidNs = BigInt(Math.trunc(databaseMs)) * nsPerMs
    const least = saidNs - heard.monotonicNs
    const most = saidNs + nsPerMs - asked.monotonicNs
    const known = Atomics.load(this.#words, dates)
    if (known < least) Atomics.store(this.#words, dates, least)
    else if (known > most) Atomics.store(this.#words, dates, most)
    return heard
  }

  /** Ms since 1970, by the database's clock once it has been heard; before that by the machine's own. */
  dateMs(): number {
    const aheadNs = Atomics.load(this.#words, dates)
    return aheadNs === 0n ? this.#clocks.wallMs() : Number((this.#clocks.monotonicNs() + aheadNs) / nsPerMs)
  }
}
