/** What calls hold of budgets in a database of the version before budgets of members goes on to count. */
import { assert, describe, it } from "@effect/vitest"
import { cpSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import type { AccountId, CallId, KeyId } from "../../src/domain/ids.ts"
import { holdBudgets, readBudgetUse } from "../../src/storage/keys/BudgetStore.ts"
import { readMemberBudgets } from "../../src/storage/keys/MemberBudgetStore.ts"
import { migrateDatabase } from "./migrate-database.ts"
import { startTestDatabase } from "./start-database.ts"
import { openSql } from "./with-sql.ts"

const account = "acc_1" as AccountId
const lastBefore = "0054"

describe("a database in which keys alone have budgets", () => {
  it("has the same holds and sums afterwards, which count for the member who made the keys", async () => {
    const database = await startTestDatabase({ migrated: false })
    const folder = mkdtempSync(join(tmpdir(), "tollgate-former-"))
    const sql = openSql(database.url)
    try {
      cpSync("src/storage/migrations", folder, {
        recursive: true,
        filter: (path) => !path.endsWith(".sql") || basename(path).slice(0, 4) <= lastBefore
      })
      await migrateDatabase(database.url, folder)
      await sql`insert into accounts (id, email) values (${account}, 'a@example.com')`
      await sql`insert into keys (id, account_id, made_by, name, slot, secret_hash, hint, budget_micro_vnd, budget_period)
        values ('key_1', ${account}, ${account}, 'a', 0, sha256('1'), '', 100, 'total'),
          ('key_2', ${account}, ${account}, 'b', 1, sha256('2'), '', null, null)`
      await sql`select register_node('one', '{}', '1 hour')`
      await sql`select begin_journal(1)`
      const atMs = Date.now()
      await sql`select * from hold_budgets(1, 1, '{req_1}', '{key_1}', ${[atMs]}::float8[], '{30}', '{30}')`
      await sql`insert into usage_hours (account_id, hour, key_id, model, calls, failed_calls, input_tokens, output_tokens,
          cost_micro_vnd, last_call_at)
        select ${account}, date_trunc('hour', now()), id, 'm', 1, 0, 1, 1, 20, now() from keys`

      await migrateDatabase(database.url)
      await sql`insert into member_budgets (account_id, person_id, budget_micro_vnd, budget_period)
        values (${account}, ${account}, 90, 'month')`
      const use = await readBudgetUse(sql, "key_1" as KeyId, "total")
      assert.deepStrictEqual({ spent: use.spent, held: use.held }, { spent: 20n, held: 30n })
      const [budget] = await readMemberBudgets(sql, account)
      assert.deepInclude(budget, { spent: 40n, held: 30n })
      const ask = (callId: string, keyId: string, minimum: bigint) => ({
        callId: callId as CallId,
        keyId: keyId as KeyId,
        atMs,
        minimum,
        wanted: minimum
      })
      const asks = [ask("req_1", "key_1", 31n), ask("req_2", "key_2", 20n), ask("req_3", "key_2", 19n)]
      const holds = await holdBudgets(sql, { nodeId: 1, slot: 0, session: 1 }, asks)
      assert.deepStrictEqual(
        holds?.map(({ held, shortOf }) => [held, shortOf]),
        [
          [31n, undefined],
          [undefined, "member"],
          [19n, undefined]
        ]
      )
    } finally {
      await sql.end()
      await database.stop()
      rmSync(folder, { recursive: true, force: true })
    }
  })
})
