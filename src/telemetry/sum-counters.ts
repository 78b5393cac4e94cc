/** Adds up what several threads have counted, those that have ended included: a counter must never fall. */
import { sumConnectionCounters } from "./connection-numbers.ts"
import { addSnapshots, type HistogramSnapshot } from "./Histogram.ts"
import type { CallCounters, ThreadCounters } from "./ThreadMetrics.ts"

export const noCounters: ThreadCounters = {
  calls: [],
  latency: [],
  firstByte: [],
  connections: [],
  clientConnectionsClosed: [],
  unpricedToolUses: []
}

export const sumCounters = (threads: ReadonlyArray<ThreadCounters>): ThreadCounters => ({
  calls: sumCalls(threads.flatMap((thread) => thread.calls)),
  latency: sumHistograms(threads.flatMap((thread) => thread.latency)),
  firstByte: sumHistograms(threads.flatMap((thread) => thread.firstByte)),
  connections: sumConnectionCounters(threads.flatMap((thread) => thread.connections)),
  clientConnectionsClosed: sumCounts(threads.flatMap((thread) => thread.clientConnectionsClosed)),
  unpricedToolUses: sumCounts(threads.flatMap((thread) => thread.unpricedToolUses))
})

const sumCounts = (
  counts: ReadonlyArray<readonly [label: string, count: number]>
): ReadonlyArray<readonly [label: string, count: number]> => {
  const sums = new Map<string, number>()
  for (const [label, count] of counts) sums.set(label, (sums.get(label) ?? 0) + count)
  return [...sums]
}

const sumCalls = (counters: ReadonlyArray<CallCounters>): ReadonlyArray<CallCounters> => {
  const sums = new Map<string, CallCounters>()
  for (const each of counters) {
    const key = `${each.endpoint} ${each.model} ${each.status}`
    const sum = sums.get(key)
    if (sum === undefined) {
      sums.set(key, { ...each })
      continue
    }
    sum.calls += each.calls
    sum.inputTokens += each.inputTokens
    sum.outputTokens += each.outputTokens
    sum.cost += each.cost
    sum.usagesDisbelieved += each.usagesDisbelieved
  }
  return [...sums.values()]
}

const sumHistograms = (
  histograms: ThreadCounters["latency"]
): ReadonlyArray<readonly [endpoint: string, histogram: HistogramSnapshot]> => {
  const sums = new Map<string, HistogramSnapshot>()
  for (const [endpoint, histogram] of histograms) {
    const sum = sums.get(endpoint)
    sums.set(endpoint, sum === undefined ? histogram : addSnapshots(sum, histogram))
  }
  return [...sums]
}
