/** A call log of many months, made in bulk, with its sums and purchases, its wallets and its closed months as the program would have left them. */
import { Effect } from "effect"
import type postgres from "postgres"
import { DatabaseUrl } from "../../src/storage/DatabaseUrl.ts"
import { lockMonths, tidyMonths, unlockMonths } from "../../src/storage/months/keep-months.ts"

type Sql = postgres.Sql<{ bigint: bigint }>

export interface LogSize {
  readonly calls: number
  /** The first month may have fewer. */
  readonly callsPerMonth: number
  /** Beside the large one. */
  readonly accounts: number
  /** One call of so many is of the large account. */
  readonly largeOneIn: number
}

export const largeAccount = "acc_large"
/** Of the large account: half of its calls, one of a thousand, and some hours in which it did nothing else. */
export const [oftenKey, rareKey, burstKey] = ["key_often", "key_rare", "key_burst"]
export const rareModel = "req/rare"

/** An empty, migrated database is filled. */
export const fillLog = async (
  sql: Sql,
  url: string,
  size: LogSize,
  say: (line: string) => void
): Promise<void> => {
  const months = Math.ceil(size.calls / size.callsPerMonth)
  // A gateway that serves would close months that are still to be filled: all of their calls would be late ones.
  if (!(await lockMonths(sql))) throw new Error("somebody closes months of this database")
  await makeMonths(sql, months)
  await openAccounts(sql, size.accounts)
  await sql`set synchronous_commit = off`
  await sql`set work_mem = '256MB'`
  for (let ago = months - 1; ago >= 0; ago--) {
    const until = size.calls - ago * size.callsPerMonth
    const first = Math.max(0, until - size.callsPerMonth)
    await writeMonth(sql, ago, first, until - first, size)
    say(`${until} calls`)
  }
  await sumPurchases(sql)
  await book(sql)
  await sql.unsafe("vacuum (analyze)")
  await unlockMonths(sql)
  const keptForEver = tidyMonths({ callsDays: undefined, archive: undefined })
  await Effect.runPromise(Effect.provide(keptForEver, DatabaseUrl.layerOf(url)))
}

const makeMonths = async (sql: Sql, months: number) => {
  for (const { name } of await sql<Array<{ name: string }>>`select name from call_months`)
    await sql.unsafe(`drop table calls_${name}`)
  await sql`delete from call_months`
  for (let ago = months; ago >= 0; ago--)
    await sql`select ensure_call_partitions((current_date - ${`${ago} months`}::text::interval)::date)`
}

const openAccounts = async (sql: Sql, accounts: number) => {
  await sql`insert into accounts (id, email) select id, id || '@example.com' from (
    select 'acc_' || i as id from generate_series(0, ${accounts - 1}::int) i union all select ${largeAccount}) ids`
  await sql`insert into wallets (account_id, booked_micro_vnd) select id, 9000000000000000 from accounts`
  await sql`insert into ledger_entries (account_id, source, source_id, amount_micro_vnd)
    select id, 'credit', 'bench ' || id, 9000000000000000 from accounts`
  await sql`
    insert into keys (id, account_id, name, slot, secret_hash, hint)
    select id, account, id, slot, sha256(id::bytea), '' from (
      select 'key_' || i || '_' || k as id, 'acc_' || i as account, k as slot
      from generate_series(0, ${accounts - 1}::int) i, generate_series(0, 1) k
      union all
      select unnest(${[oftenKey, rareKey, burstKey, "key_other"]}::text[]), ${largeAccount}, generate_series(0, 3)
    ) made`
}

