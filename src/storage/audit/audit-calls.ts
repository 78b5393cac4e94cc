/** What must hold of the calls of a period, call by call. */
import type { Check, Violation } from "./audit-checks.ts"
import type { Transaction } from "../Database.ts"
import { isFree } from "../calls/parts-of-calls.ts"

/** From a whole hour up to, but without, another: PostgreSQL's texts of moments. */
export interface Period {
  readonly from: string
  readonly to: string
}

export const auditCalls = (transaction: Transaction, period: Period): ReadonlyArray<Check> => [
  callsHaveOwners(transaction, period),
  callsAreOnce(transaction, period),
  costsAreExact(transaction, period),
  hoursAreSums(transaction, period)
]

const within = (transaction: Transaction, { from, to }: Period) =>
  transaction`at >= ${from}::text::timestamptz and at < ${to}::text::timestamptz`

/** What cost nothing may have been refused to an account that was lost as the database was put back to an earlier moment. */
const callsHaveOwners =
  (transaction: Transaction, period: Period): Check =>
  (limit) =>
    transaction<Array<Violation>>`
    select 'account' as check, account_id as subject, 'calls without an account' as detail
    from (select distinct account_id from calls where ${within(transaction, period)} and cost_micro_vnd <> 0) c
    left join accounts a on a.id = c.account_id where a.id is null limit ${limit}`

const callsAreOnce =
  (transaction: Transaction, period: Period): Check =>
  (limit) =>
    transaction<Array<Violation>>`
    select 'repeated' as check, id as subject, format('%s rows', count(*)) as detail
    from calls where ${within(transaction, period)} group by id having count(*) > 1 limit ${limit}`

/** Successful calls cost what they consumed; of the others only those cut by the wallet or left by the client may. */
const costsAreExact =
  (transaction: Transaction, period: Period): Check =>
  (limit) =>
    transaction<Array<Violation>>`
    select 'cost' as check, id as subject, format('status %s, cost %s, by its price %s', status, cost_micro_vnd, due) as detail
    from (
      select id, status, endpoint, units, cost_micro_vnd, per_mtok_vnd, per_request_vnd,
        ceil((coalesce((input_tokens::int8 + output_tokens) * per_mtok_vnd, per_request_vnd * 1000000 * units, 0)
          + case when other_tokens is null then 0 else other_tokens_cost(other_tokens, per_mtok_vnd) end)
          * coalesce(factor, 1))
          + case when tool_uses is null then 0 else tool_uses_cost(tool_uses) end as due
      from calls where ${within(transaction, period)}
    ) priced
    where (cost_micro_vnd <> due and (cost_micro_vnd <> 0 or (status < 400 and not ${isFree(transaction)})))
      or (cost_micro_vnd <> 0 and status >= 400 and status not in (402, 499))
      or (per_mtok_vnd is not null and per_request_vnd is not null)
      or (units <> 1 and endpoint not in ('images_generations', 'images_edits'))
    limit ${limit}`

/** All that is wrong is found before any of it is counted: a plan for the first few would sort both sides. */
const hoursAreSums =
  (transaction: Transaction, period: Period): Check =>
  (limit) =>
    transaction<Array<Violation>>`
    with wrong as materialized (
      select format('%s %s %s %s', account_id, key_id, model, hour at time zone 'UTC') as subject,
        format('calls %s/%s, failed %s/%s, input %s/%s, output %s/%s, cost %s/%s', u.calls, c.calls, u.failed, c.failed,
          u.input, c.input, u.output, c.output, u.cost, c.cost) as detail
      from (
        select account_id, key_id, model, hour, sum(calls) as calls, sum(failed_calls) as failed, sum(input_tokens) as input,
          sum(output_tokens) as output, sum(cost_micro_vnd) as cost
        from usage_hours
        where hour >= ${period.from}::text::timestamptz and hour < ${period.to}::text::timestamptz group by 1, 2, 3, 4
      ) u full join (
        select account_id, key_id, model, date_trunc('hour', at, 'UTC') as hour, count(*) as calls,
          count(*) filter (where status >= 400) as failed, sum(input_tokens) as input, sum(output_tokens) as output,
          sum(cost_micro_vnd) as cost
        from calls where ${within(transaction, period)} group by 1, 2, 3, 4
      ) c using (account_id, key_id, model, hour)
      where (u.calls, u.failed, u.input, u.output, u.cost) is distinct from (c.calls, c.failed, c.input, c.output, c.cost)
    )
    select 'usage_hours' as check, subject, detail from wrong limit ${limit}`
