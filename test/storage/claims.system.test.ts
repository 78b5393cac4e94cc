/** What a call asks of its wallet and its budget reads what is of them, however much there is of others. */
import { assert, describe, it } from "@effect/vitest"
import { afterAll, beforeAll } from "vitest"
import type { AccountId } from "../../src/domain/ids.ts"
import type { Sql } from "../../src/storage/Database.ts"
import { claimWallets, giveBack } from "../../src/storage/EscrowStore.ts"
import { startTestDatabase, type TestDatabase } from "./start-database.ts"
import { openSql } from "./with-sql.ts"

const openHolds = 20

let database: TestDatabase
let sql: Sql & { end(): Promise<void> }
beforeAll(async () => {
  database = await startTestDatabase()
  sql = openSql(database.url) as unknown as typeof sql
  await sql`insert into accounts (id, email) select 'acc_' || i, i || '@example.com' from generate_series(1, 30000) i`
  await sql`insert into wallets (account_id, booked_micro_vnd) select id, 1000000 from accounts`
  await sql`insert into keys (id, account_id, name, slot, secret_hash, hint, budget_micro_vnd, budget_period)
    values ('key_1', 'acc_1', 'test', 0, sha256('1'), '', 1000000, 'total')`
  for (const token of ["one", "other"]) await sql`select register_node(${token}, '{}', '1 hour')`
  await sql`select begin_journal(1), begin_journal(2)`
  // The statistics are of an empty table: nothing but the statements themselves keeps them from reading all of it.
  await sql.unsafe("vacuum (analyze) wallet_escrows, key_holds, calls")
  await sql`insert into wallet_escrows (account_id, node_id, amount_micro_vnd, exact)
    select id, 2, case when id = 'acc_2' then 1000000 else 1000 end, true from accounts`
  await sql`insert into calls (id, at, account_id, key_id, endpoint, model_requested, model, stream, status, latency_ms)
    select 'req_' || i, now(), 'acc_1', 'key_1', 'messages', 'm', 'm', false, 200, 1 from generate_series(1, 30000) i`
  await sql`insert into key_holds (call_id, key_id, at, node_id, amount_micro_vnd)
    select 'open_' || i, 'key_1', now(), 1, 1 from generate_series(1, ${openHolds}::int) i`
})
afterAll(async () => {
  await sql.end()
  await database.stop()
})

/** Pages that a call of the function touches once its statements are planned. */
const pagesOf = async (call: string): Promise<number> => {
  for (let turn = 0; turn < 2; turn++) await sql.unsafe(`select * from ${call}`)
  const plan = await sql.unsafe<Array<{ "QUERY PLAN": string }>>(
    `explain (analyze, buffers) select * from ${call}`
  )
  const text = plan.map((row) => row["QUERY PLAN"]).join("\n")
  return Number(/Buffers: shared hit=(\d+)/.exec(text)?.[1])
}

const claim = (accountId: string) =>
  `claim_wallets(1, 1, '{${accountId}}', '{100}', '{100}', '{2000}') where account_id = '${accountId}'`

describe("a claim reads the parts of its wallet alone", () => {
  it("where it is granted", async () => {
    const [claimed] = await sql.unsafe<Array<{ granted: bigint }>>(`select * from ${claim("acc_1")}`)
    assert.isAbove(Number(claimed!.granted), 0)
    assert.isBelow(await pagesOf(claim("acc_1")), 150)
  })

  it("where it is not, and then it writes nothing", async () => {
    const pages = await pagesOf(claim("acc_2"))
    assert.isBelow(pages, 60)
    const [claimed] = await sql.unsafe<Array<{ granted: bigint }>>(`select * from ${claim("acc_2")}`)
    assert.strictEqual(claimed!.granted, 0n)
    const parts = await sql`select from wallet_escrows where account_id = 'acc_2'`
    assert.lengthOf(parts, 1)
  })
})

describe("what may lie idle on a node", () => {
  it("is asked for until the node itself says that nothing does", async () => {
    const accountId = "acc_3" as AccountId
    const [one, other] = [1, 2].map((nodeId) => ({ nodeId, slot: 0, session: 1 }))
    const claimBy = async (node = one!, wanted: bigint) => {
      const ask = { wanted, minimum: wanted, waitedMs: 2_000 }
      return (await claimWallets(sql, node, new Map([[accountId, ask]])))![0]!
    }
    assert.deepInclude(await claimBy(one, 1n), { granted: 124_875n, isExact: false })
    await sql`update wallets set booked_micro_vnd = 126000 where account_id = ${accountId}`
    // What it has is not held by then, and it has not heard of this claim's answer.
    assert.deepInclude(await claimBy(one, 130_000n), { granted: 0n, isExact: true })
    assert.deepInclude(await claimBy(other, 20_000n), { granted: 0n, isPending: true })
    await giveBack(sql, one!, [{ accountId, amount: 0n, isExact: true }], [accountId])
    assert.deepInclude(await claimBy(other, 20_000n), { granted: 20_000n, isPending: false })
  })
})

describe("a hold of a budget", () => {
  it("finds by the log's key which open calls have been charged", async () => {
    const at = Date.now()
    const pages = await pagesOf(`hold_budgets(1, 1, '{req_new}', '{key_1}', '{${at}}', '{1}', '{1}')`)
    assert.isBelow(pages, 20 * openHolds)
  })
})