/** Twenty calls at a time are of one account, key, model and hour, as people work. */
const writeMonth = async (
  sql: Sql,
  ago: number,
  first: number,
  count: number,
  { accounts, largeOneIn }: LogSize
) => {
  await sql`
    with month as (
      select starts, extract(epoch from least(starts + interval '1 month' - interval '7 hours', now()) - starts)::int8 * 1000 as ms
      from (select (date_trunc('month', current_date - ${`${ago} months`}::text::interval) at time zone 'UTC') as starts) m
    ), drawn as (
      select i, hashint8extended(i / 20, 7) & 1073741823 as burst, hashint8extended(i, 8) & 1073741823 as own
      from generate_series(${first}::int8, ${first + count - 1}::int8) i
    ), placed as (
      select i, own, burst, burst % ${largeOneIn}::int = 0 as large,
        starts + ((burst % (ms / 3600000)) * 3600000 + own % 3600000) * interval '1 millisecond' as at from drawn, month
    )
    insert into calls (id, at, account_id, key_id, endpoint, model_requested, model, stream, status, error_type,
      input_tokens, output_tokens, per_mtok_vnd, cost_micro_vnd, latency_ms, first_byte_ms, node_id)
    select 'req_' || (select string_agg(substr(digits, (ms / power(62, k)::int8 % 62)::int + 1, 1), '' order by k desc) from generate_series(0, 7) k)
        || '00' || lpad(to_hex(i), 12, '0'),
      at, case when large then ${largeAccount} else 'acc_' || burst % ${accounts}::int end,
      case when not large then 'key_' || burst % ${accounts}::int || '_' || burst / 64 % 2
        when own % 1000 = 0 then ${rareKey} when burst / 64 % 500 = 0 then ${burstKey}
        when burst / 64 % 2 = 0 then ${oftenKey} else 'key_other' end,
      'messages', model, model, own % 3 = 0, case when failed then 502 else 200 end, case when failed then 'api_error' else '' end,
      input, output, 6500, case when failed then 0 else (input + output) * 6500 end, 400 + own % 3000, 200, 1
    from (
      select *, (extract(epoch from at) * 1000)::int8 as ms, own / 7 % 50 = 0 as failed,
        '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'::text as digits,
        case when own % 1000 = 500 then ${rareModel} else 'model-' || burst / 4096 % 5 end as model,
        (300 + own % 4000)::int as input, (40 + own % 900)::int as output
      from placed
    ) calls order by at`
  await sql`
    insert into usage_hours (account_id, key_id, model, hour, calls, failed_calls, input_tokens, output_tokens,
      cost_micro_vnd, last_call_at)
    select account_id, key_id, model, date_trunc('hour', at, 'UTC') as hour, count(*), count(*) filter (where status >= 400),
      sum(input_tokens), sum(output_tokens), sum(cost_micro_vnd)::int8, max(at)
    from calls, (select date_trunc('month', current_date - ${`${ago} months`}::text::interval) at time zone 'UTC' as starts) m
    where at >= starts and at < starts + interval '1 month' group by 1, 2, 3, 4 order by hour`
}

/** What was used of the providers, with a purchase price for most of it. */
const sumPurchases = async (sql: Sql) => {
  await sql`insert into purchase_parts
    select purchase_part('', model, 1, '', ''), '', model, 1, '', '' from (select distinct model from usage_hours) models`
  await sql`
    insert into purchase_days
    select vietnam_day(at), account_id, p.id, 0, count(*), sum(input_tokens), 0, 0, sum(output_tokens), count(*),
      sum(cost_micro_vnd)
    from calls join purchase_parts p using (model) where status < 400 group by 1, 2, 3 order by 1, 2`
  await sql`
    insert into purchase_totals
    select day, part_id, 0, sum(calls), sum(input_tokens), 0, 0, sum(output_tokens), sum(uses), sum(revenue_micro_vnd)
    from purchase_days group by 1, 2`
  await sql`
    insert into purchase_prices (route, model, currency, input, output, per_request, from_day, made_by)
    select '*', 'model-' || i, 'VND', 4000, 4500 + i, 0, '2020-01-01', 'bench' from generate_series(0, 4) i`
}

/** What calls cost has been booked. */
const book = (sql: Sql) => sql`
  update wallets w set booked_micro_vnd = booked_micro_vnd - cost
  from (select account_id, sum(cost_micro_vnd)::int8 as cost from usage_hours group by account_id) sums
  where sums.account_id = w.account_id`
