/**
 * Until when this node may admit calls, in memory that its threads share: a thread that wakes up from a freeze sees that
 * its node's right has run out, before the node itself has had a chance to notice.
 *
 * By two clocks, of which the first to run out counts: the monotonic one stands still while a machine sleeps, the wall
 * clock can be set back.
 */
export interface Clocks {
  readonly monotonicNs: () => bigint
  readonly wallMs: () => number
}

const machineClocks: Clocks = { monotonicNs: () => process.hrtime.bigint(), wallMs: Date.now }

const monotonic = 0
const wall = 1

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
    return new LeaseDeadline(new SharedArrayBuffer(2 * BigInt64Array.BYTES_PER_ELEMENT), clocks)
  }

  get hasPassed(): boolean {
    return (
      this.#clocks.monotonicNs() >= Atomics.load(this.#words, monotonic) ||
      this.#clocks.wallMs() >= Number(Atomics.load(this.#words, wall))
    )
  }

  /** A moment from which to count. */
  now(): { readonly monotonicNs: bigint; readonly wallMs: number } {
    return { monotonicNs: this.#clocks.monotonicNs(), wallMs: this.#clocks.wallMs() }
  }

  /** It passes `ms` after that moment. */
  set({ monotonicNs, wallMs }: ReturnType<LeaseDeadline["now"]>, ms: number): void {
    Atomics.store(this.#words, wall, BigInt(Math.trunc(wallMs + ms)))
    Atomics.store(this.#words, monotonic, monotonicNs + BigInt(ms) * 1_000_000n)
  }

  /** It has passed, at once and for all threads. */
  end(): void {
    Atomics.store(this.#words, monotonic, 0n)
  }
}
