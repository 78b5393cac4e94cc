/**
 * Until when this node may admit calls, in memory that its threads share: a thread that wakes up from a freeze sees that
 * its node's right has run out, before the node itself has had a chance to notice.
 *
 * The monotonic clock stands still while a machine sleeps. The wall clock does not, but it can be set: where it says that time has
 * passed, the time since the machine was started is asked, which tells sleep from a clock set ahead, but is too slow to be asked always.
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

const monotonic = 0
const wall = 1
const boot = 2

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
    return new LeaseDeadline(new SharedArrayBuffer(3 * BigInt64Array.BYTES_PER_ELEMENT), clocks)
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
    Atomics.store(this.#words, monotonic, monotonicNs + BigInt(ms) * 1_000_000n)
  }

  /** It has passed, at once and for all threads. */
  end(): void {
    Atomics.store(this.#words, monotonic, 0n)
  }

  #read(word: number): number {
    return Number(Atomics.load(this.#words, word))
  }
}
