/** Pages of the dashboard read about what they show, however much there is of everything else. */
import { assert, describe, it } from "@effect/vitest"
import postgres from "postgres"
import { afterAll, beforeAll } from "vitest"
import { AccountId } from "../../src/domain/ids.ts"
import { readCallPage } from "../../src/storage/calls/CallStore.ts"
import type { Sql } from "../../src/storage/Database.ts"
import { listAudit } from "../../src/storage/AuditStore.ts"
import { listCredits, readTotals } from "../../src/storage/OperatorStore.ts"
import { makePastMonths, middleOf } from "./past-months.ts"
import { startTestDatabase, type TestDatabase } from "./start-database.ts"
import { withSql } from "./with-sql.ts"

const accountId = AccountId.make("acc_1")

let database: TestDatabase
beforeAll(async () => {
  database = await startTestDatabase()
  await withSql(database.url, async (sql) => {
    // In the first days of a month the calls of a week lie in two: those of the last one are asked for.
    await makePastMonths(sql as unknown as Sql, 1)
    await sql`insert into accounts (id, email) values (${accountId}, 'a@example.com'), ('acc_2', 'b@example.com')`
    await sql`insert into wallets (account_id) select id from accounts`
    await sql`
      insert into ledger_entries (account_id, source, source_id, amount_micro_vnd)
      select case when i % 5000 = 0 then ${accountId}::text else 'acc_2' end, 'credit', i::text, 1
      from generate_series(1, 20000) as i`
    await sql`
      insert into audit_log (actor, action, subject)
      select 'cli', 'key.create', 'key_' || i from generate_series(1, 20000) as i`
    await sql`
      insert into calls (id, at, account_id, key_id, endpoint, model_requested, model, stream, status, latency_ms)
      select 'req_' || i, ${new Date(middleOf(1))}::timestamptz - i * interval '1 second', ${accountId}, 'key_1', 'messages', 'm', 'm', false,
        case when i % 4000 = 0 then 502 else 200 end, 1 from generate_series(1, 20000) as i`
    await sql`
      insert into usage_hours (account_id, key_id, model, hour, calls, failed_calls, input_tokens, output_tokens,
        cost_micro_vnd, last_call_at)
      select ${accountId}, 'key_1', 'm', date_trunc('hour', now()) - i * interval '1 hour', 1, 0, 1, 1, 1, now()
      from generate_series(1, 20000) as i`
    await sql`analyze`
  })
})
afterAll(() => database.stop())

/** How PostgreSQL goes about each statement that `read` sends. */
const plansOf = async (read: (sql: Sql) => Promise<unknown>): Promise<string> => {
  const statements: Array<readonly [text: string, values: Array<never>]> = []
  const sql = postgres(database.url, {
    max: 1,
    types: { bigint: postgres.BigInt },
    debug: (_connection, text, values) => void statements.push([text, values as Array<never>])
  })
  try {
    await read(sql)
    const sent = statements.filter(([text]) => !text.includes("pg_catalog"))
    const plans = await Promise.all(sent.map(([text, values]) => sql.unsafe(`explain ${text}`, values)))
    return plans.flatMap((rows) => rows.map((row) => String(row["QUERY PLAN"]))).join("\n")
  } finally {
    await sql.end()
  }
}

describe("what pages show is found by an index", () => {
  it("credits of an account, without reading those of others", async () => {
    const plans = await plansOf((sql) => listCredits(sql, accountId, 50))
    assert.include(plans, "ledger_entries_pkey")
  })

  it("the latest failures of an account, in their order, without reading its successes", async () => {
    const day = 86_400_000
    const filter = {
      accountId,
      outcome: "failed",
      from: new Date(middleOf(1) - 7 * day),
      to: new Date(middleOf(1))
    } as const
    const latest = { order: "newest first", after: undefined, limit: 5 } as const
    const plans = await plansOf((sql) => readCallPage(sql, filter, latest))
    assert.match(plans, /Index Scan Backward using calls_\d+_account_id_at_id_idx1? /)
    assert.notInclude(plans, "Sort")
    assert.notMatch(plans, /Filter: .*status/)
  })

  it("what all have used today, without reading the hours of other days", async () => {
    const plans = await plansOf((sql) => readTotals(sql, new Date(Date.now() - 86_400_000)))
    assert.match(plans, /Index Scan using usage_hours_hour on usage_hours/)
    assert.notInclude(plans, "Scan on usage_hours ")
  })

  it("what was done to an account, without reading what was done to others", async () => {
    const plans = await plansOf((sql) =>
      listAudit(sql, { subject: accountId }, { before: undefined, limit: 20 })
    )
    assert.include(plans, "audit_log_subject")
  })
})
