/** What an account used, from sums of days where months are closed and from sums of hours elsewhere. */
import { dayMs, startOfDay } from "../../domain/vietnam-days.ts"
import type { Sql, Transaction } from "../Database.ts"
import { type KeysOf, withKeysOf } from "./with-keys-of.ts"

export interface UsedFilter extends KeysOf {
  readonly keyId?: string | undefined
  readonly model?: string | undefined
  /** Hours that begin from this moment on. */
  readonly from?: Date | undefined
  /** Up to, but without, this moment. */
  readonly to?: Date | undefined
}

/**
 * A query of sums, each of an hour or of a whole day of Viet Nam, and each with its `start`: together they are those of the
 * period's hours, to the call.
 */
export const usedWithin = (sql: Sql | Transaction, filter: UsedFilter) =>
  sumsOf(sql, filter, { daysEnd: sql`vietnam_midnight(calls_open_from())`, end: sql`'infinity'` })

/** The same by hours alone. */
export const usedByHour = (sql: Sql, filter: UsedFilter & { readonly from: Date; readonly to: Date }) => sql`
  select hour as start, ${columns(sql)} from usage_hours
  where ${isOf(sql, filter)} and hour >= ${filter.from} and hour < ${filter.to}`

/** The same of what is no longer in the log call by call. */
export const droppedWithin = (sql: Sql | Transaction, filter: UsedFilter) =>
  sumsOf(sql, filter, { daysEnd: sql`vietnam_midnight(calls_kept_from())`, end: sql`calls_kept_from()` })

type Fragment = ReturnType<typeof withKeysOf>

const sumsOf = (
  sql: Sql | Transaction,
  filter: UsedFilter,
  { daysEnd, end }: { readonly daysEnd: Fragment; readonly end: Fragment }
) => {
  const { from, to } = filter
  const [own, sums] = [isOf(sql, filter), columns(sql)]
  const firstDay = from === undefined ? undefined : new Date(startOfDay(from.getTime() + dayMs - 1))
  const lastDay = to === undefined ? undefined : new Date(startOfDay(to.getTime()))
  const bound = (moment: Date | undefined, otherwise: Fragment) =>
    moment === undefined ? otherwise : sql`${moment}::timestamptz`
  const [always, never] = [sql`'-infinity'::timestamptz`, sql`'infinity'::timestamptz`]
  const daysFrom = bound(firstDay, always)
  const daysTo = sql`greatest(${daysFrom}, least(${daysEnd}, ${bound(lastDay, never)}))`
  const periodTo = sql`least(${end}, ${bound(to, never)})`
  return sql`
    select hour as start, ${sums} from usage_hours
    where ${own} and hour >= ${bound(from, always)} and hour < least(${daysFrom}, ${periodTo})
    union all
    select day::timestamp at time zone interval '+07:00', ${sums} from usage_days
    where ${own} and day >= vietnam_day(${daysFrom}) and day < vietnam_day(${daysTo})
    union all
    select hour, ${sums} from usage_hours where ${own} and hour >= ${daysTo} and hour < ${periodTo}`
}

const columns = (sql: Sql | Transaction) =>
  sql`key_id, model, calls, failed_calls, input_tokens, output_tokens, cost_micro_vnd, latency_ms`

const isOf = (sql: Sql | Transaction, filter: UsedFilter) => {
  const { accountId, keyId, model } = filter
  return sql`account_id = ${accountId} ${keyId === undefined ? sql`` : sql`and key_id = ${keyId}`}
    ${model === undefined ? sql`` : sql`and model = ${model}`} ${withKeysOf(sql, filter)}`
}
