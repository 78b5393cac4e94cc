/** What is told of the routes to providers, and how the views of several threads become one. */
import { laterError, type RouteError } from "../domain/route-health.ts"
import { addSnapshots, type HistogramSnapshot } from "./Histogram.ts"

/** Of one route, in one thread, over the last minute or two. */
export interface RouteNumbers {
  readonly route: string
  readonly attempts: number
  /** Answered, not refused, and not broken off. */
  readonly successes: number
  /** Seconds until a stream began. */
  readonly firstByte: HistogramSnapshot
  readonly lastError: RouteError | undefined
}

export const sumRouteNumbers = (numbers: ReadonlyArray<RouteNumbers>): ReadonlyArray<RouteNumbers> => {
  const sums = new Map<string, RouteNumbers>()
  for (const each of numbers) {
    const sum = sums.get(each.route)
    sums.set(each.route, sum === undefined ? each : add(sum, each))
  }
  return [...sums.values()]
}

const add = (left: RouteNumbers, right: RouteNumbers): RouteNumbers => ({
  route: left.route,
  attempts: left.attempts + right.attempts,
  successes: left.successes + right.successes,
  firstByte: addSnapshots(left.firstByte, right.firstByte),
  lastError: laterError(left.lastError, right.lastError)
})
