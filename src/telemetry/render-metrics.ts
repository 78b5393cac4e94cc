/** The process's metrics in Prometheus' text format. */
import { formatVnd, type MicroVnd } from "../domain/money.ts"
import { connectionFamilies } from "./connection-families.ts"
import type { LoopDelayReading } from "./LoopDelay.ts"
import { family, renderLabels, type Sample, single } from "./prometheus-text.ts"
import { routeFamilies } from "./route-families.ts"
import { sumCounters } from "./sum-counters.ts"
import type { CallCounters, ThreadCounters, ThreadSnapshot } from "./ThreadMetrics.ts"

/** A gateway thread's numbers, by its place among them. */
export interface NumberedSnapshot extends ThreadSnapshot {
  readonly thread: number
}

export interface ProcessMetrics {
  readonly threads: ReadonlyArray<NumberedSnapshot>
  /** What threads had counted that have ended since. */
  readonly retired: ThreadCounters
  readonly threadRestarts: number
  readonly mainDelaySeconds: LoopDelayReading
  readonly mainHeapBytes: number
  readonly residentBytes: number
  readonly startedAtSeconds: number
  /** On the disk of `DATA_DIR`. */
  readonly freeDiskBytes: number | undefined
  readonly maintenance: boolean
  readonly draining: boolean
  readonly journal: {
    readonly available: boolean
    readonly commits: number
    readonly committedCalls: number
    readonly spooledCalls: number
    readonly droppedRows: number
    readonly refusedRows: number
    readonly unpaidCalls: number
    readonly commitMsTotal: number
  }
  readonly journalQueue: number
  /** Of keys that gateway threads did not know. */
  readonly keyLookups: {
    readonly found: number
    readonly unknown: number
    readonly remembered: number
    readonly unanswered: number
    readonly waiting: number
  }
  readonly liveNodes: number
  /** The parts of settings that differ between them. */
  readonly settingsApart: ReadonlyArray<string>
  readonly clockAheadSeconds: number
  /** `count`: those that threads hold out of their allowances are told by the threads. */
  readonly holds: { readonly count: number; readonly amount: MicroVnd }
  readonly wallets: number
  readonly overdraft: MicroVnd
  readonly deliveries: ReadonlyArray<Sample>
}

export const renderMetrics = (metrics: ProcessMetrics): string => {
  const counters = sumCounters([metrics.retired, ...metrics.threads])
  return [
    ...callFamilies(counters),
    ...threadFamilies(metrics),
    ...connectionFamilies(
      counters.connections,
      metrics.threads.flatMap(({ connections }) => connections)
    ),
    ...routeFamilies(metrics.threads.flatMap(({ routes }) => routes)),
    ...journalFamilies(metrics),
    ...keyFamilies(metrics),
    ...processFamilies(metrics)
  ].join("")
}

const callFamilies = (counters: ThreadCounters): ReadonlyArray<string> => {
  const labelled = (read: (counters: CallCounters) => number | string): ReadonlyArray<Sample> =>
    counters.calls.map((each) => [
      { endpoint: each.endpoint, model: each.model, status: each.status },
      read(each)
    ])
  const count = (name: string, help: string, read: (counters: CallCounters) => number | string) =>
    family(name, "counter", help, labelled(read))
  return [
    count("tollgate_calls_total", "Calls by endpoint, model and status.", (each) => each.calls),
    count("tollgate_input_tokens_total", "Billed input tokens.", (each) => each.inputTokens),
    count("tollgate_output_tokens_total", "Billed output tokens.", (each) => each.outputTokens),
    count("tollgate_charged_vnd_total", "VND charged.", (each) => formatVnd(each.cost)),
    count(
      "tollgate_usage_disbelieved_total",
      "Calls whose provider told a usage that can not be: billed by our own bound.",
      (each) => each.usagesDisbelieved
    ),
    family(
      "tollgate_unpriced_tool_uses_total",
      "counter",
      "Uses of tools that providers ran, and that have no price.",
      counters.unpricedToolUses.map(([tool, uses]) => [{ tool }, uses])
    ),
    family(
      "tollgate_client_connections_closed_total",
      "counter",
      "Clients' connections closed to make room, or not taken, by what was short.",
      counters.clientConnectionsClosed.map(([reason, closed]) => [{ reason }, closed])
    ),
    histogram("tollgate_call_duration_seconds", "Time from a call's arrival to its end.", counters.latency),
    histogram("tollgate_first_byte_seconds", "Time to the first byte of a stream.", counters.firstByte)
  ]
}

const threadFamilies = (metrics: ProcessMetrics): ReadonlyArray<string> => {
  const { threads } = metrics
  const gauge = (name: string, help: string, read: (thread: ThreadSnapshot) => number) =>
    family(
      name,
      "gauge",
      help,
      threads.map((each) => [{ thread: each.thread }, read(each)])
    )
  return [
    gauge("tollgate_open_calls", "Calls under way.", (thread) => thread.openCalls),
    gauge("tollgate_open_streams", "Streams under way.", (thread) => thread.openStreams),
    gauge("tollgate_client_connections", "Clients' connections.", (thread) => thread.clientConnections),
    gauge(
      "tollgate_client_connections_resting",
      "Clients' connections without a request.",
      (thread) => thread.clientConnectionsResting
    ),
    gauge(
      "tollgate_body_bytes",
      "Bytes of request bodies kept for calls under way.",
      (thread) => thread.bodyBytes
    ),
    gauge("tollgate_codec_queue", "Bodies waiting for a codec worker.", (thread) => thread.codecQueue),
    family(
      "tollgate_codec_workers_ended_total",
      "counter",
      "Codec workers that died or hung, and were replaced.",
      threads.map(({ codecWorkersEnded, thread }) => [{ thread }, codecWorkersEnded])
    ),
    family(
      "tollgate_trace_spans_dropped_total",
      "counter",
      "Spans that the collector of traces did not take.",
      threads.map(({ spansDropped, thread }) => [{ thread }, spansDropped])
    ),
    family("tollgate_event_loop_delay_seconds", "summary", "Event loop delay since the last reading.", [
      ...delaySamples("main", metrics.mainDelaySeconds),
      ...threads.flatMap((each) => delaySamples(each.thread, each.eventLoopDelaySeconds))
    ]),
    family("tollgate_heap_bytes", "gauge", "Memory of a thread's own objects and buffers.", [
      [{ thread: "main" }, metrics.mainHeapBytes],
      ...threads.map((each): Sample => [{ thread: each.thread }, each.heapBytes])
    ]),
    family(
      "tollgate_circuit_open",
      "gauge",
      "1 where a route's circuit is not closed.",
      circuitSamples(threads)
    ),
    single(
      "tollgate_thread_restarts_total",
      "counter",
      "Gateway threads started again.",
      metrics.threadRestarts
    )
  ]
}

