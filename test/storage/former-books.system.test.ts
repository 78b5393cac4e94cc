/** A database that the last version has filled goes on under this one, with the same balances. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Logger } from "effect"
import { afterEach, beforeEach } from "vitest"
import { AccountId } from "../../src/domain/ids.ts"
import { dayText } from "../../src/domain/vietnam-days.ts"
import { audit } from "../../src/ledger/audit.ts"
import { Database } from "../../src/storage/Database.ts"
import { DatabaseUrl } from "../../src/storage/DatabaseUrl.ts"
import { tidyMonths } from "../../src/storage/months/keep-months.ts"
import { migrate } from "../../src/storage/Migrations.ts"
import { migrateDatabase } from "./migrate-database.ts"
import { readStatement } from "../../src/storage/calls/StatementStore.ts"
import { reportUsage } from "../../src/storage/calls/UsageStore.ts"
import { type FormerBooks, makeFormerBooks } from "./former-books.ts"
import { startTestDatabase, type TestDatabase } from "./start-database.ts"
import { openSql } from "./with-sql.ts"

let database: TestDatabase
let sql: ReturnType<typeof openSql>
beforeEach(async () => {
  database = await startTestDatabase({ migrated: false })
  sql = openSql(database.url)
})
afterEach(async () => {
  await sql.end()
  await database.stop()
})

/** Of October no server ran: its calls, say of a spool, lie outside of all months. */
const books: FormerBooks = {
  calls: 3_000,
  accounts: 7,
  firstDay: "2026-06-20",
  lastDay: "2026-11-20",
  served: ["2026-07", "2026-11"]
}

const run = <A, E>(effect: Effect.Effect<A, E, Database | DatabaseUrl>) => {
  const url = DatabaseUrl.layerOf(database.url)
  const services = Layer.merge(Database.layer.pipe(Layer.provideMerge(url)), Logger.layer([]))
  return Effect.runPromise(Effect.provide(effect, services))
}

const read = async (query: string) => (await sql.unsafe(query)).map((row) => Object.assign({}, row))
const usage =
  "select account_id, key_id, model, hour, calls, cost_micro_vnd from usage_hours order by 1, 2, 3, 4"
/** Without what this version adds to a call. */
const calls = `select to_jsonb(c) - array['cache_read_tokens', 'cache_write_tokens', 'reasoning_tokens', 'tier', 'factor',
  'route', 'tool_uses', 'other_tokens', 'attempts', 'stored_item_hashes'] as call from calls c order by id`

