/** What calls used of the providers, reckoned by PostgreSQL from the log: `sumCalls` is proven by it. See migration 0044. */
import type postgres from "postgres"
import { freeEndpoints } from "../../domain/call.ts"
import { arrayText } from "../array-text.ts"
import type { Sql, Transaction } from "../Database.ts"

/** Of a call. */
export const isFree = (sql: Sql | Transaction) =>
  sql`endpoint = any (${arrayText([...freeEndpoints], (endpoint) => endpoint)}::text[])`

/**
 * `parts`, for a `with`: what each of these calls used, by part, in the columns of `purchase_days`. Calls that used nothing,
 * and those that are free are left out.
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
    where not ${isFree(sql)} and (cost_micro_vnd > 0 or status < 400 or input_tokens + output_tokens > 0)
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

export const sumsOfParts = (
  sql: Sql | Transaction
) => sql`sum(calls)::int8 as calls, sum(input_tokens)::int8 as input_tokens,
  sum(cache_read_tokens)::int8 as cache_read_tokens, sum(cache_write_tokens)::int8 as cache_write_tokens,
  sum(output_tokens)::int8 as output_tokens, sum(uses)::int8 as uses, sum(revenue_micro_vnd)::int8 as revenue_micro_vnd`
