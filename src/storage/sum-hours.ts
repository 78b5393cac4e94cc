/** Adds calls to the hourly sums that pages, statements and audits read. */
import type { Sql } from "./Database.ts"

/** A part of the statement that inserts calls, after its `inserted`. */
export const sumHours = (sql: Sql, slot: number) => sql`
  summed as (
    insert into usage_hours as u (account_id, key_id, model, hour, slot, calls, failed_calls, input_tokens,
      output_tokens, cost_micro_vnd, last_call_at, latency_ms)
    select account_id, key_id, model, date_trunc('hour', at, 'UTC'), ${slot}::int2, count(*),
      count(*) filter (where status >= 400), sum(input_tokens), sum(output_tokens), sum(cost_micro_vnd)::int8, max(at), sum(latency_ms)
    from inserted group by 1, 2, 3, 4
    on conflict (account_id, hour, key_id, model, slot) do update set
      calls = u.calls + excluded.calls, failed_calls = u.failed_calls + excluded.failed_calls,
      input_tokens = u.input_tokens + excluded.input_tokens, output_tokens = u.output_tokens + excluded.output_tokens,
      cost_micro_vnd = u.cost_micro_vnd + excluded.cost_micro_vnd,
      last_call_at = greatest(u.last_call_at, excluded.last_call_at), latency_ms = u.latency_ms + excluded.latency_ms
  )`
