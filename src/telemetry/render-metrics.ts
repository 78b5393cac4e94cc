/** The process's metrics in Prometheus' text format. */
import { formatVnd, type MicroVnd } from "../domain/money.ts"
import { addSnapshots, type HistogramSnapshot } from "./Histogram.ts"
import type { CallCounters, ThreadSnapshot } from "./ThreadMetrics.ts"

export interface ProcessMetrics {
  readonly threads: ReadonlyArray<ThreadSnapshot>
  readonly threadRestarts: number
  readonly journal: {
    readonly available: boolean
    readonly commits: number
    readonly committedCalls: number
    readonly spooledCalls: number
    readonly droppedRows: number
    readonly refusedRows: number
    readonly commitMsTotal: number
  }
  readonly journalQueue: number
  readonly holds: { readonly count: number; readonly amount: MicroVnd }
  readonly wallets: number
  readonly overdraft: MicroVnd
}

type Labels = Readonly<Record<string, string | number>>
type Sample = readonly [labels: Labels, value: number | string]

export const renderMetrics = (metrics: ProcessMetrics): string => {
  const { journal, threads } = metrics
  const calls = sumCalls(threads)
  const byModel = [...calls.values()]
  const labelled = (read: (counters: CallCounters) => number | string): ReadonlyArray<Sample> =>
    byModel.map((each) => [{ endpoint: each.endpoint, model: each.model, status: each.status }, read(each)])
  const perThread = (read: (thread: ThreadSnapshot) => number): ReadonlyArray<Sample> =>
    threads.map((thread, index) => [{ thread: index }, read(thread)])
  return [
    family(
      "tollgate_calls_total",
      "counter",
      "Calls by endpoint, model and status.",
      labelled((each) => each.calls)
    ),
    family(
      "tollgate_input_tokens_total",
      "counter",
      "Billed input tokens.",
      labelled((each) => each.inputTokens)
    ),
    family(
      "tollgate_output_tokens_total",
      "counter",
      "Billed output tokens.",
      labelled((each) => each.outputTokens)
    ),
    family(
      "tollgate_charged_vnd_total",
      "counter",
      "VND charged.",
      labelled((each) => formatVnd(each.cost))
    ),
    histogram("tollgate_call_duration_seconds", "Time from a call's arrival to its end.", threads, "latency"),
    histogram("tollgate_first_byte_seconds", "Time to the first byte of a stream.", threads, "firstByte"),
    family(
      "tollgate_open_calls",
      "gauge",
      "Calls under way.",
      perThread((thread) => thread.openCalls)
    ),
    family(
      "tollgate_open_streams",
      "gauge",
      "Streams under way.",
      perThread((thread) => thread.openStreams)
    ),
    family(
      "tollgate_codec_queue",
      "gauge",
      "Bodies waiting for a codec worker.",
      perThread((thread) => thread.codecQueue)
    ),
    family(
      "tollgate_event_loop_delay_seconds",
      "gauge",
      "Event loop delay since the last reading.",
      threads.flatMap(delaySamples)
    ),
    family(
      "tollgate_circuit_open",
      "gauge",
      "1 where a route's circuit is not closed.",
      breakerSamples(threads)
    ),
    family("tollgate_thread_restarts_total", "counter", "Gateway threads started again.", [
      [{}, metrics.threadRestarts]
    ]),
    family("tollgate_database_available", "gauge", "1 while the database answers.", [
      [{}, journal.available ? 1 : 0]
    ]),
    family("tollgate_journal_queue", "gauge", "Calls waiting for their commit.", [
      [{}, metrics.journalQueue]
    ]),
    family("tollgate_journal_commits_total", "counter", "Commits.", [[{}, journal.commits]]),
    family("tollgate_journal_calls_total", "counter", "Calls committed.", [[{}, journal.committedCalls]]),
    family("tollgate_journal_commit_seconds_total", "counter", "Time spent committing.", [
      [{}, journal.commitMsTotal / 1000]
    ]),
    family("tollgate_journal_spooled_total", "counter", "Calls written to the spool.", [
      [{}, journal.spooledCalls]
    ]),
    family("tollgate_journal_dropped_rows_total", "counter", "Rows of uncharged calls left out.", [
      [{}, journal.droppedRows]
    ]),
    family("tollgate_journal_refused_rows_total", "counter", "Rows the database refused.", [
      [{}, journal.refusedRows]
    ]),
    family("tollgate_holds", "gauge", "Open holds.", [[{}, metrics.holds.count]]),
    family("tollgate_held_vnd", "gauge", "VND held by calls under way.", [
      [{}, formatVnd(metrics.holds.amount)]
    ]),
    family("tollgate_wallets", "gauge", "Wallets in memory.", [[{}, metrics.wallets]]),
    family("tollgate_overdraft_vnd_total", "counter", "VND charged beyond what wallets had.", [
      [{}, formatVnd(metrics.overdraft)]
    ])
  ].join("")
}

const family = (
  name: string,
  type: "counter" | "gauge",
  help: string,
  samples: ReadonlyArray<Sample>
): string =>
  `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n` +
  samples.map(([labels, value]) => `${name}${renderLabels(labels)} ${value}\n`).join("")

const histogram = (
  name: string,
  help: string,
  threads: ReadonlyArray<ThreadSnapshot>,
  which: "latency" | "firstByte"
): string => {
  const merged = new Map<string, HistogramSnapshot>()
  for (const [endpoint, snapshot] of threads.flatMap((thread) => thread[which])) {
    const known = merged.get(endpoint)
    merged.set(endpoint, known === undefined ? snapshot : addSnapshots(known, snapshot))
  }
  const lines = [...merged].flatMap(([endpoint, { bounds, count, counts, sum }]) => {
    let below = 0
    const buckets = bounds.map((bound, index) => {
      below += counts[index]!
      return `${name}_bucket${renderLabels({ endpoint, le: bound })} ${below}\n`
    })
    return [
      ...buckets,
      `${name}_bucket${renderLabels({ endpoint, le: "+Inf" })} ${count}\n`,
      `${name}_sum${renderLabels({ endpoint })} ${sum}\n`,
      `${name}_count${renderLabels({ endpoint })} ${count}\n`
    ]
  })
  return `# HELP ${name} ${help}\n# TYPE ${name} histogram\n${lines.join("")}`
}

const sumCalls = (threads: ReadonlyArray<ThreadSnapshot>): ReadonlyMap<string, CallCounters> => {
  const sums = new Map<string, CallCounters>()
  for (const each of threads.flatMap((thread) => thread.calls)) {
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
  }
  return sums
}

const delaySamples = ({ eventLoopDelaySeconds }: ThreadSnapshot, thread: number): ReadonlyArray<Sample> => [
  [{ thread, quantile: "0.5" }, eventLoopDelaySeconds.p50],
  [{ thread, quantile: "0.99" }, eventLoopDelaySeconds.p99],
  [{ thread, quantile: "1" }, eventLoopDelaySeconds.max]
]

const breakerSamples = (threads: ReadonlyArray<ThreadSnapshot>): ReadonlyArray<Sample> =>
  threads.flatMap(({ breakers }, thread) =>
    breakers.map(({ route, state }): Sample => [{ thread, route }, state === "closed" ? 0 : 1])
  )

const renderLabels = (labels: Labels): string => {
  const parts = Object.entries(labels).map(
    ([name, value]) => `${name}="${String(value).replace(/[\\"\n]/g, "_")}"`
  )
  return parts.length === 0 ? "" : `{${parts.join(",")}}`
}
