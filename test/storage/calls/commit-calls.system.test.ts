/** What is written of a call is what was recorded, whatever its texts hold. */
import { assert } from "@effect/vitest"
import { afterAll, beforeAll, describe, it } from "vitest"
import type { CallRecord } from "../../../src/domain/call.ts"
import { type AccountId, KeyId } from "../../../src/domain/ids.ts"
import { holdBudgets } from "../../../src/storage/keys/BudgetStore.ts"
import { commitCalls } from "../../../src/storage/calls/commit-calls.ts"
import type { Sql } from "../../../src/storage/Database.ts"
import { claimWallets } from "../../../src/storage/EscrowStore.ts"
import { findStoredItems } from "../../../src/storage/LedgerStore.ts"
import { beginJournal, leaveNode } from "../../../src/storage/NodeStore.ts"
import { callOf } from "../../accounts/write-calls.ts"
import { newCustomer } from "../../ledger/start-ledger.ts"
import { Random, seeds } from "../../Random.ts"
import { startTestDatabase, type TestDatabase } from "../start-database.ts"
import { withSql } from "../with-sql.ts"
import { asNode, commitUnclaimed } from "../write-as-node.ts"

let database: TestDatabase
let accountId: AccountId
beforeAll(async () => {
  database = await startTestDatabase()
  accountId = (await newCustomer(database.url, 10n ** 12n)).accountId
})
afterAll(() => database.stop())

/** Texts that mean something in PostgreSQL's notation of arrays, in SQL or in JSON. */
const texts = [
  "",
  "NULL",
  "null",
  '"',
  "\\",
  '\\"',
  "{",
  "}",
  ",",
  "a,b",
  "{a}",
  " ",
  "'",
  "$1",
  "--",
  "ü 😀",
  "a\nb"
]

const written = (calls: ReadonlyArray<CallRecord>) =>
  withSql(database.url, async (sql) => {
    await commitUnclaimed(sql, calls)
    return sql<Array<Record<string, unknown>>>`
      select id, extract(epoch from at)::float8 * 1000 as at, account_id, key_id, endpoint, model_requested, model,
        stream, status, error_type, input_tokens, output_tokens, units, estimated, per_mtok_vnd::text, per_request_vnd::text,
        cost_micro_vnd::text, latency_ms, first_byte_ms, encode(stored_id_hash, 'hex') as stored_id, stored_item_hashes
      from calls where id = any (${calls.map(({ callId }) => callId)}::text[])`
  })

const rowOf = (call: CallRecord) => ({
  id: call.callId,
  at: call.atMs,
  account_id: call.accountId,
  key_id: call.keyId,
  endpoint: call.endpoint,
  model_requested: call.modelRequested,
  model: call.model,
  stream: call.stream,
  status: call.status,
  error_type: call.errorType,
  input_tokens: call.inputTokens,
  output_tokens: call.outputTokens,
  units: call.units,
  estimated: call.estimated,
  per_mtok_vnd: call.perMtokVnd === null ? null : String(call.perMtokVnd),
  per_request_vnd: call.perRequestVnd === null ? null : String(call.perRequestVnd),
  cost_micro_vnd: String(call.cost),
  latency_ms: call.latencyMs,
  first_byte_ms: call.firstByteMs,
  stored_id: call.storedIdHash === null ? null : Buffer.from(call.storedIdHash).toString("hex"),
  stored_item_hashes:
    call.storedItemHashes.length === 0 ? null : call.storedItemHashes.map((hash) => Buffer.from(hash))
})

const sorted = (rows: ReadonlyArray<Record<string, unknown>>) =>
  rows.map((row) => ({ ...row })).toSorted((one, other) => (String(one["id"]) < String(other["id"]) ? -1 : 1))

