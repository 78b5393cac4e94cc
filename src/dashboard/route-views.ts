/** What is shown of routes, from what all nodes have written down. */
import {
  addTallies,
  failedOf,
  firstByteQuantile,
  type RouteCondition,
  type RouteError,
  type RouteTally,
  noTally,
  successRateOf,
  type TallyCounts,
  worstCondition
} from "../domain/route-health.ts"
import { hourMs } from "../domain/vietnam-days.ts"
import {
  type HealthHour,
  readLastErrors,
  readRouteHours,
  readRouteStates,
  readRouteTallies
} from "../storage/routes/RouteHealthStore.ts"
import type { Sql } from "../storage/Database.ts"

const hoursShown = 24

export interface HealthCell {
  /** Ms since 1970. */
  readonly at: number
  readonly calls: number
  readonly failed: number
}

interface HealthRead {
  readonly atMs: number
  /** Of the last hour. */
  readonly tallies: ReadonlyArray<RouteTally>
  readonly hours: ReadonlyArray<HealthHour>
  readonly conditions: ReadonlyArray<RouteCondition>
  readonly lastErrors: ReadonlyMap<string, RouteError>
}

/** The hour under way is the last of those shown. */
export const firstHourOf = (nowMs: number): number => (Math.floor(nowMs / hourMs) - hoursShown + 1) * hourMs

export const readHealth = async (sql: Sql, nowMs: number): Promise<HealthRead> => {
  const first = new Date(firstHourOf(nowMs))
  return {
    atMs: nowMs,
    tallies: await readRouteTallies(sql, new Date(nowMs - hourMs)),
    hours: await readRouteHours(sql, first),
    conditions: await readRouteStates(sql),
    lastErrors: await readLastErrors(sql, first)
  }
}

/** How a route fares. */
export const routeView = ({ atMs, conditions, hours, lastErrors, tallies }: HealthRead, route: string) => {
  const sum = tallies.filter((tally) => tally.route === route).reduce<TallyCounts>(addTallies, noTally)
  const condition = conditions
    .filter((each) => each.route === route)
    .reduce<RouteCondition>(worstCondition, { route, state: "closed", untilMs: undefined })
  const lastError = lastErrors.get(route)
  return {
    state: condition.state,
    until: condition.untilMs ?? null,
    calls: sum.calls,
    success_rate: successRateOf(sum.calls, failedOf(sum)) ?? null,
    p50_ms: quantileMs(sum, 0.5),
    p95_ms: quantileMs(sum, 0.95),
    last_error: lastError === undefined ? null : { what: lastError.what, at: lastError.atMs },
    hours: cellsOf(
      hours.filter((hour) => hour.route === route),
      atMs
    )
  }
}

const quantileMs = ({ firstBytes }: TallyCounts, share: number): number | null => {
  const seconds = firstByteQuantile(firstBytes, share)
  return seconds === undefined ? null : Math.round(seconds * 1_000)
}

/** Their beginnings, ms since 1970. */
export const hoursFrom = (nowMs: number): ReadonlyArray<number> =>
  Array.from({ length: hoursShown }, (_, index) => firstHourOf(nowMs) + index * hourMs)

/** One for each hour, those without calls too. */
const cellsOf = (hours: ReadonlyArray<HealthHour>, nowMs: number): ReadonlyArray<HealthCell> =>
  hoursFrom(nowMs).map((at) => {
    const own = hours.filter(({ atMs }) => atMs === at)
    const calls = own.reduce((sum, each) => sum + each.calls, 0)
    return {
      at,
      calls,
      failed: Math.min(
        calls,
        own.reduce((sum, each) => sum + failedOf(each), 0)
      )
    }
  })