describe("books of the last version", () => {
  it("go on with the same balances, calls and sums, and are proven", async () => {
    await makeFormerBooks(database.url, books)
    const balances = await read("select account_id, balance_micro_vnd from wallets order by 1")
    const kept = await read("select * from ledger_entries where source <> 'call' order by id")
    const [{ latest }] = await sql<[{ latest: bigint }]>`select max(id) as latest from ledger_entries`
    const before = [await read(usage), await read(calls)]
    await migrateDatabase(database.url)
    assert.deepStrictEqual(await run(audit("all")), {
      ok: true,
      wallets: 7,
      entries: 14,
      calls: 3_000,
      violations: []
    })
    assert.deepStrictEqual(
      await read("select account_id, balance_micro_vnd from wallet_balances order by 1"),
      balances
    )
    assert.deepStrictEqual(await read("select * from ledger_entries order by id"), kept)
    assert.deepStrictEqual([await read(usage), await read(calls)], before)
    // Numbers of entries are never given twice.
    const [{ id }] = await sql<[{ id: bigint }]>`
      insert into ledger_entries (account_id, source, source_id, amount_micro_vnd)
      values ('acc_1', 'credit', 'new', 1) returning id`
    assert.isAbove(Number(id), Number(latest))
  })

  it.each(["UTC", "Asia/Ho_Chi_Minh", "Asia/Kolkata", "America/St_Johns"])(
    "have each call in a month of whole hours, also where the server was set to %s",
    async (timeZone) => {
      await makeFormerBooks(database.url, { ...books, calls: 8_000, timeZone })
      await migrateDatabase(database.url)
      assert.isTrue((await run(audit("all"))).ok)
      const [{ broken, unplaced }] = await sql<[{ broken: number; unplaced: number }]>`
        select (select count(*)::int4 from calls_default where at < (select max(ends_at) from call_months)) as unplaced,
          (select count(*)::int4 from (
            select starts_at, lag(ends_at) over (order by starts_at) as covered from call_months
          ) months where starts_at <> coalesce(covered, '-infinity')) as broken`
      assert.deepStrictEqual({ broken, unplaced }, { broken: 0, unplaced: 0 })
      // Months that are closed need not end at midnight in Viet Nam.
      await run(tidyMonths({ callsDays: undefined, archive: undefined }))
      assert.isTrue((await run(audit("all"))).ok)
      const [accountId, to] = [AccountId.make("acc_1"), new Date("2026-11-21T00:00:00+07:00")]
      const { series } = await reportUsage(
        sql,
        { accountId, from: new Date("2026-06-01T00:00:00+07:00"), to },
        "day"
      )
      const days =
        await read(`select vietnam_day(at)::text as day, count(*)::int4 as calls, sum(cost_micro_vnd)::text as cost
        from calls where account_id = 'acc_1' and at < '2026-11-21 00:00+07' group by 1 order by 1`)
      assert.deepStrictEqual<unknown>(
        series.map(({ calls, cost, startMs }) => ({ day: dayText(startMs), calls, cost: String(cost) })),
        days
      )
      const statement = await readStatement(
        sql,
        { accountId, from: undefined, to },
        { after: undefined, limit: 1_000 }
      )
      assert.strictEqual(
        statement.lines.reduce((sum, { amount }) => sum + amount, 0n),
        statement.sums.closing
      )
      assert.strictEqual(statement.lines.at(-1)!.balance, statement.sums.closing)
    }
  )

  it("have their operators as owners of the service", async () => {
    await makeFormerBooks(database.url, { ...books, calls: 10 })
    await sql`update accounts set is_operator = true where id = 'acc_2'`
    await migrateDatabase(database.url)
    const staff = await read(
      "select id || ' ' || staff_role as is from accounts where staff_role is not null"
    )
    assert.deepStrictEqual(
      staff.map((row) => row["is"]),
      ["acc_2 owner"]
    )
  })

  it("are left as they were while a node of that version still runs", async () => {
    await makeFormerBooks(database.url, { ...books, calls: 20 })
    await sql`select pg_advisory_lock(712001, id) from nodes limit 1`
    const refused = await run(Effect.flip(migrate()))
    assert.match(refused.message, /nodes of the former version still run: stop all of them first/)
    assert.lengthOf(await read("select from wallet_shares"), 14)
    await sql`select pg_advisory_unlock_all()`
    await migrateDatabase(database.url)
  })

  it.each([
    [
      "differs",
      "update ledger_entries set amount_micro_vnd = amount_micro_vnd - 1 where source_id = (select min(source_id) from ledger_entries where source = 'call')",
      /disagree about req_\d+ of acc_\d+: entry -\d+, cost \d+\. Run the audit of the former version/
    ],
    [
      "is missing",
      "delete from ledger_entries where source_id = (select max(source_id) from ledger_entries where source = 'call')",
      /disagree about req_\d+ of acc_\d+: entry none, cost \d+/
    ],
    [
      "has no call",
      "delete from calls where id = (select max(id) from calls where cost_micro_vnd > 0)",
      /disagree about req_\d+ of acc_\d+: entry -\d+, cost none/
    ],
    [
      "is of another account",
      "update ledger_entries set account_id = case account_id when 'acc_1' then 'acc_2' else 'acc_1' end where source_id = (select min(source_id) from ledger_entries where source = 'call')",
      /disagree about req_\d+ of acc_\d/
    ]
  ])("are left as they were where an entry %s", async (_, damage, said) => {
    await makeFormerBooks(database.url, { ...books, calls: 60 })
    await sql.unsafe(`set session_replication_role = replica; ${damage}; reset session_replication_role`)
    const entries = await read("select * from ledger_entries order by id")
    assert.match((await run(Effect.flip(migrate()))).message, said)
    assert.deepStrictEqual(await read("select * from ledger_entries order by id"), entries)
  })
})
