/** Chance with a seed (mulberry32), so that whatever was found can be found again. */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** From 0 to 1, without 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = this.#state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  below(limit: number): number {
    return Math.floor(this.next() * limit)
  }

  chance(share: number): boolean {
    return this.next() < share
  }

  pick<A>(choices: ReadonlyArray<A>): A {
    return choices[this.below(choices.length)]!
  }
}

/** Some that every run tries, and one that no run has tried before; its number stands in the test's name. */
export const seeds = (fixed: number): ReadonlyArray<number> => [
  ...Array.from({ length: fixed }, (_, index) => index + 1),
  Date.now() % 1_000_000_000
]

/** Does it by the chance of each of these seeds, one after another; a failure names its seed. */
export const eachSeed = async (
  fixed: number,
  act: (random: Random, seed: number) => unknown
): Promise<void> => {
  for (const seed of seeds(fixed)) {
    try {
      await act(new Random(seed), seed)
    } catch (cause) {
      throw new Error(`run ${seed}`, { cause })
    }
  }
}
