/** What is told of the gateway threads. */
import type { NumberedSnapshot } from "../telemetry/render-metrics.ts"
import type { ThreadCounters } from "../telemetry/ThreadMetrics.ts"

/** What all threads have counted. */
export interface ThreadNumbers {
  readonly threads: ReadonlyArray<NumberedSnapshot>
  /** Of threads that have ended. */
  readonly retired: ThreadCounters
}
