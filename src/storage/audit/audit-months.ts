/** What must hold of the sums of closed months. */
import type { Check, Violation } from "./audit-checks.ts"
import type { Transaction } from "../Database.ts"

export const totalsAreSums =
  (transaction: Transaction): Check =>
  (limit) =>
    transaction<Array<Violation>>`
    select 'month' as check, name as subject, format('calls %s/%s, failed %s/%s, input %s/%s, output %s/%s, cost %s/%s',
      m.calls, s.calls, m.failed, s.failed, m.input, s.input, m.output, s.output, m.cost, s.cost) as detail
    from (
      select name, calls, failed_calls as failed, input_tokens as input, output_tokens as output, cost_micro_vnd as cost
      from call_months where closed_at is not null
    ) m full join (
      select month as name, sum(calls) as calls, sum(failed_calls) as failed, sum(input_tokens) as input,
        sum(output_tokens) as output, sum(cost_micro_vnd) as cost
      from usage_months group by month
    ) s using (name)
    where (m.calls, m.failed, m.input, m.output, m.cost) is distinct from
      (coalesce(s.calls, 0), coalesce(s.failed, 0), coalesce(s.input, 0), coalesce(s.output, 0), coalesce(s.cost, 0))
    limit ${limit}`

/** Also of months whose calls are gone. */
export const monthsAreSumsOfHours =
  (transaction: Transaction): Check =>
  (limit) =>
    transaction<Array<Violation>>`
    select 'usage_months' as check, format('%s %s %s %s', account_id, month, key_id, model) as subject,
      format('of hours: calls %s/%s, cost %s/%s', m.calls, h.calls, m.cost, h.cost) as detail
    from (
      select account_id, month, key_id, model, calls, failed_calls as failed, input_tokens as input, output_tokens as output,
        cost_micro_vnd as cost from usage_months
    ) m full join (
      select account_id, month.name as month, key_id, model, sum(hours.calls) as calls, sum(hours.failed_calls) as failed,
        sum(hours.input_tokens) as input, sum(hours.output_tokens) as output, sum(hours.cost_micro_vnd) as cost
      from usage_hours hours join call_months month on hour >= starts_at and hour < ends_at
      where closed_at is not null group by 1, 2, 3, 4
    ) h using (account_id, month, key_id, model)
    where (m.calls, m.failed, m.input, m.output, m.cost) is distinct from (h.calls, h.failed, h.input, h.output, h.cost)
    limit ${limit}`

/** Also of months whose calls are gone. */
export const daysAreSumsOfHours =
  (transaction: Transaction): Check =>
  (limit) =>
    transaction<Array<Violation>>`
    with wrong as materialized (
      select format('%s %s %s %s', account_id, day, key_id, model) as subject,
        format('of hours: calls %s/%s, cost %s/%s', d.calls, h.calls, d.cost, h.cost) as detail
      from (
        select account_id, day, key_id, model, calls, failed_calls as failed, input_tokens as input, output_tokens as output,
          cost_micro_vnd as cost, latency_ms as latency from usage_days
      ) d full join (
        select account_id, vietnam_day(hour) as day, key_id, model, sum(calls) as calls, sum(failed_calls) as failed,
          sum(input_tokens) as input, sum(output_tokens) as output, sum(cost_micro_vnd) as cost, sum(latency_ms) as latency
        from usage_hours where hour < calls_open_from() group by 1, 2, 3, 4
      ) h using (account_id, day, key_id, model)
      where (d.calls, d.failed, d.input, d.output, d.cost, d.latency)
        is distinct from (h.calls, h.failed, h.input, h.output, h.cost, h.latency)
    )
    select 'usage_days' as check, subject, detail from wrong limit ${limit}`