describe("calls", () => {
  it("keep every text as it was", async () => {
    const calls = texts.map((text, index) =>
      callOf(accountId, index, {
        modelRequested: text,
        model: `${text}m`,
        errorType: text,
        keyId: KeyId.make(`key ${text}`),
        cost: BigInt(index)
      })
    )
    assert.deepStrictEqual(sorted(await written(calls)), sorted(calls.map(rowOf)))
  })

  it("keep every number, flag and hash as it was, and what is absent absent", async () => {
    const calls = [
      callOf(accountId, 1_000, {
        stream: true,
        estimated: true,
        status: 599,
        inputTokens: 2_147_483_647,
        outputTokens: 0,
        units: 10,
        cost: 10n ** 11n + 1n,
        perMtokVnd: null,
        perRequestVnd: 1_250,
        latencyMs: 0,
        firstByteMs: null,
        storedIdHash: Uint8Array.from({ length: 32 }, (_, index) => index * 8),
        storedItemHashes: [Uint8Array.from({ length: 32 }, (_, index) => 255 - index), new Uint8Array(32)]
      }),
      callOf(accountId, 1_001, { atMs: Date.UTC(2026, 10, 15) + 1, cost: 0n, storedIdHash: null })
    ]
    assert.deepStrictEqual(sorted(await written(calls)), sorted(calls.map(rowOf)))
  })

  it("are found by the items stored with them, by their own account alone", async () => {
    const other = await newCustomer(database.url, 10n ** 12n)
    const hash = (byte: number) => new Uint8Array(32).fill(byte)
    const stored = (owner: AccountId, index: number, inputTokens: number, ...bytes: ReadonlyArray<number>) =>
      callOf(owner, index, { inputTokens, outputTokens: 10, storedItemHashes: bytes.map(hash) })
    await written([
      stored(accountId, 2_000, 100, 1, 2),
      stored(accountId, 2_001, 300, 3),
      stored(accountId, 2_002, 900, 4),
      stored(other.accountId, 2_003, 5_000, 5)
    ])
    const found = (owner: AccountId, ...bytes: ReadonlyArray<number>) =>
      withSql(database.url, (sql) => findStoredItems(sql as unknown as Sql, owner, bytes.map(hash)))
    assert.deepStrictEqual(await found(accountId, 2), { tokens: 110, missing: undefined })
    assert.deepStrictEqual(await found(accountId, 1, 3, 2, 1), { tokens: 320, missing: undefined })
    assert.strictEqual((await found(accountId, 1, 5, 9)).missing, 1)
    assert.strictEqual((await found(other.accountId, 5, 1)).missing, 1)
    assert.strictEqual((await found(accountId, 9)).missing, 0)
  })

  it.each(seeds(3))("are charged once, in whatever batches they are written again, seed %i", async (seed) => {
    const random = new Random(seed)
    const credit = 10n ** 12n
    const { accountId } = await newCustomer(database.url, credit)
    const calls = Array.from({ length: 40 }, (_, index) =>
      callOf(accountId, index, { cost: BigInt(random.below(3) * 1_000) })
    )
    const balance = credit - calls.reduce((sum, { cost }) => sum + cost, 0n)
    const shown = await withSql(database.url, (sql) =>
      asNode(sql, async (session) => {
        const connection = sql as unknown as Sql
        const asks = new Map([[accountId, { wanted: 1n, minimum: 1n, waitedMs: 0 }]])
        const [claim] = (await claimWallets(connection, session, asks))!
        assert.strictEqual(claim!.granted, credit, "all of it, for the only node there is")
        const escrows = [{ accountId, amount: balance, isExact: false }]
        const commit = (records: ReadonlyArray<CallRecord>) =>
          commitCalls(connection, session, { records, escrows })
        // Some alone, most with others, a few twice in one batch; at the end whatever no batch had.
        for (let turn = 0; turn < 20; turn++) {
          assert.isTrue(await commit(Array.from({ length: 1 + random.below(8) }, () => random.pick(calls))))
        }
        await commit(calls)
        const [row] = await sql<Array<Record<string, unknown>>>`
          select (select count(*)::int4 from calls where account_id = ${accountId}) as calls,
            (select sum(calls)::int4 from usage_hours where account_id = ${accountId}) as counted,
            balance_micro_vnd as balance, amount_micro_vnd as escrow
          from wallet_balances join wallet_escrows using (account_id) where account_id = ${accountId}`
        return { ...row }
      })
    )
    assert.deepStrictEqual(shown, { calls: 40, counted: 40, balance, escrow: balance })
  })
})

