/**
 * A database as the last version before leases left it (migrations up to 0014): a charge had an entry of its own beside the
 * call's row, wallets had one balance, and shares that nodes held of them. Written by SQL in bulk, in the same rows as that
 * version's commits.
 */
import { copyFileSync, mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type postgres from "postgres"
import { migrateDatabase } from "./migrate-database.ts"
import { withSql } from "./with-sql.ts"

type Sql = postgres.Sql<{ bigint: bigint }>

export const formerVersion = 14

const shippedFolder = fileURLToPath(new URL("../../src/storage/migrations/", import.meta.url))

/** The migrations up to a version, and others by their numbers, in a folder of their own for as long as they are used. */
export const withMigrationsUpTo = async <A>(
  version: number,
  use: (folder: string) => Promise<A>,
  others: ReadonlyArray<number> = []
): Promise<A> => {
  const folder = mkdtempSync(join(tmpdir(), "tollgate-former-"))
  try {
    const isUsed = (number: number) => number <= version || others.includes(number)
    const names = readdirSync(shippedFolder).filter((name) => isUsed(Number(name.slice(0, 4))))
    for (const name of names) copyFileSync(join(shippedFolder, name), join(folder, name))
    return await use(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

export interface FormerBooks {
  readonly calls: number
  readonly accounts: number
  /** Calls are spread evenly over these days up to the end of the last one. */
  readonly firstDay: string
  readonly lastDay: string
  /** Months for which a server ran in that month and made partitions, of that one and the next two. */
  readonly served: ReadonlyArray<string>
  /** Of the server: months of its partitions begin at its midnight. */
  readonly timeZone?: string
}

export const makeFormerBooks = async (url: string, books: FormerBooks): Promise<void> => {
  await withMigrationsUpTo(formerVersion, (folder) => migrateDatabase(url, folder))
  await withSql(url, async (sql) => {
    await makePartitions(sql, books)
    await openAccounts(sql, books)
    await credit(sql, books, "credit")
    await writeCalls(sql, books)
    await credit(sql, books, "top_up")
    await finish(sql)
  })
}

/** Those that the migration itself has made are of today: they go, and come as they would have come. */
const makePartitions = async (sql: Sql, { served, timeZone = "UTC" }: FormerBooks) => {
  const made = await sql<Array<{ name: string }>>`
    select inhrelid::regclass::text as name from pg_inherits
    where inhparent = 'calls'::regclass and inhrelid <> 'calls_default'::regclass`
  for (const { name } of made) await sql.unsafe(`drop table ${name}`)
  await sql.unsafe(`set timezone = '${timeZone}'`)
  for (const month of served) await sql`select ensure_call_partitions(${`${month}-15`}::date)`
  await sql.unsafe("set timezone = 'UTC'")
}

const openAccounts = async (sql: Sql, { accounts }: FormerBooks) => {
  await sql`insert into accounts (id, email) select 'acc_' || i, i || '@example.com' from generate_series(1, ${accounts}::int) i`
  await sql`insert into wallets (account_id) select id from accounts`
  await sql`
    insert into keys (id, account_id, name, status, slot, secret_hash, hint, revoked_at)
    select 'key_' || i || '_' || k, 'acc_' || i, 'key ' || k, case k when 0 then 'active' else 'revoked' end,
      case k when 0 then 0 end, sha256(('secret' || i || '_' || k)::bytea), '', case k when 0 then null else now() end
    from generate_series(1, ${accounts}::int) i, generate_series(0, 1) k`
}

const credit = async (sql: Sql, { accounts, firstDay }: FormerBooks, source: "credit" | "top_up") => {
  await sql`
    insert into ledger_entries (account_id, at, source, source_id, amount_micro_vnd, reason, actor)
    select 'acc_' || i, ${firstDay}::date, ${source}, ${source} || ' ' || i, 500000000000000, 'a reason', 'an operator'
    from generate_series(1, ${accounts}::int) i`
}

/** Every kind of call that may be charged and may not, in the order of time, each with its entry where it cost something. */
const writeCalls = async (sql: Sql, { accounts, calls, firstDay, lastDay }: FormerBooks) => {
  await sql`
    insert into calls (id, at, account_id, key_id, endpoint, model_requested, model, stream, status, error_type,
      input_tokens, output_tokens, units, estimated, per_mtok_vnd, per_request_vnd, cost_micro_vnd, latency_ms,
      first_byte_ms, stored_id_hash, node_id)
    select 'req_' || lpad(i::text, 22, '0'), at, 'acc_' || account, 'key_' || account || '_' || (i / 7 % 2),
      case kind when 5 then 'count_tokens' when 6 then 'images_generations' else 'messages' end, 'asked', model,
      kind = 2, case kind when 1 then 499 when 2 then 402 when 3 then 402 when 4 then 502 else 200 end,
      case when kind between 1 and 4 then 'some_error' else '' end, input, output, case kind when 6 then 3 else 1 end,
      kind = 1, per_mtok, per_request,
      case when kind in (3, 4, 5) then 0 else coalesce((input + output) * per_mtok, per_request * 3000000) end,
      400 + i % 900, case kind when 2 then 90 end, case when i % 50 = 0 then sha256(i::text::bytea) end, 1
    from (
      select i, case when i % 20 < 7 then i % 20 else 0 end as kind, 1 + (i::int8 * 7919) % ${accounts}::int as account,
        ${firstDay}::timestamp at time zone 'UTC' + i * ((${lastDay}::timestamp - ${firstDay}::timestamp) / ${calls}::int) as at,
        (array['claude-opus-5', 'gpt-6.1-sol', 'req/some'])[case i % 20 when 6 then 3 else 1 + i / 11 % 2 end] as model,
        case i % 20 when 6 then null else 6500 end::bigint as per_mtok, case i % 20 when 6 then 230 end::bigint as per_request,
        case when i % 20 in (3, 4, 6) then 0 else 100 + i % 4000 end as input, case when i % 20 in (3, 4, 6) then 0 else 20 + i % 700 end as output
      from generate_series(1, ${calls}::int) i
    ) planned`
  await sql`
    insert into ledger_entries (account_id, at, source, source_id, amount_micro_vnd)
    select account_id, at, 'call', id, -cost_micro_vnd from calls where cost_micro_vnd > 0`
  await sql`
    insert into usage_hours (account_id, key_id, model, hour, calls, failed_calls, input_tokens, output_tokens,
      cost_micro_vnd, last_call_at)
    select account_id, key_id, model, date_trunc('hour', at, 'UTC') as hour, count(*), count(*) filter (where status >= 400),
      sum(input_tokens), sum(output_tokens), sum(cost_micro_vnd)::int8, max(at)
    from calls group by 1, 2, 3, 4 order by hour`
}

/** Balances, and what nodes that are long gone have left behind. */
const finish = async (sql: Sql) => {
  await sql`
    update wallets w set balance_micro_vnd = sums.amount
    from (select account_id, sum(amount_micro_vnd)::int8 as amount from ledger_entries group by account_id) sums
    where w.account_id = sums.account_id`
  await sql`insert into nodes (seen_event_id) values (0), (0)`
  await sql`
    insert into wallet_shares (account_id, node_id, share_micro_vnd)
    select account_id, id, balance_micro_vnd / 3 from wallets, nodes`
  await sql`insert into node_events (kind, subject) values ('wallet', 'acc_1')`
}
