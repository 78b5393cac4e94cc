/** Counts of values by upper bounds, as Prometheus reads them. */
export class Histogram {
  readonly bounds: ReadonlyArray<number>
  readonly counts: Float64Array
  sum = 0
  count = 0

  /** `bounds` ascend; what lies above the last is counted in `count` alone. */
  constructor(bounds: ReadonlyArray<number>) {
    this.bounds = bounds
    this.counts = new Float64Array(bounds.length)
  }

  add(value: number): void {
    this.sum += value
    this.count++
    for (let index = 0; index < this.bounds.length; index++) {
      if (value <= this.bounds[index]!) {
        this.counts[index]!++
        return
      }
    }
  }

  snapshot(): HistogramSnapshot {
    return { bounds: this.bounds, counts: Array.from(this.counts), sum: this.sum, count: this.count }
  }
}

/** Plain data: it crosses threads. */
export interface HistogramSnapshot {
  readonly bounds: ReadonlyArray<number>
  readonly counts: ReadonlyArray<number>
  readonly sum: number
  readonly count: number
}

export const addSnapshots = (left: HistogramSnapshot, right: HistogramSnapshot): HistogramSnapshot => ({
  bounds: left.bounds,
  counts: left.counts.map((count, index) => count + (right.counts[index] ?? 0)),
  sum: left.sum + right.sum,
  count: left.count + right.count
})

/** The least bound that this share of all values lies under; of what lies above the last bound, that one. */
export const quantileOf = ({ bounds, count, counts }: HistogramSnapshot, share: number): number => {
  let below = 0
  const place = bounds.findIndex((_, index) => (below += counts[index]!) >= share * count)
  return bounds[place === -1 ? bounds.length - 1 : place]!
}
