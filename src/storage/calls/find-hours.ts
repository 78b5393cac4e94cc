/** In which hours the calls of a key or a model are, from the sums of hours. */
import type { Sql } from "../Database.ts"
import { type KeysOf, withKeysOf } from "./with-keys-of.ts"

export interface HourFilter extends KeysOf {
  readonly keyId?: string | undefined
  readonly model?: string | undefined
  readonly outcome?: "all" | "failed" | undefined
  /** From this moment on. */
  readonly from?: Date | undefined
  /** Up to, but without, this moment. */
  readonly to?: Date | undefined
}

/** A call's place in the order of time. The time is PostgreSQL's text, since a Date would cut its microseconds. */
export interface CallCursor {
  readonly at: string
  readonly callId: string
}

export interface CallPaging {
  readonly order: "oldest first" | "newest first"
  /** The page begins behind this place; `undefined` for the first. */
  readonly after: CallCursor | undefined
  readonly limit: number
}

/**
 * The next hours that hold a page of the filter's calls. Each has one at least, but the first, of which a page before may
 * have shown all: one hour more than calls suffices. Where hours have many, those behind a page of them are left out.
 */
export const hoursWith = (sql: Sql, filter: HourFilter, paging: CallPaging) => {
  const { after, limit, order } = paging
  const isForward = order === "oldest first"
  const direction = isForward ? sql`asc` : sql`desc`
  const count = filter.outcome === "failed" ? sql`sum(failed_calls)` : sql`sum(calls)`
  const bound =
    after === undefined
      ? sql``
      : sql`and hour ${isForward ? sql`>=` : sql`<=`}
    date_trunc('hour', ${after.at}::text::timestamptz, 'UTC')`
  return sql`
    select hour, hour + interval '1 hour' as hour_end from (
      select hour, sum(calls) over (order by hour ${direction}) - calls
        - first_value(calls) over (order by hour ${direction}) as calls_before
      from (
        select hour, ${count} as calls from usage_hours
        where account_id = ${filter.accountId} and hour >= calls_kept_from() ${bound}
        ${filter.keyId === undefined ? sql`` : sql`and key_id = ${filter.keyId}`}
        ${filter.model === undefined ? sql`` : sql`and model = ${filter.model}`} ${withKeysOf(sql, filter)}
        ${filter.from === undefined ? sql`` : sql`and hour >= date_trunc('hour', ${filter.from}::timestamptz, 'UTC')`}
        ${filter.to === undefined ? sql`` : sql`and hour < ${filter.to}`}
        group by hour having ${count} > 0 order by hour ${direction} limit ${limit + 1}
      ) counted
    ) summed where calls_before < ${limit}`
}
