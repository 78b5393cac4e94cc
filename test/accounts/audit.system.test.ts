import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { createAccount } from "../../src/accounts/accounts.ts"
import { audit } from "../../src/ledger/audit.ts"
import { type CallExtras, noExtras } from "../../src/domain/call.ts"
import { type AuditFindings, auditWithin } from "../../src/storage/audit/audit-books.ts"
import { Database } from "../../src/storage/Database.ts"
import { freshEmail, TestDatabase } from "./test-database.ts"
import { callOf, writeCalls } from "./write-calls.ts"

const uncached = { cacheReadTokens: 0, cacheWriteTokens: 0 }
const advice = {
  model: "claude-opus-5",
  inputTokens: 3_000,
  ...uncached,
  outputTokens: 6,
  perMtokVnd: 65_000,
  isApart: true
}
/**
 * 10 of 30 tokens at 6,500 VND for a million, 20 at 12,345, 5 apart at 1, all at 2.33 times that: 726,738.65, so 726,739 µVND;
 * three searches at 250 VND.
 */
const beyond: CallExtras = {
  ...noExtras,
  tier: "priority",
  factor: "2.33",
  toolUses: [
    { tool: "web_search", uses: 3, price: 250_000_000n },
    { tool: "mcp", uses: 7, price: undefined }
  ],
  others: [
    { model: "a", inputTokens: 5, ...uncached, outputTokens: 15, perMtokVnd: 12_345, isApart: false },
    { model: "b", inputTokens: 4, ...uncached, outputTokens: 1, perMtokVnd: 1, isApart: true }
  ]
}

/** Two accounts with calls of every kind that may be charged and may not. */
const writeBooks = Effect.gen(function* () {
  const open = () => createAccount({ email: freshEmail(), credit: 1_000_000_000n, actor: "test" })
  const [first, second] = [yield* open(), yield* open()]
  const free = { cost: 0n, inputTokens: 0, outputTokens: 0 }
  const request = { perMtokVnd: null, perRequestVnd: 230, model: "req/some" }
  yield* writeCalls([
    callOf(first.accountId, 0),
    callOf(first.accountId, 1, { status: 499, errorType: "client_closed_request", estimated: true }),
    callOf(first.accountId, 2, { status: 402, errorType: "insufficient_balance", stream: true }),
    callOf(first.accountId, 3, { ...free, status: 402 }),
    callOf(first.accountId, 4, { status: 502, cost: 0n }),
    callOf(first.accountId, 5, { endpoint: "count_tokens", cost: 0n }),
    callOf(second.accountId, 6, { ...request, cost: 230_000_000n }),
    callOf(second.accountId, 7, {
      ...request,
      ...free,
      endpoint: "images_generations",
      units: 3,
      cost: 690_000_000n
    }),
    callOf(second.accountId, 4000),
    callOf(second.accountId, 8, { cost: 750_726_739n, extras: beyond }),
    callOf(second.accountId, 9, {
      ...request,
      cost: 991_158_700n,
      extras: { ...beyond, toolUses: [], others: [advice] }
    })
  ])
})

/** What the audit finds after a change as only a superuser can make it, which is then undone. */
const auditTampered = Effect.fnUntraced(function* (statement: string) {
  const database = yield* Database
  return yield* database.run("tamper", async (sql) => {
    let findings: AuditFindings | undefined
    const undo = new Error("undo")
    await sql
      .begin(async (transaction) => {
        // The ledger's trigger and the foreign keys look away.
        await transaction`set local session_replication_role = replica`
        const changed = await transaction.unsafe(statement)
        assert.isAbove(changed.count, 0)
        findings = await auditWithin(transaction)
        throw undo
      })
      .catch((error: unknown) => {
        if (error !== undo) throw error
      })
    return findings!
  })
})

const oneCall =
  "(select id from calls where cost_micro_vnd > 0 and status = 200 and units = 1 order by id limit 1)"
const otherAccount = "(select id from accounts where id <> calls.account_id)"