describe("a commit of who is over", () => {
  /** Rows of all that a commit writes, with what they sum up to. */
  const books = (sql: Sql) => sql`
    select (select count(*) from calls) as calls, (select array_agg(u order by u) from usage_hours u)::text as hours,
      (select array_agg(d order by d) from purchase_days d)::text as days, (select array_agg(t order by t) from purchase_totals t)::text as totals,
      (select count(*) from purchase_parts) as parts, (select array_agg(e order by e) from wallet_escrows e)::text as escrows`

  it.each(["session", "node"])("leaves nothing anywhere, %s", async (what) => {
    const { accountId } = await newCustomer(database.url, 10n ** 12n)
    const batch = (index: number) => ({
      records: [callOf(accountId, index, { model: `of a ${what} ${index}` }), callOf(accountId, index + 1)],
      escrows: [{ accountId, amount: 5n, isExact: true }]
    })
    await withSql(database.url, (sql) =>
      asNode(sql, async (session, node) => {
        const connection = sql as unknown as Sql
        assert.isTrue(await commitCalls(connection, session, batch(3_000)))
        if (what === "session") await beginJournal(connection, node)
        else await leaveNode(connection, node)
        const before = await books(connection)
        // Of calls that are new, of some that are known, and of none.
        assert.isFalse(await commitCalls(connection, session, batch(3_002)))
        assert.isFalse(await commitCalls(connection, session, batch(3_001)))
        assert.isFalse(await commitCalls(connection, session, { ...batch(3_003), records: [] }))
        assert.deepStrictEqual(await books(connection), before)
      })
    )
  })
})

describe("asks for more than anybody has", () => {
  const tooMuch = 10n ** 23n

  it("are refused by themselves, whatever the number: others of the same statement have theirs", async () => {
    const [modest, greedy] = [await newCustomer(database.url, 50n), await newCustomer(database.url, 50n)]
    const keyIds = [modest.keyId, greedy.keyId]
    await withSql(database.url, async (sql) => {
      await sql`update keys set budget_micro_vnd = 50, budget_period = 'total' where id = any (${keyIds})`
      await asNode(sql, async (session) => {
        const connection = sql as unknown as Sql
        const claims = await claimWallets(
          connection,
          session,
          new Map([
            [modest.accountId, { wanted: 5n, minimum: 5n, waitedMs: 0 }],
            [greedy.accountId, { wanted: tooMuch, minimum: tooMuch, waitedMs: 0 }]
          ])
        )
        const granted = new Map(claims!.map((claim) => [claim.accountId, claim.granted]))
        assert.deepStrictEqual(
          [modest, greedy].map((each) => granted.get(each.accountId)),
          [50n, 0n]
        )
        const atMs = Date.now()
        const [first, second] = [callOf(accountId, 1), callOf(accountId, 2)].map(({ callId }) => callId)
        const holds = await holdBudgets(connection, session, [
          { keyId: modest.keyId, callId: first!, atMs, minimum: 5n, wanted: tooMuch },
          { keyId: greedy.keyId, callId: second!, atMs, minimum: tooMuch, wanted: tooMuch }
        ])
        assert.deepStrictEqual(
          holds!.map(({ callId, held }) => [callId, held]),
          [
            [first, 50n],
            [second, undefined]
          ]
        )
      })
    })
  })
})
