/** What accounts had set for their alerts before budgets of members had any. */
import { assert } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { afterAll, beforeAll, it } from "vitest"
import { startTestDatabase, type TestDatabase } from "./start-database.ts"
import { withSql } from "./with-sql.ts"

const migration = new URL("../../src/storage/migrations/0057-member-budget-alerts.sql", import.meta.url)

let database: TestDatabase
beforeAll(async () => {
  database = await startTestDatabase()
})
afterAll(() => database.stop())

it("whoever wants mail of keys' budgets gets it of members', and nobody else", async () => {
  const [update] = /^update alert_settings[^;]*;/m.exec(readFileSync(migration, "utf8"))!
  const former = [
    ["acc_1", ["budget.spent", "key.created"]],
    ["acc_2", ["budget.nearly_spent", "budget.spent"]],
    ["acc_3", ["sign_in.new"]],
    ["acc_4", []]
  ] as const
  await withSql(database.url, async (sql) => {
    for (const [id, kinds] of former) {
      await sql`insert into accounts (id, email) values (${id}, ${id + "@example.com"})`
      await sql`insert into alert_settings (account_id, mail_kinds, email, language) values (${id}, ${kinds}, '', 'vi')`
    }
    await sql.unsafe(update)
    const rows = await sql<Array<{ kinds: ReadonlyArray<string> }>>`
      select mail_kinds as kinds from alert_settings order by account_id`
    assert.deepStrictEqual(
      rows.map(({ kinds }) => kinds),
      [
        ["budget.spent", "key.created", "member_budget.spent"],
        ["budget.nearly_spent", "budget.spent", "member_budget.nearly_spent", "member_budget.spent"],
        ["sign_in.new"],
        []
      ]
    )
  })
})
