/** The bank's reference of transfers that SePay told of before it had a column. */
import { assert } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { afterAll, beforeAll, it } from "vitest"
import { startTestDatabase, type TestDatabase } from "./start-database.ts"
import { withSql } from "./with-sql.ts"

const migration = new URL("../../src/storage/migrations/0079-shown-reference.sql", import.meta.url)

let database: TestDatabase
beforeAll(async () => {
  database = await startTestDatabase()
})
afterAll(() => database.stop())

it("is read from what SePay sent, where it stands there", async () => {
  const memo = 'a "referenceCode":"no" b'
  const former: ReadonlyArray<readonly [provider: string, raw: string, reference: string]> = [
    ["sepay", JSON.stringify({ content: memo, referenceCode: "MBVCB.3278907687" }), "MBVCB.3278907687"],
    ["sepay", JSON.stringify({ reference_number: "FT26309000001\\BNK" }, null, 2), "FT26309000001\\BNK"],
    ["sepay", '{"referenceCode":"a\\/b"}', "a/b"],
    ["sepay", JSON.stringify({ referenceCode: " ".repeat(3) + "x".repeat(300) }), "x".repeat(200)],
    ["sepay", JSON.stringify({ content: memo, referenceCode: null }), ""],
    ["sepay", JSON.stringify({ referenceCode: "" }), ""],
    ["sepay", '{"referenceCode":"cut', ""],
    ["sepay", "", ""],
    ["casso", JSON.stringify({ referenceCode: "FT1" }), ""]
  ]
  await withSql(database.url, async (sql) => {
    await sql`alter table bank_transfers drop column shown_reference`
    for (const [index, [provider, raw]] of former.entries())
      await sql`
        insert into bank_transfers (provider, provider_transfer_id, heard_by, direction, bank_account, amount_micro_vnd, memo,
          transferred_at, raw, status)
        values (${provider}, ${index}, 'webhook', 'in', '1', 1, '', now(), ${raw}, 'unmatched')`
    await sql.unsafe(readFileSync(migration, "utf8"))
    const rows = await sql<Array<{ reference: string }>>`
      select shown_reference as reference from bank_transfers order by provider_transfer_id::int`
    assert.deepStrictEqual(
      rows.map(({ reference }) => reference),
      former.map(([, , reference]) => reference)
    )
  })
})
