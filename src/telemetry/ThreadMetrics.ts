/** What one gateway thread counts. Label sets are bounded: endpoints, catalogue models, statuses, tools. */
import type { PricedUses } from "../domain/price.ts"
import type { ConnectionCounters, ConnectionNumbers } from "./connection-numbers.ts"
import { heapBytes } from "./heap-bytes.ts"
import { Histogram, type HistogramSnapshot } from "./Histogram.ts"
import { LastMinute } from "./LastMinute.ts"
import type { RouteNumbers } from "./route-numbers.ts"
import { LoopDelay, type LoopDelayReading } from "./LoopDelay.ts"
import { steadyMs } from "./steady-clock.ts"

/** Seconds. */
const latencyBounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 900]

export interface CallMeasured {
  readonly endpoint: string
  /** Catalogue id, or empty. */
  readonly model: string
  readonly status: number
  readonly inputTokens: number
  readonly outputTokens: number
  /** µVND. */
  readonly cost: bigint
  readonly latencyMs: number
  readonly firstByteMs: number | undefined
  /** The upstream told a usage that can not be. */
  readonly usageDisbelieved: boolean
  readonly toolUses: ReadonlyArray<PricedUses>
}

/** Counters of one endpoint, model and status. */
export interface CallCounters {
  readonly endpoint: string
  readonly model: string
  readonly status: number
  calls: number
  inputTokens: number
  outputTokens: number
  /** µVND. */
  cost: bigint
  usagesDisbelieved: number
}

/** What only ever grows. */
export interface ThreadCounters {
  readonly calls: ReadonlyArray<CallCounters>
  readonly latency: ReadonlyArray<readonly [endpoint: string, histogram: HistogramSnapshot]>
  readonly firstByte: ReadonlyArray<readonly [endpoint: string, histogram: HistogramSnapshot]>
  readonly connections: ReadonlyArray<ConnectionCounters>
  /** Clients' connections that were closed to make room, or not taken. */
  readonly clientConnectionsClosed: ReadonlyArray<readonly [reason: string, count: number]>
  /** Uses of providers' tools that have no price. */
  readonly unpricedToolUses: ReadonlyArray<readonly [tool: string, count: number]>
}

/** What a thread's server has open. */
export interface EdgeReading {
  /** Bytes of request bodies kept for calls under way. */
  readonly bodyBytes: number
  /** Of clients. */
  readonly clientConnections: number
  /** Those of them without a request. */
  readonly clientConnectionsResting: number
}

/** Plain data: it crosses threads. */
export interface ThreadSnapshot extends ThreadCounters, EdgeReading {
  readonly openCalls: number
  readonly openStreams: number
  /** Calls that have ended within the last minute. */
  readonly callsPerMinute: number
  readonly codecQueue: number
  readonly codecWorkersEnded: number
  readonly eventLoopDelaySeconds: LoopDelayReading
  readonly heapBytes: number
  readonly spansDropped: number
  /** Open calls that this thread has held for without asking. */
  readonly holdsFromAllowances: number
  readonly circuits: ReadonlyArray<{ readonly route: string; readonly state: string }>
  readonly connections: ReadonlyArray<ConnectionNumbers>
  readonly routes: ReadonlyArray<RouteNumbers>
}

export class ThreadMetrics {
  openCalls = 0
  openStreams = 0
  /** Told by the thread's server, once it is there. */
  readEdge = (): EdgeReading => ({ bodyBytes: 0, clientConnections: 0, clientConnectionsResting: 0 })
  readonly #clientConnectionsClosed = new Map<string, number>()
  readonly #unpricedToolUses = new Map<string, number>()
  readonly #calls = new Map<string, CallCounters>()
  readonly #latency = new Map<string, Histogram>()
  readonly #firstByte = new Map<string, Histogram>()
  readonly #delay = new LoopDelay()
  readonly #lastMinute = new LastMinute()

  finished(call: CallMeasured): void {
    const key = `${call.endpoint} ${call.model} ${call.status}`
    let counters = this.#calls.get(key)
    if (counters === undefined) {
      const { endpoint, model, status } = call
      counters = {
        endpoint,
        model,
        status,
        calls: 0,
        inputTokens: 0,
        outputTokens: 0,
        cost: 0n,
        usagesDisbelieved: 0
      }
      this.#calls.set(key, counters)
    }
    counters.calls++
    this.#lastMinute.add(steadyMs())
    counters.inputTokens += call.inputTokens
    counters.outputTokens += call.outputTokens
    counters.cost += call.cost
    if (call.usageDisbelieved) counters.usagesDisbelieved++
    for (const { price, tool, uses } of call.toolUses)
      if (price === undefined)
        this.#unpricedToolUses.set(tool, (this.#unpricedToolUses.get(tool) ?? 0) + uses)
    observe(this.#latency, call.endpoint, call.latencyMs)
    if (call.firstByteMs !== undefined) observe(this.#firstByte, call.endpoint, call.firstByteMs)
  }

  /** With a count of 0 it is there from the start: an increase is seen only of what was there before. */
  closedConnection(reason: string, count = 1): void {
    this.#clientConnectionsClosed.set(reason, (this.#clientConnectionsClosed.get(reason) ?? 0) + count)
  }

  snapshot(
    rest: Pick<
      ThreadSnapshot,
      | "codecQueue"
      | "codecWorkersEnded"
      | "circuits"
      | "connections"
      | "routes"
      | "spansDropped"
      | "holdsFromAllowances"
    >
  ): ThreadSnapshot {
    return {
      calls: [...this.#calls.values()],
      latency: [...this.#latency].map(([endpoint, histogram]) => [endpoint, histogram.snapshot()]),
      firstByte: [...this.#firstByte].map(([endpoint, histogram]) => [endpoint, histogram.snapshot()]),
      openCalls: this.openCalls,
      openStreams: this.openStreams,
      clientConnectionsClosed: [...this.#clientConnectionsClosed],
      unpricedToolUses: [...this.#unpricedToolUses],
      ...this.readEdge(),
      callsPerMinute: this.#lastMinute.count(steadyMs()),
      eventLoopDelaySeconds: this.#delay.read(),
      heapBytes: heapBytes(),
      ...rest
    }
  }
}

const observe = (histograms: Map<string, Histogram>, endpoint: string, ms: number): void => {
  let histogram = histograms.get(endpoint)
  if (histogram === undefined) {
    histogram = new Histogram(latencyBounds)
    histograms.set(endpoint, histogram)
  }
  histogram.add(ms / 1000)
}
