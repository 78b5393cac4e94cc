/** How routes to providers fare: what is counted of them, and what is read off the counts of several threads and nodes. */

/** Why a try at a route came to nothing. */
export const failureKinds = [
  /** 429, 503, 529. */
  "busy",
  /** 401, 402: our account there is closed or empty. */
  "locked_out",
  /** 403, which some providers say of what a caller asked. */
  "forbidden",
  /** Any other 5xx. */
  "server",
  "connect",
  "timeout",
  /** It broke off an answer that it had begun, or sent none that can be understood. */
  "broken",
  /** AWS gave us none. */
  "credentials"
] as const
export type FailureKind = (typeof failureKinds)[number]

/** Of a status, or a word for why there was no answer. */
export const failureKindOf = (what: string): FailureKind => {
  const status = Number(what)
  if (status === 401 || status === 402) return "locked_out"
  if (status === 403) return "forbidden"
  if (status === 429 || status === 503 || status === 529) return "busy"
  if (status >= 500) return "server"
  return failureKinds.find((kind) => kind === what) ?? "broken"
}

/** Rows are written for spans of so long. */
export const healthSpanMs = 5 * 60_000

/** Upper bounds in seconds, each a fifth more than the one before: from a millisecond to a quarter of an hour. */
export const firstByteBounds: ReadonlyArray<number> = Array.from(
  { length: 76 },
  (_, index) => 0.001 * 1.2 ** index
)

/** What lies above all bounds counts with the last. */
export const boundOf = (seconds: number): number => {
  const place = firstByteBounds.findIndex((bound) => seconds <= bound)
  return place === -1 ? firstByteBounds.length - 1 : place
}

/** Place of a bound → how many streams began within it. */
export type FirstBytes = Readonly<Record<string, number>>

export interface RouteError {
  /** A status, or one of few words. Never what a provider said. */
  readonly what: string
  /** Ms since 1970. */
  readonly atMs: number
}

/** Plain data: it crosses threads. */
export interface RouteTally {
  readonly route: string
  /** Of the models that were called. */
  readonly family: string
  readonly calls: number
  readonly failures: Readonly<Partial<Record<FailureKind, number>>>
  /** Failures after which the call went on to another route. */
  readonly passedOver: number
  readonly firstBytes: FirstBytes
  readonly lastError: RouteError | undefined
}

/** What one process has counted in the span of `healthSpanMs` from a moment. */
export interface HealthRow extends RouteTally {
  /** Ms since 1970. */
  readonly atMs: number
}

export type TallyCounts = Omit<RouteTally, "route" | "family">

export const noTally: TallyCounts = {
  calls: 0,
  failures: {},
  passedOver: 0,
  firstBytes: {},
  lastError: undefined
}

export const addTallies = (left: TallyCounts, right: TallyCounts): TallyCounts => ({
  calls: left.calls + right.calls,
  failures: addCounts(left.failures, right.failures),
  passedOver: left.passedOver + right.passedOver,
  firstBytes: addCounts(left.firstBytes, right.firstBytes),
  lastError: laterError(left.lastError, right.lastError)
})

export const laterError = (
  left: RouteError | undefined,
  right: RouteError | undefined
): RouteError | undefined =>
  left === undefined || (right !== undefined && right.atMs > left.atMs) ? right : left

const addCounts = <Counts extends Readonly<Partial<Record<string, number>>>>(
  left: Counts,
  right: Counts
): Counts => {
  const sums: Record<string, number> = { ...(left as Record<string, number>) }
  for (const [name, count] of Object.entries(right)) sums[name] = (sums[name] ?? 0) + (count ?? 0)
  return sums as Counts
}

/** Between 0 and 1; `undefined` without a call. An answer that broke off after its span had ended fails no call twice. */
export const successRateOf = (calls: number, failed: number): number | undefined =>
  calls === 0 ? undefined : Math.max(0, calls - failed) / calls

export const failedOf = ({ failures }: Pick<TallyCounts, "failures">): number =>
  Object.values(failures).reduce((sum, count) => sum + count, 0)

/** The least bound in seconds that this share of all streams began within; `undefined` without any. */
export const firstByteQuantile = (firstBytes: FirstBytes, share: number): number | undefined => {
  const total = Object.values(firstBytes).reduce((sum, count) => sum + count, 0)
  if (total === 0) return undefined
  let below = 0
  return firstByteBounds.find((_, place) => (below += firstBytes[place] ?? 0) >= share * total)
}

/** From good to bad. `resting`: it asked for patience, so that others go first. `half_open`: a call tries whether it has recovered. */
export const routeStates = ["closed", "resting", "half_open", "open"] as const
export type RouteState = (typeof routeStates)[number]

/** Of a route that is not simply closed. */
export interface RouteCondition {
  readonly route: string
  readonly state: RouteState
  /** Ms since 1970; `undefined` where it is not known. */
  readonly untilMs: number | undefined
}

/** Of several views of one route, the worst, and of equals the one that lasts longest. */
export const worstCondition = <Condition extends Omit<RouteCondition, "route">>(
  left: Condition,
  right: Condition
): Condition => {
  const [leftPlace, rightPlace] = [routeStates.indexOf(left.state), routeStates.indexOf(right.state)]
  if (leftPlace !== rightPlace) return leftPlace > rightPlace ? left : right
  return (left.untilMs ?? 0) >= (right.untilMs ?? 0) ? left : right
}
