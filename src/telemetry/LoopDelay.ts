/** How late this thread's event loop runs, since it was last asked. */
import { monitorEventLoopDelay } from "node:perf_hooks"

/** Seconds. */
export interface LoopDelayReading {
  readonly p50: number
  readonly p99: number
  readonly max: number
}

/** Each turn wakes the thread, also while there is nothing to do. */
const intervalMs = 20

/** What is recorded is the time from one turn of a timer to the next: a loop that is never late shows the interval. */
const seconds = (nanoseconds: number): number =>
  Number.isFinite(nanoseconds) ? Math.max(0, nanoseconds / 1e9 - intervalMs / 1000) : 0

export class LoopDelay {
  readonly #histogram = monitorEventLoopDelay({ resolution: intervalMs })

  constructor() {
    this.#histogram.enable()
  }

  read(): LoopDelayReading {
    const reading = {
      p50: seconds(this.#histogram.percentile(50)),
      p99: seconds(this.#histogram.percentile(99)),
      max: seconds(this.#histogram.max)
    }
    this.#histogram.reset()
    return reading
  }
}
