/** How routes fare, as all nodes tell it. */
import {
  failureKinds,
  type FirstBytes,
  type HealthRow,
  type RouteCondition,
  type RouteError,
  type RouteTally,
  type TallyCounts
} from "../../domain/route-health.ts"
import type { Sql } from "../Database.ts"

/** Whole rows, so that writing them again changes nothing. */
export const writeRouteHealth = async (
  sql: Sql,
  writer: string,
  rows: ReadonlyArray<HealthRow>
): Promise<void> => {
  if (rows.length === 0) return
  const written = rows.map(({ atMs, calls, failures, family, firstBytes, lastError, passedOver, route }) => ({
    at: new Date(atMs).toISOString(),
    route,
    family,
    calls,
    ...Object.fromEntries(failureKinds.map((kind) => [kind, failures[kind] ?? 0])),
    passed_over: passedOver,
    first_byte: firstBytes,
    last_error: lastError?.what ?? null,
    last_error_at: lastError === undefined ? null : new Date(lastError.atMs).toISOString()
  }))
  await sql`
    insert into route_health (at, route, family, writer, calls, busy, locked_out, forbidden, server, connect, timeout,
      broken, credentials, passed_over, first_byte, last_error, last_error_at)
    select r.at, r.route, r.family, ${writer}, r.calls, r.busy, r.locked_out, r.forbidden, r.server, r.connect,
      r.timeout, r.broken, r.credentials, r.passed_over, r.first_byte, r.last_error, r.last_error_at
    from jsonb_to_recordset(${sql.json(written)}) as r (at timestamptz, route text, family text, calls integer,
      busy integer, locked_out integer, forbidden integer, server integer, connect integer, timeout integer,
      broken integer, credentials integer, passed_over integer, first_byte jsonb, last_error text,
      last_error_at timestamptz)
    on conflict (at, route, family, writer) do update set calls = excluded.calls, busy = excluded.busy,
      locked_out = excluded.locked_out, forbidden = excluded.forbidden, server = excluded.server,
      connect = excluded.connect, timeout = excluded.timeout, broken = excluded.broken,
      credentials = excluded.credentials, passed_over = excluded.passed_over, first_byte = excluded.first_byte,
      last_error = excluded.last_error, last_error_at = excluded.last_error_at`
}

/** What a process does not tell again for so long is over. */
const stateLastsSeconds = 20

/** All that a process has to tell of now: of routes that it no longer names it takes back what it told. */
export const writeRouteStates = async (
  sql: Sql,
  writer: string,
  conditions: ReadonlyArray<RouteCondition>
): Promise<void> => {
  const told = conditions.map(({ route, state, untilMs }) => ({
    route,
    state,
    until: untilMs === undefined ? null : new Date(untilMs).toISOString()
  }))
  await sql`
    with gone as (
      delete from route_states where (writer = ${writer} and route <> all (${told.map(({ route }) => route)}::text[]))
        or told_at < now() - interval '1 hour'
    )
    insert into route_states (route, writer, state, until)
    select r.route, ${writer}, r.state, r.until
    from jsonb_to_recordset(${sql.json(told)}) as r (route text, state text, until timestamptz)
    on conflict (route, writer) do update set state = excluded.state, until = excluded.until,
      told_at = clock_timestamp()`
}

export const readRouteStates = async (sql: Sql): Promise<ReadonlyArray<RouteCondition>> => {
  const rows = await sql<Array<{ route: string; state: RouteCondition["state"]; until: Date | null }>>`
    select route, state, until from route_states
    where told_at > clock_timestamp() - ${`${stateLastsSeconds} seconds`}::text::interval`
  return rows.map(({ route, state, until }) => ({ route, state, untilMs: until?.getTime() }))
}

/** What all nodes have counted from a moment on, by route and family. What seems to be still to come was counted while a clock was ahead. */
export const readRouteTallies = async (sql: Sql, since: Date): Promise<ReadonlyArray<RouteTally>> => {
  const rows = await sql<Array<TallyRow>>`
    select route, family, calls, busy, locked_out, forbidden, server, connect, timeout, broken, credentials,
      passed_over as "passedOver", first_byte
    from route_health where at between ${since} and now()`
  return rows.map(({ calls, family, first_byte: firstBytes, passedOver, route, ...failures }) => ({
    route,
    family,
    calls,
    failures,
    passedOver,
    firstBytes,
    lastError: undefined
  }))
}

type FailureColumns = Record<(typeof failureKinds)[number], number>
interface CountedRow extends FailureColumns {
  readonly route: string
  readonly family: string
  readonly calls: number
  readonly passedOver: number
}
interface TallyRow extends CountedRow {
  readonly first_byte: FirstBytes
}

export interface HealthHour extends Pick<TallyCounts, "calls" | "failures" | "passedOver"> {
  readonly route: string
  readonly family: string
  /** Its beginning, ms since 1970. */
  readonly atMs: number
}

interface HourRow extends CountedRow {
  readonly at: Date
}

/** By the hours of the clock. */
export const readRouteHours = async (sql: Sql, since: Date): Promise<ReadonlyArray<HealthHour>> => {
  const rows = await sql<Array<HourRow>>`
    select route, family, date_trunc('hour', at, 'UTC') as at, sum(calls)::int as calls, sum(busy)::int as busy,
      sum(locked_out)::int as locked_out, sum(forbidden)::int as forbidden, sum(server)::int as server,
      sum(connect)::int as connect, sum(timeout)::int as timeout, sum(broken)::int as broken,
      sum(credentials)::int as credentials, sum(passed_over)::int as "passedOver"
    from route_health where at between ${since} and now() group by 1, 2, 3`
  return rows.map(({ at, calls, family, passedOver, route, ...failures }) => ({
    route,
    family,
    atMs: at.getTime(),
    calls,
    failures,
    passedOver
  }))
}

/** Of each route the last one. */
export const readLastErrors = async (sql: Sql, since: Date): Promise<ReadonlyMap<string, RouteError>> => {
  const rows = await sql<Array<{ route: string; what: string; at: Date }>>`
    select distinct on (route) route, last_error as what, last_error_at as at from route_health
    where at between ${since} and now() and last_error is not null order by route, last_error_at desc`
  return new Map(rows.map(({ at, route, what }) => [route, { what, atMs: at.getTime() }]))
}
