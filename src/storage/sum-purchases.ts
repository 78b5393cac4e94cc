/** Adds calls to the sums of what was used of the providers, from which margins are made; see migration 0044. */
import type postgres from "postgres"
import type { Sql, Transaction } from "./Database.ts"

/**
 * `parts`, for a `with`: what each of these calls used, by part, in the columns of `purchase_days`. Calls that used nothing,
 * and counts of tokens, which cost nothing on either side, are left out.
 */
export const partsOfCalls = (
  sql: Sql | Transaction,
  calls: postgres.PendingQuery<Array<postgres.Row>>
) => sql`
  used as (
    select vietnam_day(at) as day, account_id, coalesce(route, '') as route, model, coalesce(factor, 1) as factor,
      input_tokens, output_tokens, least(coalesce(cache_read_tokens, 0), input_tokens) as cache_read,
      coalesce(cache_write_tokens, 0) as cache_write, case when status < 400 or cost_micro_vnd > 0 then units else 0 end as uses,
      cost_micro_vnd as cost, tool_uses, other_tokens
    from ${calls}
    where endpoint <> 'count_tokens' and (cost_micro_vnd > 0 or status < 400 or input_tokens + output_tokens > 0)
  ), parts as (
    select day, account_id, route, model, factor, '' as mix, '' as part, 1 as calls,
      input_tokens - cache_read - least(cache_write, input_tokens - cache_read) as input_tokens,
      cache_read as cache_read_tokens, least(cache_write, input_tokens - cache_read) as cache_write_tokens, output_tokens,
      uses, cost as revenue_micro_vnd
    from used where tool_uses is null and other_tokens is null
    union all
    select day, account_id, route, model, factor, p.*
    from used, call_parts(tool_uses, other_tokens, input_tokens, cache_read, cache_write, output_tokens, used.uses, cost) p
    where tool_uses is not null or other_tokens is not null
  )`

/** Parts of the statement that inserts calls, after its `inserted`. */
export const sumPurchases = (sql: Sql, slot: number) => sql`
  ${partsOfCalls(sql, sql`inserted`)}, part_sums as materialized (
    select purchase_part(route, model, factor, mix, part) as part_id, *
    from (
      select day, account_id, route, model, factor, mix, part, ${sumsOfParts(sql)} from parts group by 1, 2, 3, 4, 5, 6, 7
    ) summed_up
  ), named as (
    insert into purchase_parts select distinct on (part_id) part_id, route, model, trim_scale(factor), mix, part
    from part_sums order by part_id
    on conflict (id) do nothing
  ), bought as (
    insert into purchase_days as u select day, account_id, part_id, ${slot}::int2, ${columns(sql)} from part_sums
    on conflict (day, account_id, part_id, slot) do update set ${added(sql)}
  ), bought_in_all as (
    insert into purchase_totals as u select day, part_id, ${slot}::int2, ${sumsOfParts(sql)} from part_sums group by 1, 2
    on conflict (day, part_id, slot) do update set ${added(sql)}
  )`

const columns = (sql: Sql) =>
  sql`calls, input_tokens, cache_read_tokens, cache_write_tokens, output_tokens, uses, revenue_micro_vnd`

export const sumsOfParts = (
  sql: Sql | Transaction
) => sql`sum(calls)::int8 as calls, sum(input_tokens)::int8 as input_tokens,
  sum(cache_read_tokens)::int8 as cache_read_tokens, sum(cache_write_tokens)::int8 as cache_write_tokens,
  sum(output_tokens)::int8 as output_tokens, sum(uses)::int8 as uses, sum(revenue_micro_vnd)::int8 as revenue_micro_vnd`

const added = (sql: Sql) => sql`
  calls = u.calls + excluded.calls, input_tokens = u.input_tokens + excluded.input_tokens,
  cache_read_tokens = u.cache_read_tokens + excluded.cache_read_tokens,
  cache_write_tokens = u.cache_write_tokens + excluded.cache_write_tokens,
  output_tokens = u.output_tokens + excluded.output_tokens, uses = u.uses + excluded.uses,
  revenue_micro_vnd = u.revenue_micro_vnd + excluded.revenue_micro_vnd`