const oneSum = (table: string) => `ctid = (select min(ctid) from ${table})`
/** A part that one account alone has bought on a day: told of another, it meets no sum that is already there. */
const ownSum = `ctid = (
  select min(ctid) from purchase_days p where not exists (
    select from purchase_days o where (o.day, o.part_id) = (p.day, p.part_id) and o.account_id <> p.account_id))`

const extraCall = "where tool_uses is not null"
const cases: ReadonlyArray<readonly [what: string, statement: string, checks: ReadonlyArray<string>]> = [
  ["a balance is raised", "update wallets set booked_micro_vnd = booked_micro_vnd + 1", ["balance"]],
  [
    "what a node has charged is lowered",
    "update wallet_escrows set spent_micro_vnd = spent_micro_vnd - 1 where spent_micro_vnd > 0",
    ["balance"]
  ],
  [
    "nodes hold more than there is",
    `with revived as (update nodes set gone_at = null)
     update wallet_escrows e set amount_micro_vnd = balance_micro_vnd + 1
     from wallet_balances w where w.account_id = e.account_id`,
    ["escrow"]
  ],
  ["a factor is lowered", `update calls set factor = 2.32 ${extraCall}`, ["cost", "purchase_days"]],
  ["a factor is forgotten", `update calls set factor = null ${extraCall}`, ["cost", "purchase_days"]],
  ["uses are forgotten", `update calls set tool_uses = null ${extraCall}`, ["cost", "purchase_days"]],
  [
    "a use is added",
    `update calls set tool_uses = jsonb_set(tool_uses, '{0,uses}', '4') ${extraCall}`,
    ["cost", "purchase_days"]
  ],
  [
    "tokens of another model are forgotten",
    `update calls set other_tokens = null ${extraCall}`,
    ["cost", "purchase_days"]
  ],
  ["an entry is changed", "update ledger_entries set amount_micro_vnd = amount_micro_vnd - 1", ["balance"]],
  ["a credit is deleted", "delete from ledger_entries where source = 'credit'", ["balance"]],
  [
    "a call is deleted",
    `delete from calls where id = ${oneCall}`,
    ["balance", "usage_hours", "purchase_days"]
  ],
  [
    "a call is given to another account",
    `update calls set account_id = ${otherAccount} where id = ${oneCall}`,
    ["balance", "usage_hours", "purchase_days"]
  ],
  [
    "a cost is lowered",
    `update calls set cost_micro_vnd = 1 where id = ${oneCall}`,
    ["balance", "cost", "usage_hours", "purchase_days"]
  ],
  [
    "a cost is removed",
    `update calls set cost_micro_vnd = 0 where id = ${oneCall}`,
    ["balance", "cost", "usage_hours", "purchase_days"]
  ],
  [
    "tokens are changed",
    `update calls set output_tokens = 21 where id = ${oneCall}`,
    ["cost", "usage_hours", "purchase_days"]
  ],
  ["a price is changed", `update calls set per_mtok_vnd = 6501 where id = ${oneCall}`, ["cost"]],
  [
    "a charged call becomes a failed one",
    `update calls set status = 500 where id = ${oneCall}`,
    ["cost", "usage_hours"]
  ],
  [
    "text is counted as images",
    `update calls set units = 2 where id = ${oneCall}`,
    ["cost", "purchase_days"]
  ],
  [
    "a call is logged twice",
    `insert into calls select (jsonb_populate_record(c, jsonb_build_object('at', c.at + interval '1 s'))).*
     from calls c where id = ${oneCall}`,
    ["balance", "repeated", "usage_hours", "purchase_days"]
  ],
  [
    "money is booked to an account that is not there",
    "insert into ledger_entries (account_id, source, source_id, amount_micro_vnd) values ('acc_ghost', 'credit', 'x', 5)",
    ["account"]
  ],
  [
    "a wallet is deleted",
    "delete from wallets where account_id = (select min(id) from accounts)",
    ["account"]
  ],
  ["an account is deleted", "delete from accounts where id = (select min(id) from accounts)", ["account"]],
  ["an hour's sum is changed", "update usage_hours set cost_micro_vnd = cost_micro_vnd + 1", ["usage_hours"]],
  [
    "an hour's failures are changed",
    "update usage_hours set failed_calls = failed_calls + 1",
    ["usage_hours"]
  ],
  [
    "an hour is deleted",
    "delete from usage_hours where hour = (select min(hour) from usage_hours)",
    ["usage_hours"]
  ],
  ...[
    "calls",
    "input_tokens",
    "cache_read_tokens",
    "cache_write_tokens",
    "output_tokens",
    "uses",
    "revenue_micro_vnd"
  ].map((column): (typeof cases)[number] => [
    `one sum of ${column} that were bought is changed`,
    `update purchase_days set ${column} = ${column} + 1 where ${oneSum("purchase_days")}`,
    ["purchase_days", "purchase_totals"]
  ]),
  [
    "what was bought is told of another account",
    `update purchase_days p set account_id = (select id from accounts where id <> p.account_id)
     where ${ownSum}`,
    ["purchase_days"]
  ],
  [
    "a sum of what was bought is deleted",
    `delete from purchase_days where ${oneSum("purchase_days")}`,
    ["purchase_days", "purchase_totals"]
  ],
  [
    "a sum of what all bought is changed",
    `update purchase_totals set uses = uses + 1 where ${oneSum("purchase_totals")}`,
    ["purchase_totals"]
  ],
  [
    "a sum of what all bought is moved to another day",
    `update purchase_totals set day = day + 1 where ${oneSum("purchase_totals")}`,
    ["purchase_totals"]
  ],
  [
    "what was bought is said to be another model's",
    `update purchase_parts set model = 'gpt-5.5' where id = (select min(id) from purchase_parts)`,
    ["purchase_parts"]
  ],
  [
    "what was bought is forgotten",
    "delete from purchase_parts where id = (select min(id) from purchase_parts)",
    ["purchase_parts"]
  ]
]

