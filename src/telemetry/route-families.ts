/** The metrics of routes to providers. A route is what an operator has configured: there are few. */
import { quantileOf } from "./Histogram.ts"
import { family, type Sample } from "./prometheus-text.ts"
import { type RouteNumbers, sumRouteNumbers } from "./route-numbers.ts"

const quantiles = [0.5, 0.95]

/** `numbers`: of each thread that runs. */
export const routeFamilies = (numbers: ReadonlyArray<RouteNumbers>): ReadonlyArray<string> => {
  const routes = sumRouteNumbers(numbers)
  const tried = routes.filter(({ attempts }) => attempts > 0)
  return [
    family(
      "tollgate_route_attempts",
      "gauge",
      "Calls tried on a route in the last minute or two.",
      routes.map(({ attempts, route }): Sample => [{ route }, attempts])
    ),
    family(
      "tollgate_route_success_ratio",
      "gauge",
      "How many of them were answered well, of 1.",
      tried.map(({ attempts, route, successes }): Sample => [{ route }, successes / attempts])
    ),
    family(
      "tollgate_route_first_byte_seconds",
      "summary",
      "How long a route took to begin streams in the last minute or two.",
      routes.flatMap(({ firstByte, route }) =>
        firstByte.count === 0
          ? []
          : quantiles.map((quantile): Sample => [{ route, quantile }, quantileOf(firstByte, quantile)])
      )
    ),
    family(
      "tollgate_route_last_error_timestamp_seconds",
      "gauge",
      "When a route last failed, and how.",
      routes.flatMap(({ lastError, route }): ReadonlyArray<Sample> =>
        lastError === undefined ? [] : [[{ route, error: lastError.what }, lastError.atMs / 1000]]
      )
    )
  ]
}
