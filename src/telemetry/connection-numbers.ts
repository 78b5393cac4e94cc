/** What is told of the connections to providers, and how those of several threads are added up. */

export interface ConnectionCounters {
  readonly origin: string
  readonly opened: number
  /** Calls that went out on a connection that had been idle. */
  readonly reused: number
  /** Calls that met a connection which the provider was closing, and went out once again. */
  readonly sentAgain: number
  /** By reason. */
  readonly failed: Readonly<Record<string, number>>
}

/** Of one origin, in one thread. */
export interface ConnectionNumbers extends ConnectionCounters {
  readonly open: number
  readonly idle: number
  readonly connecting: number
}

export const sumConnectionCounters = (
  counters: ReadonlyArray<ConnectionCounters>
): ReadonlyArray<ConnectionCounters> => {
  const sums = new Map<string, ConnectionCounters>()
  for (const { failed, opened, origin, reused, sentAgain } of counters) {
    const sum = sums.get(origin) ?? { origin, opened: 0, reused: 0, sentAgain: 0, failed: {} }
    const reasons = new Set([...Object.keys(sum.failed), ...Object.keys(failed)])
    sums.set(origin, {
      origin,
      opened: sum.opened + opened,
      reused: sum.reused + reused,
      sentAgain: sum.sentAgain + sentAgain,
      failed: Object.fromEntries(
        Array.from(reasons, (reason) => [reason, (sum.failed[reason] ?? 0) + (failed[reason] ?? 0)])
      )
    })
  }
  return [...sums.values()]
}
