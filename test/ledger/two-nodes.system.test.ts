/** Two nodes on one database, as in a rolling restart: they share wallets without overdrawing or starving each other. */
import { assert } from "@effect/vitest"
import { afterAll, beforeAll, describe, it } from "vitest"
import type { AccountId } from "../../src/domain/ids.ts"
import { startTestDatabase, type TestDatabase } from "../storage/start-database.ts"
import { withSql } from "../storage/with-sql.ts"
import { DatabaseProxy } from "./DatabaseProxy.ts"
import { Random, seeds } from "../Random.ts"
import { RandomRun } from "./RandomRun.ts"
import { callRecord, type Customer, newCallId } from "./call-record.ts"
import { auditOf, balanceOf, newCustomer, startLedger, type TestLedger } from "./start-ledger.ts"
import { until } from "../until.ts"

let database: TestDatabase
let proxy: DatabaseProxy
let first: TestLedger
let second: TestLedger
beforeAll(async () => {
  database = await startTestDatabase()
  proxy = new DatabaseProxy(database.url)
  first = await startLedger(database.url)
  second = await startLedger(database.url, { nodeUrl: await proxy.start() })
})
afterAll(async () => {
  await first.stop()
  await second.stop()
  await proxy.stop()
  await database.stop()
})

const call = async (ledger: TestLedger, customer: Customer, cost: bigint): Promise<boolean> => {
  const callId = newCallId()
  const answer = await ledger.admit(customer, callId, cost)
  if (typeof answer === "bigint") await ledger.settle(callRecord(customer, callId, cost))
  return typeof answer === "bigint"
}

const sharesOf = (accountId: AccountId) =>
  withSql(database.url, async (sql) => {
    const rows = await sql<Array<{ share: bigint }>>`
      select e.amount_micro_vnd as share from wallet_escrows e join nodes n on n.id = e.node_id
      where e.account_id = ${accountId} and n.gone_at is null`
    return rows.map(({ share }) => share)
  })

describe("two nodes on one database", () => {
  it.each(seeds(1))("never overdraw a wallet together, whatever is done on both, seed %i", async (seed) => {
    const run = new RandomRun(database.url, [first, second], new Random(seed))
    await run.openWallets([500n, 2_000n, 10_000n])
    await Promise.all([run.calls(20, 20), run.creditNow(), run.creditNow()])
    assert.deepStrictEqual((await auditOf(database.url)).violations, [])
    for (const { balance, customer } of run.truths) {
      assert.strictEqual(await balanceOf(database.url, customer.accountId), balance)
      assert.isAtLeast(Number(balance), 0)
      const shares = await sharesOf(customer.accountId)
      assert.isTrue(shares.reduce((sum, share) => sum + share, 0n) <= balance)
    }
    assert.isAbove(run.counts.admitted, 50)
  })

  it("spend a wallet to the last of what it can pay for, and both get calls through", async () => {
    const customer = await newCustomer(database.url, 3_000n * 7n + 3n)
    const done = [0, 0]
    const caller = async (index: number) => {
      while (await call([first, second][index]!, customer, 7n)) done[index]!++
    }
    await Promise.all(Array.from({ length: 16 }, (_, index) => caller(index % 2)))
    assert.strictEqual(done[0]! + done[1]!, 3_000)
    assert.isAbove(done[0]!, 0)
    assert.isAbove(done[1]!, 0)
    assert.strictEqual(await balanceOf(database.url, customer.accountId), 3n)
  })

  it("give a call all it wants, although the other had claimed the whole wallet", async () => {
    const customer = await newCustomer(database.url, 1_000n)
    assert.isTrue(await call(first, customer, 1n))
    const callId = newCallId()
    assert.strictEqual(await second.admit(customer, callId, 1n, 999n), 999n)
    second.ledger.release(customer.accountId, callId)
    assert.strictEqual(await first.admit(customer, newCallId(), 999n), 999n)
  })

  it("keep what open calls hold, and refuse beyond it", async () => {
    const customer = await newCustomer(database.url, 100n)
    const open = newCallId()
    assert.strictEqual(await first.admit(customer, open, 60n), 60n)
    assert.strictEqual(await second.admit(customer, newCallId(), 41n), "Insufficient")
    assert.strictEqual(await second.admit(customer, newCallId(), 1n, 60n), 40n)
    assert.strictEqual(await first.extend(customer.accountId, open, 1n), "Insufficient")
    await first.settle(callRecord(customer, open, 60n))
    assert.strictEqual(await balanceOf(database.url, customer.accountId), 40n)
  })

  it("let a stream on one extend its hold by what the other has", async () => {
    const customer = await newCustomer(database.url, 100n)
    const stream = newCallId()
    assert.strictEqual(await second.admit(customer, stream, 10n), 10n)
    assert.isTrue(await call(first, customer, 50n))
    assert.strictEqual(await second.extend(customer.accountId, stream, 1n, 40n), 40n)
    assert.strictEqual(await second.extend(customer.accountId, stream, 1n, 40n), "Insufficient")
  })

  it("do not wait for each other's locks when they charge the same wallets", async () => {
    const customers: Array<Customer> = []
    // One after another: each takes connections of its own.
    while (customers.length < 40) customers.push(await newCustomer(database.url, 1_000_000n))
    const before = await deadlocks()
    const caller = async (ledger: TestLedger, index: number) => {
      for (let count = 0; count < 40; count++) {
        assert.isTrue(await call(ledger, customers[(index * 7 + count * 13) % customers.length]!, 1n))
      }
    }
    await Promise.all(
      Array.from({ length: 40 }, (_, index) => caller(index % 2 === 0 ? first : second, index))
    )
    assert.strictEqual(await deadlocks(), before)
  })

  it.each([
    ["at one node", () => 0],
    ["spread over both", (call: number) => call % 2],
    ["that change over now and then", (call: number) => Math.floor(call / 25) % 2]
  ])("pass 60 calls a minute of a key, for calls %s", async (_, nodeOf) => {
    const customer = await newCustomer(database.url, 100_000n, 60)
    const answers = []
    const begunMs = performance.now()
    for (let count = 0; count < 100; count++) {
      answers.push(await [first, second][nodeOf(count)]!.admit(customer, newCallId(), 1n))
    }
    const passed = answers.filter((answer) => answer === 1n).length
    assert.isAtLeast(passed, 58)
    // One more passes with each second that it takes.
    assert.isAtMost(passed, 62 + (performance.now() - begunMs) / 1_000)
    assert.strictEqual(answers.filter((answer) => answer === "Limited").length, 100 - passed)
  })

  it("leave nothing with a node that has died", async () => {
    const customer = await newCustomer(database.url, 100n)
    assert.isTrue(await call(second, customer, 10n))
    assert.isTrue(await call(first, customer, 10n))
    proxy.refuses = true
    proxy.cut()
    await second.untilAvailable(false)
    await untilGone()
    assert.isTrue(await call(first, customer, 80n))
    assert.strictEqual(await balanceOf(database.url, customer.accountId), 0n)
  })
})

const deadlocks = () =>
  withSql(database.url, async (sql) => {
    const [row] = await sql<[{ count: bigint }]>`
      select deadlocks as count from pg_stat_database where datname = current_database()`
    return row.count
  })

/** The other node has taken it for gone: its lease has run out. */
const untilGone = () =>
  withSql(database.url, (sql) =>
    until(async () => (await sql`select from nodes where gone_at is not null`).length > 0, 60)
  )
