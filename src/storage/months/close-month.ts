/**
 * Closes the oldest month that is open: its calls are proven once more, one by one, and summed; from then on its sums stand
 * for them. Calls that come later are added to the sums by a trigger of its partition. Its days are summed by a trigger of
 * `call_months`, see migration 0053.
 */
import { auditCalls } from "../audit/audit-calls.ts"
import { findViolations, type Violation } from "../audit/audit-checks.ts"
import type { Sql, Transaction } from "../Database.ts"
import { isBusy } from "../is-busy.ts"

export interface Month {
  /** `202611` */
  readonly name: string
  /** PostgreSQL's texts. */
  readonly startsAt: string
  readonly endsAt: string
  readonly calls: bigint
}

/** By then whatever waited in a spool has usually come. */
const closedAfterDays = 3

export const findMonthToClose = async (sql: Sql): Promise<Month | undefined> => {
  const [month] = await sql<Array<Month>>`
    select name, starts_at::text as "startsAt", ends_at::text as "endsAt", calls from call_months
    where closed_at is null and ends_at < tidy_now() - ${`${closedAfterDays} days`}::text::interval
    order by starts_at limit 1`
  return month
}

export type Closing =
  | { readonly _tag: "Closed"; readonly calls: number }
  /** It stays open, so that every audit names what is wrong. */
  | { readonly _tag: "Wrong"; readonly violation: Violation }
  /** A call came just then, or others write or read the month's calls for longer than commits may wait. */
  | { readonly _tag: "Disturbed" }

/** Whoever calls it is the only one who does. */
export const closeMonth = async (sql: Sql, month: Month): Promise<Closing> => {
  const disturbed = new Error("a call came meanwhile")
  try {
    return await sql.begin((transaction) => closeWithin(transaction, month, disturbed))
  } catch (error) {
    if (error === disturbed || isBusy(error)) return { _tag: "Disturbed" }
    throw error
  }
}

const closeWithin = async (transaction: Transaction, month: Month, disturbed: Error): Promise<Closing> => {
  const { endsAt, name, startsAt } = month
  await transaction`set local work_mem = '64MB'`
  // There is time: one core at most.
  await transaction`set local max_parallel_workers_per_gather = 0`
  const period = { from: startsAt, to: endsAt }
  const [violation] = await findViolations(auditCalls(transaction, period))
  if (violation !== undefined) return { _tag: "Wrong", violation }
  await transaction`
    insert into usage_months (account_id, month, key_id, model, calls, failed_calls, input_tokens, output_tokens,
      cost_micro_vnd, last_call_at)
    select account_id, ${name}, key_id, model, count(*), count(*) filter (where status >= 400), sum(input_tokens),
      sum(output_tokens), sum(cost_micro_vnd), max(at)
    from calls where at >= ${startsAt}::text::timestamptz and at < ${endsAt}::text::timestamptz group by 1, 3, 4`
  const [{ calls }] = await transaction<[{ calls: number }]>`
    update call_months set closed_at = now(), calls = sums.calls, failed_calls = sums.failed, input_tokens = sums.input,
      output_tokens = sums.output, cost_micro_vnd = sums.cost
    from (
      select coalesce(sum(calls), 0)::int8 as calls, coalesce(sum(failed_calls), 0)::int8 as failed,
        coalesce(sum(input_tokens), 0)::int8 as input, coalesce(sum(output_tokens), 0)::int8 as output,
        coalesce(sum(cost_micro_vnd), 0)::int8 as cost
      from usage_months where month = ${name}
    ) sums
    where name = ${name} returning call_months.calls::float8 as calls`
  // Commits of such old calls wait from here on, for no longer than counting takes; of all others none does.
  const partition = `calls_${name}`
  await transaction`set local lock_timeout = '1s'`
  await transaction`lock table ${transaction(partition)} in share row exclusive mode`
  const [{ present }] = await transaction<[{ present: number }]>`
    select count(*)::float8 as present from ${transaction(partition)}`
  if (present !== calls) throw disturbed
  await transaction.unsafe(`create trigger count_late_call after insert on ${partition}
    for each row execute function count_late_call('${name}')`)
  return { _tag: "Closed", calls }
}
