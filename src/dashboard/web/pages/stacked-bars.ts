/** What bars are made of: the greatest parts each by itself, all others as one. */

interface Sum {
  /** Of a bar. */
  readonly start: number
  readonly part: string
}

interface Stacked {
  /** Those that are told apart, the greatest of all bars together first. */
  readonly parts: ReadonlyArray<string>
  /** There are more, which are the last value of each bar. */
  readonly hasOthers: boolean
  /** A value for each part; `undefined` where bars are whole. */
  readonly valuesAt: (start: number) => ReadonlyArray<number> | undefined
}

const partsMax = 5

export const stackBars = <A extends Sum>(sums: ReadonlyArray<A>, valueOf: (sum: A) => number): Stacked => {
  const totals = new Map<string, number>()
  for (const sum of sums) totals.set(sum.part, (totals.get(sum.part) ?? 0) + valueOf(sum))
  const all = [...totals].toSorted(([, one], [, other]) => other - one).map(([part]) => part)
  const parts = all.slice(0, partsMax)
  const hasOthers = all.length > parts.length
  const places = new Map(all.map((part, place) => [part, Math.min(place, parts.length)]))
  const empty = Array.from({ length: parts.length + (hasOthers ? 1 : 0) }, () => 0)
  const bars = new Map<number, Array<number>>()
  for (const sum of sums) {
    const bar = bars.get(sum.start) ?? [...empty]
    bar[places.get(sum.part)!]! += valueOf(sum)
    bars.set(sum.start, bar)
  }
  return {
    parts,
    hasOthers,
    valuesAt: (start) => (empty.length === 0 ? undefined : (bars.get(start) ?? empty))
  }
}
