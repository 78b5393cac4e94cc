/** What must hold of the sums of what was used of the providers, from which margins are made. */
import type { Period } from "./audit-calls.ts"
import type { Check, Violation } from "./audit-checks.ts"
import type { Transaction } from "../Database.ts"
import { partsOfCalls, sumsOfParts } from "../calls/parts-of-calls.ts"

/** Of the whole days of Viet Nam within the period; of days whose calls are gone not all there was can be said any more. */
export const auditPurchases = (transaction: Transaction, period: Period): ReadonlyArray<Check> => [
  partsAreNamed(transaction),
  purchasesAreSums(transaction, period),
  totalsAreSumsOfPurchases(transaction, period)
]

const partsAreNamed =
  (transaction: Transaction): Check =>
  (limit) =>
    transaction<Array<Violation>>`
    select 'purchase_parts' as check, id::text as subject, problem as detail from (
      select id, 'is of another part' as problem from purchase_parts where id <> purchase_part(route, model, factor, mix, part)
      union all
      select distinct part_id, 'sums without their part'
      from purchase_totals t left join purchase_parts p on p.id = part_id where p.id is null
    ) found limit ${limit}`

/** All that is wrong is found before any of it is counted: a plan for the first few would sort both sides. */
const purchasesAreSums =
  (transaction: Transaction, period: Period): Check =>
  (limit) =>
    transaction<Array<Violation>>`
    with ${partsOfCalls(transaction, wholeDaysOf(transaction, period))}, wrong as materialized (
      select format('%s %s %s', day, account_id, part_id) as subject, format(${differences}, ${compared(transaction)}) as detail
      from (
        select day, account_id, part_id, ${sumsOfParts(transaction)} from purchase_days
        where day >= ${firstDayOf(transaction, period)} group by 1, 2, 3
      ) p full join (
        select day, account_id, purchase_part(route, model, factor, mix, part) as part_id, calls, input_tokens,
          cache_read_tokens, cache_write_tokens, output_tokens, uses, revenue_micro_vnd
        from (
          select day, account_id, route, model, factor, mix, part, ${sumsOfParts(transaction)}
          from parts group by 1, 2, 3, 4, 5, 6, 7
        ) grouped
      ) c using (day, account_id, part_id)
      where ${differ(transaction)}
    )
    select 'purchase_days' as check, subject, detail from wrong limit ${limit}`

const totalsAreSumsOfPurchases =
  (transaction: Transaction, period: Period): Check =>
  (limit) =>
    transaction<Array<Violation>>`
    with wrong as materialized (
      select format('%s %s', day, part_id) as subject, format(${differences}, ${compared(transaction)}) as detail
      from (
        select day, part_id, ${sumsOfParts(transaction)} from purchase_totals
        where day >= ${firstDayOf(transaction, period)} group by 1, 2
      ) p full join (
        select day, part_id, ${sumsOfParts(transaction)} from purchase_days
        where day >= ${firstDayOf(transaction, period)} group by 1, 2
      ) c using (day, part_id)
      where ${differ(transaction)}
    )
    select 'purchase_totals' as check, subject, detail from wrong limit ${limit}`

/** Also of days whose calls are gone: what they were sold for stands in the sums of days, too. */
export const revenuesAreCosts =
  (transaction: Transaction): Check =>
  (limit) =>
    transaction<Array<Violation>>`
    with wrong as materialized (
      select format('%s %s %s', day, account_id, model) as subject, format('revenue %s/%s', revenue, cost) as detail
      from (
        select day, account_id, model, sum(revenue_micro_vnd) as revenue
        from purchase_days join purchase_parts p on p.id = part_id
        where day < vietnam_day(calls_open_from()) group by 1, 2, 3 having sum(revenue_micro_vnd) <> 0
      ) p full join (
        select day, account_id, model, sum(cost_micro_vnd) as cost
        from usage_days where day < vietnam_day(calls_open_from()) group by 1, 2, 3 having sum(cost_micro_vnd) <> 0
      ) u using (day, account_id, model)
      where revenue is distinct from cost
    )
    select 'purchase_days' as check, subject, detail from wrong limit ${limit}`

/** The period may begin within a day. */
const firstDayOf = (transaction: Transaction, { from }: Period) =>
  transaction`vietnam_day(${from}::text::timestamptz + interval '1 day' - interval '1 microsecond')`

const wholeDaysOf = (transaction: Transaction, period: Period) => transaction`(
    select * from calls where at >= ${firstDayOf(transaction, period)}::timestamp at time zone interval '+07:00'
  ) whole`

const differences =
  "calls %s/%s, input %s/%s, from caches %s/%s, to caches %s/%s, output %s/%s, uses %s/%s, revenue %s/%s"

const compared = (transaction: Transaction) => transaction`
  p.calls, c.calls, p.input_tokens, c.input_tokens, p.cache_read_tokens, c.cache_read_tokens, p.cache_write_tokens,
  c.cache_write_tokens, p.output_tokens, c.output_tokens, p.uses, c.uses, p.revenue_micro_vnd, c.revenue_micro_vnd`

const differ = (transaction: Transaction) => transaction`
  (p.calls, p.input_tokens, p.cache_read_tokens, p.cache_write_tokens, p.output_tokens, p.uses, p.revenue_micro_vnd)
    is distinct from
  (c.calls, c.input_tokens, c.cache_read_tokens, c.cache_write_tokens, c.output_tokens, c.uses, c.revenue_micro_vnd)`
