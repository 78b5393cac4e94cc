/** What an account used, from the sums of hours that are kept with the calls themselves and those of days. */
import type { AccountId } from "../../domain/ids.ts"
import type { MicroVnd } from "../../domain/money.ts"
import { hourMs, startOfHour } from "../../domain/vietnam-days.ts"
import type { Sql } from "../Database.ts"
import { droppedWithin, usedByHour, type UsedFilter, usedWithin } from "./find-used.ts"
import { withKeysOf } from "./with-keys-of.ts"

export interface UsageFilter extends UsedFilter {
  readonly from: Date
  readonly to: Date
}

export interface UsageSum {
  readonly calls: number
  readonly failedCalls: number
  readonly inputTokens: number
  readonly outputTokens: number
  readonly cost: MicroVnd
  /** ms that its calls took together; 0 where nobody noted it yet. */
  readonly latencyMs: number
}

/** What bars are made of. */
export type Stack = "model" | "key"

/** A bar's part. */
export interface StackedSum {
  readonly startMs: number
  /** A model, or a key's id. */
  readonly part: string
  readonly calls: number
  readonly cost: MicroVnd
}

export interface UsageReport {
  readonly total: UsageSum
  /** Hours or days in Viet Nam, oldest first; those without calls are left out. */
  readonly series: ReadonlyArray<UsageSum & { readonly startMs: number }>
  readonly byKey: ReadonlyArray<UsageSum & { readonly keyId: string; readonly keyName: string }>
  readonly byModel: ReadonlyArray<UsageSum & { readonly model: string }>
  /** Empty where bars are whole. */
  readonly stacked: ReadonlyArray<StackedSum>
}

/** One pass over the sums, then all four tables from its few thousand cells. Days begin at midnight in Viet Nam. */
export const reportUsage = async (
  sql: Sql,
  filter: UsageFilter,
  bucket: "hour" | "day",
  stack?: Stack
): Promise<UsageReport> => {
  const rows = await sql<Array<RawSum>>`
    with cells as (
      select date_bin(${bucket === "hour" ? "1 hour" : "1 day"}::text::interval, start, '2000-01-01 00:00+07') as start, key_id, model,
        sum(calls) as calls, sum(failed_calls) as failed_calls, sum(input_tokens) as input_tokens,
        sum(output_tokens) as output_tokens, sum(cost_micro_vnd) as cost, sum(latency_ms) as latency_ms
      from (${bucket === "hour" ? usedByHour(sql, filter) : usedWithin(sql, filter)}) used
      group by 1, 2, 3
    ), sums as (
      select start, key_id, model, grouping(start, key_id, model) as level, coalesce(sum(calls), 0)::text as calls,
        coalesce(sum(failed_calls), 0)::text as failed_calls, coalesce(sum(input_tokens), 0)::text as input_tokens,
        coalesce(sum(output_tokens), 0)::text as output_tokens, coalesce(sum(cost), 0)::text as cost, coalesce(sum(latency_ms), 0)::text as latency_ms
      from cells group by grouping sets ((start), (key_id), (model), ()
        ${stack === undefined ? sql`` : stack === "model" ? sql`, (start, model)` : sql`, (start, key_id)`})
    )
    select sums.*, keys.name as key_name from sums left join keys on keys.id = sums.key_id
    order by sums.start, sums.cost::numeric desc`
  const at = (level: number) => rows.filter((row) => row.level === level)
  return {
    total: readSum(at(7)[0]),
    series: at(3).map((row) => Object.assign(readSum(row), { startMs: row.start?.getTime() ?? 0 })),
    byKey: at(5).map((row) =>
      Object.assign(readSum(row), { keyId: row.key_id ?? "", keyName: row.key_name ?? "" })
    ),
    byModel: at(6).map((row) => Object.assign(readSum(row), { model: row.model ?? "" })),
    stacked: [...at(1), ...at(2)].map((row) => ({
      startMs: row.start?.getTime() ?? 0,
      part: (stack === "key" ? row.key_id : row.model) ?? "",
      calls: Number(row.calls),
      cost: BigInt(row.cost)
    }))
  }
}

/** Since the beginning of an hour. */
export const sumUsageSince = async (
  sql: Sql,
  accountId: AccountId,
  since: Date,
  madeBy?: AccountId
): Promise<UsageSum> => {
  const [row] = await sql<[RawSum]>`
    select coalesce(sum(calls), 0)::text as calls, coalesce(sum(failed_calls), 0)::text as failed_calls,
      coalesce(sum(input_tokens), 0)::text as input_tokens, coalesce(sum(output_tokens), 0)::text as output_tokens,
      coalesce(sum(cost_micro_vnd), 0)::text as cost, coalesce(sum(latency_ms), 0)::text as latency_ms
    from usage_hours where account_id = ${accountId} and hour >= ${since} ${withKeysOf(sql, { accountId, madeBy })}`
  return readSum(row)
}

export interface DroppedCalls {
  /** Before this none is kept one by one. */
  readonly before: Date
  readonly calls: number
}

/** How many calls of a period count in the sums and are no longer in the log; `undefined`: all are there. */
export const countDropped = async (sql: Sql, filter: UsedFilter): Promise<DroppedCalls | undefined> => {
  const from = filter.from === undefined ? undefined : new Date(startOfHour(filter.from.getTime()))
  const [row] = await sql<[DroppedCalls]>`
    select calls_kept_from() as before, coalesce(sum(calls), 0)::float8 as calls
    from (${droppedWithin(sql, { ...filter, from })}) used`
  return row.calls === 0 ? undefined : row
}

/** The hours that a period reaches into, in ms: sums are of whole ones. */
export const wholeHours = (from: number, to: number): { readonly from: Date; readonly to: Date } => ({
  from: new Date(startOfHour(from)),
  to: new Date(Math.ceil(to / hourMs) * hourMs)
})

interface RawSum {
  readonly level?: number
  readonly start?: Date | null
  readonly key_id?: string | null
  readonly key_name?: string | null
  readonly model?: string | null
  readonly calls: string
  readonly failed_calls: string
  readonly input_tokens: string
  readonly output_tokens: string
  readonly cost: string
  readonly latency_ms: string
}

const readSum = (row: RawSum | undefined): UsageSum => ({
  calls: Number(row?.calls ?? 0),
  failedCalls: Number(row?.failed_calls ?? 0),
  inputTokens: Number(row?.input_tokens ?? 0),
  outputTokens: Number(row?.output_tokens ?? 0),
  cost: BigInt(row?.cost ?? "0"),
  latencyMs: Number(row?.latency_ms ?? 0)
})
