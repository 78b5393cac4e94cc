/** Random choices that one number decides, so that every run can be repeated. */
export interface Random {
  /** From 0 up to and without `limit`. */
  below(limit: number): number
  pick<A>(choices: ReadonlyArray<A>): A
}

export const randomFrom = (seed: number): Random => {
  let state = seed >>> 0
  // mulberry32
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (limit: number) => Math.floor(next() * limit)
  return { below, pick: (choices) => choices[below(choices.length)]! }
}

/** Some that every run tries, and one that no run has tried before; its number stands in the test's name. */
export const seeds = (fixed: number): ReadonlyArray<number> => [
  ...Array.from({ length: fixed }, (_, index) => index + 1),
  Date.now() % 1_000_000_000
]
