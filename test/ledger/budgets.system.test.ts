/** Budgets of keys over two nodes: as strict as wallets, whatever is done on both and whatever befalls one. */
import { assert } from "@effect/vitest"
import { afterAll, beforeAll, describe, it } from "vitest"
import { type BudgetPeriod, budgetPeriods, periodEndMs } from "../../src/domain/key-settings.ts"
import { costMax } from "../../src/domain/wallet.ts"
import { Random, seeds } from "../Random.ts"
import { startTestDatabase, type TestDatabase } from "../storage/start-database.ts"
import { withSql } from "../storage/with-sql.ts"
import { until } from "../until.ts"
import { RandomRun } from "./RandomRun.ts"
import { callRecord, type Customer, newCallId } from "./call-record.ts"
import { auditOf, credit, newCustomer, setOnKey, startLedger, type TestLedger } from "./start-ledger.ts"
import { known, spend, spendAroundMidnight } from "./spend-budget.ts"

let database: TestDatabase
let first: TestLedger
let second: TestLedger
beforeAll(async () => {
  database = await startTestDatabase()
  first = await startLedger(database.url)
  second = await startLedger(database.url)
})
afterAll(async () => {
  await first.stop()
  await second.stop()
  await database.stop()
})

const newKey = async (amount: bigint, period: BudgetPeriod = "total"): Promise<Customer> => {
  const customer = await newCustomer(database.url, 1_000_000n)
  await setOnKey(database.url, customer.keyId, { budget: { amount, period } })
  return customer
}

const spentOf = ({ keyId }: Customer) =>
  withSql(database.url, async (sql) => {
    const [row] = await sql<[{ spent: bigint }]>`select key_spent(${keyId}, '-infinity', 'infinity') as spent`
    return row.spent
  })

/** Others take the node for gone, while it serves. */
const declareGone = (ledger: TestLedger, customer: Customer) =>
  withSql(database.url, async (sql) => {
    const gone = await sql`
      update nodes set gone_at = clock_timestamp() where id = (
        select node_id from key_holds where key_id = ${customer.keyId} order by at limit 1) returning id`
    assert.lengthOf(gone, 1)
    assert.isFalse(ledger.ledger.deadline.hasPassed)
  })

