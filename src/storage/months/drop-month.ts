/** Takes away the calls of a month that is closed; its sums stay. */
import type { Month } from "./close-month.ts"
import type { Sql, Transaction } from "../Database.ts"

/** The oldest month whose calls are still here, if all of it is older than so many days and it is closed. */
export const findMonthToDrop = async (sql: Sql, callsDays: number): Promise<Month | undefined> => {
  const [month] = await sql<Array<Month & { readonly ready: boolean }>>`
    select name, starts_at::text as "startsAt", ends_at::text as "endsAt", calls,
      closed_at is not null and ends_at <= tidy_now() - ${`${callsDays} days`}::text::interval as ready
    from call_months where dropped_at is null order by starts_at limit 1`
  return month?.ready === true ? month : undefined
}

/** All that would go by now, the oldest first. */
export const listMonthsToDrop = (sql: Sql, callsDays: number): Promise<ReadonlyArray<Month>> =>
  sql<Array<Month>>`
    select name, starts_at::text as "startsAt", ends_at::text as "endsAt", calls from call_months
    where dropped_at is null and closed_at is not null and ends_at <= tidy_now() - ${`${callsDays} days`}::text::interval
    order by starts_at`

/** What was written to a file before; to none where there was nothing. */
export interface WrittenCalls {
  readonly fileName: string | undefined
  readonly calls: number
}

/**
 * `false`: more calls have come than were written. Waits for the call log for a moment only, in which commits wait too:
 * it throws where others read it for longer. What comes for this month from now on is noted in `late_calls`.
 */
export const dropMonth = (sql: Sql, month: Month, written: WrittenCalls | undefined): Promise<boolean> =>
  sql.begin(async (transaction) => {
    await transaction`set local lock_timeout = '300ms'`
    await transaction`lock table only calls in access exclusive mode`
    if (written !== undefined && written.calls !== (await countCalls(transaction, month.name))) return false
    // One empty partition stands for all months that are gone.
    await transaction`drop table if exists calls_dropped`
    await transaction.unsafe(`drop table calls_${month.name}`)
    await transaction.unsafe(
      `create table calls_dropped partition of calls for values from ('-infinity') to ('${month.endsAt}')`
    )
    await transaction`
      create trigger note_late_call before insert on calls_dropped for each row execute function note_late_call()`
    await transaction`
      update call_months set dropped_at = now(), archive = ${written?.fileName ?? null} where name = ${month.name}`
    return true
  })

const countCalls = async (transaction: Transaction, month: string): Promise<number> => {
  const [row] = await transaction<[{ calls: number }]>`
    select calls::float8 as calls from call_months where name = ${month} for update`
  return row.calls
}