const journalFamilies = ({
  clockAheadSeconds,
  journal,
  journalQueue,
  liveNodes,
  settingsApart
}: ProcessMetrics): ReadonlyArray<string> => [
  single("tollgate_database_available", "gauge", "1 while the database answers.", journal.available ? 1 : 0),
  single("tollgate_journal_queue", "gauge", "Calls waiting for their commit.", journalQueue),
  single("tollgate_journal_commits_total", "counter", "Commits.", journal.commits),
  single("tollgate_journal_calls_total", "counter", "Calls committed.", journal.committedCalls),
  single(
    "tollgate_journal_commit_seconds_total",
    "counter",
    "Time spent committing.",
    journal.commitMsTotal / 1000
  ),
  single("tollgate_journal_spooled_total", "counter", "Calls written to the spool.", journal.spooledCalls),
  single(
    "tollgate_journal_dropped_rows_total",
    "counter",
    "Rows of uncharged calls left out.",
    journal.droppedRows
  ),
  single("tollgate_journal_refused_rows_total", "counter", "Rows the database refused.", journal.refusedRows),
  single(
    "tollgate_journal_unpaid_total",
    "counter",
    "Calls left uncharged and unanswered, since what they held was lost with the node's lease or no call can cost so much.",
    journal.unpaidCalls
  ),
  single("tollgate_live_nodes", "gauge", "Nodes that live, by this node's last renewal.", liveNodes),
  single(
    "tollgate_settings_apart",
    "gauge",
    "Parts of the settings that differ between nodes that live.",
    settingsApart.length
  ),
  single(
    "tollgate_clock_ahead_seconds",
    "gauge",
    "By how much this machine's clock is ahead of the database's.",
    clockAheadSeconds
  )
]

const keyFamilies = ({ keyLookups: { waiting, ...counts } }: ProcessMetrics): ReadonlyArray<string> => [
  family(
    "tollgate_key_lookups_total",
    "counter",
    "Keys looked for, by what came of it.",
    Object.entries(counts).map(([result, count]) => [{ result }, count])
  ),
  single("tollgate_key_lookups_waiting", "gauge", "Look-ups of keys that wait.", waiting)
]

const processFamilies = (metrics: ProcessMetrics): ReadonlyArray<string> => [
  family(
    "tollgate_alert_deliveries_total",
    "counter",
    "Attempts to deliver alerts, by channel and outcome.",
    metrics.deliveries
  ),
  single("tollgate_holds", "gauge", "Open holds.", countHolds(metrics)),
  single("tollgate_held_vnd", "gauge", "VND held by calls under way.", formatVnd(metrics.holds.amount)),
  single("tollgate_wallets", "gauge", "Wallets in memory.", metrics.wallets),
  single(
    "tollgate_overdraft_vnd_total",
    "counter",
    "VND charged beyond what wallets had.",
    formatVnd(metrics.overdraft)
  ),
  single("tollgate_maintenance", "gauge", "1 in maintenance mode.", metrics.maintenance ? 1 : 0),
  single("tollgate_draining", "gauge", "1 while the process stops.", metrics.draining ? 1 : 0),
  family(
    "tollgate_data_dir_free_bytes",
    "gauge",
    "Room left on the disk of DATA_DIR.",
    metrics.freeDiskBytes === undefined ? [] : [[{}, metrics.freeDiskBytes]]
  ),
  single("process_resident_memory_bytes", "gauge", "Memory in use.", metrics.residentBytes),
  single(
    "process_start_time_seconds",
    "gauge",
    "When the process started, seconds since 1970.",
    metrics.startedAtSeconds
  )
]

const histogram = (name: string, help: string, histograms: ThreadCounters["latency"]): string => {
  const lines = histograms.flatMap(([endpoint, { bounds, count, counts, sum }]) => {
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

const delaySamples = (thread: number | string, delay: LoopDelayReading): ReadonlyArray<Sample> => [
  [{ thread, quantile: "0.5" }, delay.p50],
  [{ thread, quantile: "0.99" }, delay.p99],
  [{ thread, quantile: "1" }, delay.max]
]

const circuitSamples = (threads: ReadonlyArray<NumberedSnapshot>): ReadonlyArray<Sample> =>
  threads.flatMap(({ circuits, thread }) =>
    circuits.map(({ route, state }): Sample => [{ thread, route }, state === "closed" ? 0 : 1])
  )

const countHolds = ({ holds, threads }: ProcessMetrics): number =>
  threads.reduce((sum, { holdsFromAllowances }) => sum + holdsFromAllowances, holds.count)
