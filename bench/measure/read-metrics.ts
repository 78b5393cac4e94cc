/** What the gateway tells of itself at GET /metrics. */

export interface GatewayMetrics {
  readonly commits: number
  readonly committedCalls: number
  readonly commitSeconds: number
  /** The longest time since the last reading that a gateway thread's event loop was late, ms. */
  readonly longestDelayMs: number
  readonly delayMsByThread: ReadonlyArray<{
    readonly p50: number
    readonly p99: number
    readonly max: number
  }>
}

export const readMetrics = async (url: string): Promise<GatewayMetrics> => {
  const text = await (await fetch(`${url}/metrics`)).text()
  const value = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1] ?? NaN)
  const byThread = new Map<string, Record<string, number>>()
  const delays = /^tollgate_event_loop_delay_seconds\{thread="(\d+)",quantile="([\d.]+)"\} (\S+)$/gm
  for (const [, thread, quantile, seconds] of text.matchAll(delays)) {
    byThread.set(thread!, { ...byThread.get(thread!), [quantile!]: Number(seconds) * 1000 })
  }
  const delayMsByThread = [...byThread.values()].map((quantiles) => ({
    p50: quantiles["0.5"]!,
    p99: quantiles["0.99"]!,
    max: quantiles["1"]!
  }))
  return {
    commits: value("tollgate_journal_commits_total"),
    committedCalls: value("tollgate_journal_calls_total"),
    commitSeconds: value("tollgate_journal_commit_seconds_total"),
    longestDelayMs: Math.max(...delayMsByThread.map(({ max }) => max)),
    delayMsByThread
  }
}
