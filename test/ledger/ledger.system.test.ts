import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { afterAll, beforeAll, describe, it } from "vitest"
import { nodesBehind } from "../../src/storage/NodeStore.ts"
import { startTestDatabase, type TestDatabase } from "../storage/start-database.ts"
import { withSql } from "../storage/with-sql.ts"
import type { CallId } from "../../src/domain/ids.ts"
import { startThread } from "./ThreadLedger.ts"
import { Random, seeds } from "../Random.ts"
import { RandomRun } from "./RandomRun.ts"
import { callRecord, newCallId } from "./call-record.ts"
import {
  auditOf,
  balanceOf,
  credit,
  newCustomer,
  revoke,
  setPrice,
  startLedger,
  type TestLedger
} from "./start-ledger.ts"
import { delay } from "../delay.ts"
import { until } from "../until.ts"

let database: TestDatabase
let ledger: TestLedger
beforeAll(async () => {
  database = await startTestDatabase()
  ledger = await startLedger(database.url)
})
afterAll(async () => {
  await ledger.stop()
  await database.stop()
})

const minutesLater = () => performance.now() + 365 * 24 * 3_600_000

/** What must hold once nothing is under way. */
const verify = async (run: RandomRun) => {
  const report = await auditOf(database.url)
  assert.deepStrictEqual(report.violations, [])
  for (const { balance, customer, held } of run.truths) {
    assert.strictEqual(held, 0n)
    assert.strictEqual(ledger.ledger.wallets.heldBy(customer.accountId), 0n)
    assert.strictEqual(await balanceOf(database.url, customer.accountId), balance)
  }
  const calls = await withSql(
    database.url,
    (sql) => sql<Array<{ id: string; cost: bigint }>>`
      select id, cost_micro_vnd as cost from calls
      where cost_micro_vnd > 0 and account_id in ${sql(run.truths.map(({ customer }) => customer.accountId))}`
  )
  assert.deepStrictEqual(
    new Map(calls.map(({ cost, id }) => [id, cost])),
    new Map<string, bigint>(run.charged)
  )
}

