/** What is told of the gateway threads, and what they show. */
import type { Effect } from "effect"
import type { NumberedSnapshot } from "../telemetry/render-metrics.ts"
import type { ThreadCounters } from "../telemetry/ThreadMetrics.ts"

/** What operations pages show; filled in by whoever knows the whole process. */
export interface Pages {
  page(name: "readyz" | "metrics"): Effect.Effect<{ readonly status: number; readonly body: string }>
}

/** What all threads have counted. */
export interface ThreadNumbers {
  readonly threads: ReadonlyArray<NumberedSnapshot>
  /** Of threads that have ended. */
  readonly retired: ThreadCounters
}
