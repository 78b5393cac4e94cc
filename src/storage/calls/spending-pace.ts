/** How fast accounts spend, which alerts and pages tell alike. */
import type { AccountId } from "../../domain/ids.ts"
import type { Sql, Transaction } from "../Database.ts"

/**
 * One row, `per_day`: µVND a day in the last week, or since the account's first call where that is less long ago; of one day
 * at least. Null where nothing was called. The week begins with an hour, since sums are of hours.
 */
export const spentPerDay = (sql: Sql | Transaction, accountId: ReturnType<Sql>) => sql`
  select (select sum(cost_micro_vnd) from usage_hours where account_id = ${accountId} and hour >= since.week)
    / greatest(1, extract(epoch from now() - greatest(since.week, since.first_call)) / 86400) as per_day
  from (
    select date_trunc('hour', now() - interval '7 days', 'UTC') as week,
      (select min(hour) from usage_hours where account_id = ${accountId}) as first_call
  ) since`

/** Whole days that the balance lasts at that pace; `undefined`: there is none, or nothing was spent. */
export const readDaysLeft = async (sql: Sql, accountId: AccountId): Promise<number | undefined> => {
  const [row] = await sql<Array<{ days: number | null }>>`
    select floor(b.balance_micro_vnd / nullif(pace.per_day, 0))::float8 as days
    from wallet_balances b cross join lateral (${spentPerDay(sql, sql`b.account_id`)}) pace
    where b.account_id = ${accountId} and b.balance_micro_vnd > 0`
  return row?.days ?? undefined
}