layer(TestDatabase, { excludeTestServices: true, timeout: "60 seconds" })("audit", (it) => {
  it.effect("finds nothing in an empty database", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* audit(), { ok: true, wallets: 0, entries: 0, calls: 0, violations: [] })
    })
  )

  it.effect("finds nothing in honest books, and counts them", () =>
    Effect.gen(function* () {
      yield* writeBooks
      assert.deepStrictEqual(yield* audit(), { ok: true, wallets: 2, entries: 2, calls: 11, violations: [] })
    })
  )

  it.effect.each(cases)("finds it when %s", ([, statement, checks]) =>
    Effect.gen(function* () {
      const { violations } = yield* auditTampered(statement)
      assert.deepStrictEqual([...new Set(violations.map(({ check }) => check))], checks)
    })
  )

  it.effect("names the wallet and both figures", () =>
    Effect.gen(function* () {
      const { violations } = yield* auditTampered(
        "update wallets set booked_micro_vnd = booked_micro_vnd + 7 where account_id = (select min(id) from accounts)"
      )
      assert.deepStrictEqual(
        violations.map(({ check, detail }) => [check, detail]),
        [["balance", "balance 999415007, entries 1000000000, cost of calls 585000"]]
      )
    })
  )

  it.effect("names at most 100 violations", () =>
    Effect.gen(function* () {
      const { calls, violations } =
        yield* auditTampered(`insert into calls (id, at, account_id, key_id, endpoint,
        model_requested, model, stream, status, cost_micro_vnd, latency_ms) select 'req_' || i, now(), 'acc_ghost', 'k',
        'messages', 'm', 'm', false, 200, 5, 1 from generate_series(1, 300) as i`)
      assert.strictEqual(calls, 311)
      assert.strictEqual(violations.length, 100)
    })
  )

  it.effect("the ledger itself refuses changes to its entries", () =>
    Effect.gen(function* () {
      const database = yield* Database
      for (const statement of ["update ledger_entries set reason = ''", "delete from ledger_entries"]) {
        const refused = yield* Effect.flip(database.run("change", (sql) => sql.unsafe(statement)))
        assert.strictEqual(refused.code, "P0001")
      }
      assert.isTrue((yield* audit()).ok)
    })
  )
})
