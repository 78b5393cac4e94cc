/** Many measured times, and their percentiles. */
import type { Percentiles } from "./job.ts"

export class Samples {
  #values = new Float64Array(4096)
  #count = 0

  add(milliseconds: number): void {
    if (this.#count === this.#values.length) {
      const larger = new Float64Array(this.#count * 2)
      larger.set(this.#values)
      this.#values = larger
    }
    this.#values[this.#count++] = milliseconds
  }

  get percentiles(): Percentiles {
    const sorted = this.#values.slice(0, this.#count).sort()
    const at = (share: number) =>
      sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? NaN
    const sum = sorted.reduce((total, each) => total + each, 0)
    return {
      count: sorted.length,
      mean: sum / sorted.length,
      p50: at(0.5),
      p90: at(0.9),
      p99: at(0.99),
      p999: at(0.999),
      max: at(1)
    }
  }
}
