/** What the gateway tells of itself at GET /metrics. */

export interface ThreadReading {
  /** `main` or the number of a gateway thread. */
  readonly thread: string
  readonly heapBytes: number
  /** How late its event loop ran since the last reading, ms. */
  readonly p50: number
  readonly p99: number
  readonly max: number
}

export interface GatewayMetrics {
  readonly commits: number
  readonly committedCalls: number
  readonly commitSeconds: number
  readonly threads: ReadonlyArray<ThreadReading>
  /** The longest time since the last reading that a gateway thread's event loop was late, ms. */
  readonly longestDelayMs: number
}

export const readMetrics = async (url: string): Promise<GatewayMetrics> => {
  const text = await (await fetch(`${url}/metrics`)).text()
  const value = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1] ?? NaN)
  const delay = (thread: string, quantile: string) =>
    value(`tollgate_event_loop_delay_seconds\\{thread="${thread}",quantile="${quantile}"\\}`) * 1000
  const heaps = [...text.matchAll(/^tollgate_heap_bytes\{thread="(\w+)"\} (\S+)$/gm)]
  const threads = heaps.map(([, thread, bytes]) => ({
    thread: thread!,
    heapBytes: Number(bytes),
    p50: delay(thread!, "0.5"),
    p99: delay(thread!, "0.99"),
    max: delay(thread!, "1")
  }))
  return {
    commits: value("tollgate_journal_commits_total"),
    committedCalls: value("tollgate_journal_calls_total"),
    commitSeconds: value("tollgate_journal_commit_seconds_total"),
    threads,
    longestDelayMs: Math.max(...threads.map(({ max, thread }) => (thread === "main" ? 0 : max)))
  }
}