describe("the ledger", () => {
  it.each(seeds(3))("keeps exact books whatever callers do at once, seed %i", async (seed) => {
    const random = new Random(seed)
    const threads = [await startThread(ledger), await startThread(ledger)]
    const run = new RandomRun(database.url, [ledger, ...threads], random)
    await run.openWallets([0n, 500n, 2_000n, 20_000n, 60_000n])
    const running = { calls: true }
    const disturb = async () => {
      while (running.calls) {
        await random.pick([
          () => run.creditNow(),
          // An idle stop, and a reload, in the middle of it all.
          () => ledger.ledger.putAwayIdle(minutesLater()),
          () => run.truths.forEach(({ customer }) => ledger.ledger.walletChanged(customer.accountId)),
          () => ledger.ledger.wallets.takeBackAll(),
          () => delay(random.below(20))
        ])()
      }
    }
    const disturbed = disturb()
    await run.calls(30, 40).finally(() => (running.calls = false))
    await disturbed
    // What they have said last arrives in the order in which it was said.
    for (const thread of threads)
      await thread.settle(callRecord(await newCustomer(database.url, 0n), newCallId(), 0n))
    assert.isAbove(
      threads.reduce((sum, { heldByItself }) => sum + heldByItself, 0),
      50
    )
    for (const thread of threads) thread.link.dispose()
    await verify(run)
    assert.isAbove(run.counts.admitted, 50)
    assert.isAbove(run.counts.refused, 50)
  })

  it("lets 200 callers at once spend all of a wallet that can pay for 50 of them, and not more", async () => {
    const customer = await newCustomer(database.url, 50n * 70n)
    const answers = await Promise.all(
      Array.from({ length: 200 }, async () => {
        const callId = newCallId()
        const answer = await ledger.admit(customer, callId, 70n)
        if (typeof answer === "bigint") await ledger.settle(callRecord(customer, callId, 70n))
        return answer
      })
    )
    assert.strictEqual(answers.filter((answer) => answer === 70n).length, 50)
    assert.strictEqual(answers.filter((answer) => answer === "Insufficient").length, 150)
    assert.strictEqual(await balanceOf(database.url, customer.accountId), 0n)
  })

  it("refuses a call that wants more than any number can say, and serves others meanwhile", async () => {
    const [greedy, modest] = [await newCustomer(database.url, 100n), await newCustomer(database.url, 100n)]
    const answers = await Promise.all([
      ledger.admit(greedy, newCallId(), 10n ** 23n),
      ledger.admit(modest, newCallId(), 10n)
    ])
    assert.deepStrictEqual(answers, ["Insufficient", 10n])
    assert.isTrue(ledger.journal.state.available)
    assert.strictEqual(await ledger.admit(greedy, newCallId(), 100n), 100n)
  })

  it("charges a call once however often it is settled, also by another node", async () => {
    const customer = await newCustomer(database.url, 100n)
    const callId = newCallId()
    assert.strictEqual(await ledger.admit(customer, callId, 10n), 10n)
    const record = callRecord(customer, callId, 7n)
    await Promise.all([ledger.settle(record), ledger.settle(record)])
    await ledger.settle(record)
    const other = await startLedger(database.url)
    await new Promise<void>((resolve) => other.journal.append(record, () => resolve()))
    await other.stop()
    assert.strictEqual(await balanceOf(database.url, customer.accountId), 93n)
    assert.deepStrictEqual((await auditOf(database.url)).violations, [])
  })

  it("tells before a call whether its wallet has anything left, and holds nothing for that", async () => {
    const customer = await newCustomer(database.url, 100n)
    const { accountId } = customer
    const check = async (callId: CallId | undefined) =>
      (await Effect.runPromise(ledger.ledger.checkUnsafe(customer, callId)))._tag
    assert.strictEqual(await check(newCallId()), "Admitted")
    assert.strictEqual(ledger.ledger.wallets.heldBy(accountId), 0n)
    const callId = newCallId()
    assert.strictEqual(await ledger.admit(customer, callId, 100n), 100n)
    assert.strictEqual(await check(newCallId()), "Insufficient")
    assert.strictEqual(await check(undefined), "Admitted", "what is free needs no money")
    ledger.ledger.release(accountId, callId)
    assert.strictEqual(await check(newCallId()), "Admitted")
    const last = newCallId()
    await ledger.admit(customer, last, 100n)
    await ledger.settle(callRecord(customer, last, 100n))
    assert.strictEqual(await check(newCallId()), "Insufficient")
    await credit(database.url, accountId, 1n)
    assert.strictEqual(await check(newCallId()), "Admitted", "a top-up counts at once")
    await revoke(database.url, customer.keyId)
    assert.strictEqual(await check(newCallId()), "Revoked")
    assert.strictEqual(await check(undefined), "Revoked")
  })

  it("answers a repeated admission with what the call already holds", async () => {
    const customer = await newCustomer(database.url, 100n)
    const callId = newCallId()
    assert.strictEqual(await ledger.admit(customer, callId, 10n, 60n), 60n)
    assert.strictEqual(await ledger.admit(customer, callId, 10n, 60n), 60n)
    assert.strictEqual(ledger.ledger.wallets.heldBy(customer.accountId), 60n)
    ledger.ledger.release(customer.accountId, callId)
  })

  it("charges in full what costs more than its hold, and counts what the wallet did not have", async () => {
    const customer = await newCustomer(database.url, 100n)
    const callId = newCallId()
    const before = ledger.ledger.wallets.overdraft
    assert.strictEqual(await ledger.admit(customer, callId, 100n), 100n)
    await ledger.settle(callRecord(customer, callId, 130n))
    assert.strictEqual(await balanceOf(database.url, customer.accountId), -30n)
    assert.strictEqual(ledger.ledger.wallets.overdraft - before, 30n)
    assert.strictEqual(await ledger.admit(customer, newCallId(), 1n), "Insufficient")
    await credit(database.url, customer.accountId, 31n)
    assert.strictEqual(await ledger.admit(customer, newCallId(), 1n), 1n)
  })

  it("admits no call of a key once its revocation has returned, and charges those under way", async () => {
    const customer = await newCustomer(database.url, 1_000n)
    const under = newCallId()
    assert.strictEqual(await ledger.admit(customer, under, 10n), 10n)
    const done = { revoking: false }
    const revoking = revoke(database.url, customer.keyId).then(() => (done.revoking = true))
    const late: Array<unknown> = []
    while (!done.revoking) {
      const callId = newCallId()
      await ledger.admit(customer, callId, 1n)
      ledger.ledger.release(customer.accountId, callId)
      await new Promise((resolve) => setImmediate(resolve))
    }
    await revoking
    for (let count = 0; count < 20; count++) late.push(await ledger.admit(customer, newCallId(), 1n))
    assert.deepStrictEqual(new Set(late), new Set(["Revoked"]))
    await ledger.settle(callRecord(customer, under, 10n))
    assert.strictEqual(await balanceOf(database.url, customer.accountId), 990n)
  })

  it("confirms changed models once every thread works with them, though one gives no answer at first", async () => {
    let areAllTold = false
    const asked: Array<unknown> = []
    ledger.events!.onChanges(
      Effect.sync(() => {
        asked.push(areAllTold)
        return areAllTold
      })
    )
    const changed = await setPrice(database.url, "gpt-5.5", 2_000)
    await until(() => asked.length >= 1)
    await setPrice(database.url, "gpt-5.5", 3_000)
    await until(() => asked.length >= 2)
    const behind = () => withSql(database.url, (sql) => nodesBehind(sql, changed))
    assert.lengthOf(await behind(), 1)
    areAllTold = true
    const { keyId } = await newCustomer(database.url, 1_000n)
    await revoke(database.url, keyId)
    assert.lengthOf(await behind(), 0)
  })
})
