/** What accounts had set for their alerts before there were some kinds of them. */
import { assert } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { afterAll, beforeAll, it } from "vitest"
import { startTestDatabase, type TestDatabase } from "./start-database.ts"
import { withSql } from "./with-sql.ts"

/** What the migration changes of what was set. */
const updateOf = (migration: string): string => {
  const file = new URL(`../../src/storage/migrations/${migration}.sql`, import.meta.url)
  return /^update alert_settings[^;]*;/m.exec(readFileSync(file, "utf8"))![0]
}

let database: TestDatabase
beforeAll(async () => {
  database = await startTestDatabase()
})
afterAll(() => database.stop())

it("whoever wants mail of keys' budgets gets it of members', and nobody else", async () => {
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
    await sql.unsafe(updateOf("0057-member-budget-alerts"))
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

it("whoever wants mail of new sign-ins gets it of changes to them, and nobody else", async () => {
  await withSql(database.url, async (sql) => {
    await sql`insert into accounts (id, email) values ('acc_5', '5@example.com'), ('acc_6', '6@example.com')`
    await sql`insert into alert_settings (account_id, mail_kinds, email, language) values
      ('acc_5', '{key.created,sign_in.new}', '', 'vi'), ('acc_6', '{key.created}', '', 'vi')`
    await sql.unsafe(updateOf("0077-security-told"))
    const rows = await sql<Array<{ kinds: ReadonlyArray<string> }>>`
      select mail_kinds as kinds from alert_settings where account_id in ('acc_5', 'acc_6') order by account_id`
    assert.deepStrictEqual(
      rows.map(({ kinds }) => kinds),
      [["key.created", "sign_in.new", "security.changed"], ["key.created"]]
    )
  })
})