describe("the budget of a key", () => {
  it.each(seeds(1))("is never overdrawn, whatever is done on two nodes, seed %i", async (seed) => {
    const run = new RandomRun(database.url, [first, second], new Random(seed))
    await run.openBudgets([500n, 2_000n, 10_000n])
    await run.calls(24, 5)
    for (const { balance, customer, held } of run.truths) {
      assert.strictEqual(held, 0n)
      // Nothing of it is lost either: the rest can be spent to the last.
      assert.strictEqual(await first.admit(customer, newCallId(), balance + 1n), "OverBudget")
      if (balance > 0n) assert.strictEqual(await spend(second, customer, balance), "committed")
      assert.strictEqual(await second.admit(customer, newCallId(), 1n), "OverBudget")
    }
    assert.isAbove(run.counts.admitted, 25)
    assert.deepStrictEqual((await auditOf(database.url)).violations, [])
  })

  it("pays for exactly so many calls of a crowd on both", async () => {
    const customer = await newKey(7n * 100n + 6n)
    const answers = await Promise.all(
      Array.from({ length: 300 }, (_, index) => spend([first, second][index % 2]!, customer, 7n))
    )
    assert.strictEqual(answers.filter((answer) => answer === "committed").length, 100)
    assert.strictEqual(await spentOf(customer), 700n)
  })

  it("is what is left of the wallet at most, and the wallet's refusal holds nothing of it", async () => {
    const customer = await newCustomer(database.url, 50n)
    await setOnKey(database.url, customer.keyId, { budget: { amount: 100n, period: "total" } })
    assert.strictEqual(await first.admit(customer, newCallId(), 60n), "Insufficient")
    assert.strictEqual(await spend(first, customer, 50n), "committed")
    assert.strictEqual(await first.admit(customer, newCallId(), 1n), "Insufficient")
  })

  it("is held as far as the wallet lets a call hold, and no further", async () => {
    const customer = await newCustomer(database.url, 50n)
    await setOnKey(database.url, customer.keyId, { budget: { amount: 100n, period: "total" } })
    const untilHeld = (amount: bigint) =>
      withSql(database.url, (sql) =>
        until(async () => {
          const rows =
            await sql`select from key_holds where key_id = ${customer.keyId} and amount_micro_vnd = ${amount}`
          return rows.length === 1
        })
      )
    const stream = newCallId()
    assert.strictEqual(await first.admit(customer, stream, 10n, 80n), 50n)
    await untilHeld(50n)
    assert.strictEqual(await first.extend(customer.accountId, stream, 10n, 30n), "Insufficient")
    await untilHeld(50n)
    await credit(database.url, customer.accountId, 25n)
    assert.strictEqual(await known(() => first.extend(customer.accountId, stream, 10n, 30n)), 25n)
    await untilHeld(75n)
    assert.strictEqual(await first.settle(callRecord(customer, stream, 60n)), "committed")
    assert.strictEqual(await spend(first, customer, 15n), "committed")
    assert.strictEqual(await spentOf(customer), 75n)
  })

  it("lets a stream extend its hold until it is spent, and takes back what was not", async () => {
    const customer = await newKey(100n)
    const stream = newCallId()
    assert.strictEqual(await first.admit(customer, stream, 10n), 10n)
    assert.strictEqual(await second.admit(customer, newCallId(), 91n), "OverBudget")
    assert.strictEqual(await first.extend(customer.accountId, stream, 1n, 60n), 60n)
    assert.strictEqual(await first.extend(customer.accountId, stream, 1n, 60n), 30n)
    assert.strictEqual(await first.extend(customer.accountId, stream, 1n, 60n), "OverBudget")
    assert.strictEqual(await first.settle(callRecord(customer, stream, 40n)), "committed")
    assert.strictEqual(await spend(second, customer, 60n), "committed")
    assert.strictEqual(await second.admit(customer, newCallId(), 1n), "OverBudget")
  })

  it.each(budgetPeriods.filter((period) => period !== "total"))(
    "of a %s begins anew at midnight in Viet Nam; a call counts where it began",
    async (period) => {
      const customer = await newKey(100n, period)
      await spendAroundMidnight([first, second], [customer, customer], period)
    }
  )

  it("has back what a call held that can not be charged, and one whose thread has ended", async () => {
    const customer = await newKey(100n)
    const [unpaid, left] = [newCallId(), newCallId()]
    assert.strictEqual(await first.admit(customer, unpaid, 60n), 60n)
    assert.strictEqual(await first.admit(customer, left, 40n), 40n)
    assert.strictEqual(await first.settle(callRecord(customer, unpaid, costMax + 1n)), "unpaid")
    first.ledger.release(customer.accountId, left)
    await until(async () => (await spend(second, customer, 100n)) === "committed")
  })

  it("has the same periods in the program and in the database", async () => {
    const random = new Random(5)
    await withSql(database.url, async (sql) => {
      for (let count = 0; count < 50; count++) {
        const period = random.pick(["day", "week", "month"] as const)
        const atMs = Date.UTC(2026, 0, 1) + random.below(3 * 365 * 86_400) * 1_000
        const [row] = await sql<[{ ends: Date; starts: Date }]>`
          select budget_ends_at(${period}, ${new Date(atMs)}) as ends, budget_starts_at(${period}, ${new Date(atMs)}) as starts`
        assert.strictEqual(row.ends.getTime(), periodEndMs(period, atMs))
        assert.isTrue(row.starts.getTime() <= atMs)
        assert.strictEqual(periodEndMs(period, row.starts.getTime() - 1), row.starts.getTime())
      }
    })
  })

  it("counts what was spent before it was set, and a change counts from the very next call", async () => {
    const customer = await newCustomer(database.url, 1_000n)
    assert.strictEqual(await spend(first, customer, 60n), "committed")
    await setOnKey(database.url, customer.keyId, { budget: { amount: 100n, period: "month" } })
    assert.strictEqual(await spend(second, customer, 41n), "OverBudget")
    await setOnKey(database.url, customer.keyId, { budget: { amount: 101n, period: "month" } })
    assert.strictEqual(await spend(second, customer, 41n), "committed")
    await setOnKey(database.url, customer.keyId, { budget: null })
    assert.strictEqual(await spend(first, customer, 500n), "committed")
  })
})

describe("a node that others took for gone", () => {
  it("is not paid out of a budget what others have spent of it meanwhile", async () => {
    const customer = await newKey(100n)
    const under = newCallId()
    assert.strictEqual(await known(() => first.admit(customer, under, 60n)), 60n)
    await declareGone(first, customer)
    assert.strictEqual(await spend(second, customer, 100n), "committed")
    await first.untilAvailable(false)
    await first.untilAvailable()
    assert.strictEqual(await known(() => first.extend(customer.accountId, under, 1n)), "OverBudget")
    assert.strictEqual(await first.settle(callRecord(customer, under, 60n)), "unpaid")
    assert.strictEqual(await spentOf(customer), 100n)
  })

  it("claims what its calls hold before anything else", async () => {
    const customer = await newKey(100n)
    const under = newCallId()
    assert.strictEqual(await known(() => first.admit(customer, under, 60n)), 60n)
    await declareGone(first, customer)
    await first.untilAvailable(false)
    await first.untilAvailable()
    const other = await newCustomer(database.url, 1n)
    assert.strictEqual(await known(() => spend(first, other, 1n)), "committed")
    assert.strictEqual(await second.admit(customer, newCallId(), 41n), "OverBudget")
    assert.strictEqual(await first.settle(callRecord(customer, under, 60n)), "committed")
    assert.strictEqual(await spend(second, customer, 40n), "committed")
  })

  it("leaves nothing held when it never comes back", async () => {
    const customer = await newKey(100n)
    const third = await startLedger(database.url)
    assert.strictEqual(await third.admit(customer, newCallId(), 100n), 100n)
    assert.strictEqual(await known(() => first.admit(customer, newCallId(), 1n)), "OverBudget")
    await third.stop()
    assert.strictEqual(await spend(first, customer, 100n), "committed")
  })
})
