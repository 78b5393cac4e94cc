/** An unmatched transfer's owner is looked for among 100,000 accounts without reading them. */
import { assert, describe, it } from "@effect/vitest"
import postgres from "postgres"
import { afterAll, beforeAll } from "vitest"
import { suggestOwners } from "../../src/accounts/suggest-owners.ts"
import type { Sql } from "../../src/storage/Database.ts"
import { migrateDatabase } from "./migrate-database.ts"
import { findTransfer } from "../../src/storage/payments/TransferStore.ts"
import { withMigrationsUpTo } from "./former-books.ts"
import { startTestDatabase, type TestDatabase } from "./start-database.ts"
import { withSql } from "./with-sql.ts"

let database: TestDatabase
beforeAll(async () => {
  database = await startTestDatabase({ migrated: false })
  const run = (from?: string) => migrateDatabase(database.url, from)
  // What the version before wrote, the transfers of each state among it, is carried over.
  await withMigrationsUpTo(42, run)
  await withSql(database.url, async (sql) => {
    await sql`
      insert into people (id, name, email, email_verified, updated_at)
      select 'acc_' || i, 'Nguyễn Văn ' || i, 'khach.' || i || '@example.com', false, now()
      from generate_series(1, 100000) as i`
    await sql`
      insert into billing_details (account_id, company, tax_code, address, email)
      select 'acc_' || i, 'Công ty TNHH Số ' || i, '', '', '' from generate_series(1, 50000) as i`
    await sql`
      insert into top_up_orders (id, account_id, code, amount_micro_vnd, expires_at)
      select 'top_' || i, 'acc_' || i, 'ST' || translate(substr(upper(md5(i::text)), 1, 9), 'U', 'V'),
        (50000 + i) * 1000000::bigint, now() from generate_series(1, 100000) as i`
    await sql`
      insert into bank_transfers (provider, provider_transfer_id, heard_by, direction, bank_account, amount_micro_vnd,
        memo, transferred_at, raw, status, account_id)
      select 'sepay', i::text, 'webhook', 'in', '0123456789', 60000 * 1000000::bigint,
        'khach 777 Nguyễn Văn 778 so 779 ' || substr(upper(md5('780')), 1, 8), now(), '{}',
        (array['credited', 'unmatched', 'ignored'])[i % 3 + 1], case when i % 3 = 0 then 'acc_1' end
      from generate_series(1, 30000) as i`
  })
  await run()
  await withSql(database.url, (sql) => sql`analyze`)
})
afterAll(() => database.stop())

describe("suggestions", () => {
  it("leave former transfers as they were", () =>
    withSql(database.url, async (sql) => {
      const rows =
        await sql`select status, count(*)::int as count from bank_transfers group by status order by status`
      assert.deepStrictEqual(
        rows.map((row) => [row["status"], row["count"]]),
        ["credited", "ignored", "unmatched"].map((status) => [status, 10_000])
      )
    }))

  it("come by indexes alone, one for each hint", async () => {
    const statements: Array<readonly [text: string, values: Array<never>]> = []
    const sql = postgres(database.url, {
      max: 1,
      types: { bigint: postgres.BigInt },
      debug: (_connection, text, values) => void statements.push([text, values as Array<never>])
    })
    try {
      const transfer = await findTransfer(sql as unknown as Sql, "1")
      const found = await suggestOwners(sql as unknown as Sql, { ...transfer!, senderAccount: "19001" })
      const reasons = new Map(found.map(({ account, reasons }) => [account.id as string, reasons]))
      assert.deepStrictEqual(reasons.get("acc_777"), ["mail"])
      assert.deepStrictEqual(reasons.get("acc_778"), ["name"])
      assert.deepStrictEqual(reasons.get("acc_779"), ["company"])
      assert.deepStrictEqual(reasons.get("acc_780"), ["code"])
      assert.deepStrictEqual(reasons.get("acc_10000"), ["amount"])
      const sent = statements.filter(([text]) => !text.includes("pg_catalog"))
      assert.isAtLeast(sent.length, 7)
      const plans = await Promise.all(sent.map(([text, values]) => sql.unsafe(`explain ${text}`, values)))
      const plan = plans.flatMap((rows) => rows.map((row) => String(row["QUERY PLAN"]))).join("\n")
      assert.notInclude(plan, "Seq Scan")
      for (const index of [
        "top_up_orders_code_1",
        "people_plain_name",
        "billing_details_company",
        "accounts_mail_word"
      ])
        assert.include(plan, index)
    } finally {
      await sql.end()
    }
  })
})
