/** Budgets of members over two nodes: one for all keys that a member has made, as strict as a key's own. */
import { assert } from "@effect/vitest"
import { afterAll, beforeAll, describe, it } from "vitest"
import { type Budget, type BudgetPeriod, budgetPeriods, periodEndMs } from "../../src/domain/key-settings.ts"
import { type AccountId, type CallId, makeCallId } from "../../src/domain/ids.ts"
import { readMemberBudgets } from "../../src/storage/keys/MemberBudgetStore.ts"
import { Random, seeds } from "../Random.ts"
import { startTestDatabase, type TestDatabase } from "../storage/start-database.ts"
import { withSql } from "../storage/with-sql.ts"
import { until } from "../until.ts"
import { RandomRun } from "./RandomRun.ts"
import { callRecord, type Customer, newCallId } from "./call-record.ts"
import {
  auditOf,
  newKeyOf,
  newMember,
  revoke,
  rotate,
  setOnKey,
  setOnMember,
  startLedger,
  type TestLedger
} from "./start-ledger.ts"
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

const total = (amount: bigint): Budget => ({ amount, period: "total" })

/** Keys of one member, who may spend so much with all of them. */
const newKeys = async (count: number, budget: Budget, credit?: bigint): Promise<ReadonlyArray<Customer>> => {
  const keys = await newMember(database.url, count, credit)
  await setOnMember(database.url, keys[0]!.accountId, budget)
  return keys
}

const newPair = async (amount: bigint, period: BudgetPeriod = "total"): Promise<[Customer, Customer]> => {
  const [one, other] = await newKeys(2, { amount, period })
  return [one!, other!]
}

const inOrder = ([one, other]: [Customer, Customer]): [Customer, Customer] =>
  one.keyId < other.keyId ? [one, other] : [other, one]

const useOf = (accountId: AccountId) =>
  withSql(database.url, async (sql) => {
    const [budget] = await readMemberBudgets(sql, accountId, accountId)
    return [budget?.spent, budget?.held]
  })

/** Others take the node for gone, while it serves. */
const declareGone = async (customer: Customer) => {
  const gone = await withSql(
    database.url,
    (sql) => sql`
      update nodes set gone_at = clock_timestamp() where id = (
        select node_id from key_holds where key_id = ${customer.keyId} order by at limit 1) returning id`
  )
  assert.lengthOf(gone, 1)
}

describe("the budget of a member", () => {
  it.each(seeds(1))("is never overdrawn by their keys on two nodes, seed %i", async (seed) => {
    const run = new RandomRun(database.url, [first, second], new Random(seed))
    await run.openMembers([500n, 2_000n, 10_000n])
    await run.calls(24, 5)
    for (const { balance, held, keys } of run.truths) {
      assert.strictEqual(held, 0n)
      const [one, other, third] = keys
      // Nothing of it is lost either: the rest can be spent to the last.
      assert.strictEqual(await first.admit(one!, newCallId(), balance + 1n), "OverBudget")
      if (balance > 0n) assert.strictEqual(await spend(second, other!, balance), "committed")
      assert.strictEqual(await second.admit(third!, newCallId(), 1n), "OverBudget")
    }
    assert.isAbove(run.counts.admitted, 25)
    assert.deepStrictEqual((await auditOf(database.url)).violations, [])
  })

  it("pays for exactly so many calls of a crowd with three keys on both", async () => {
    const keys = await newKeys(3, total(7n * 100n + 6n))
    const answers = await Promise.all(
      Array.from({ length: 300 }, (_, index) => spend([first, second][index % 2]!, keys[index % 3]!, 7n))
    )
    assert.strictEqual(answers.filter((answer) => answer === "committed").length, 100)
    assert.deepStrictEqual(await useOf(keys[0]!.accountId), [700n, 0n])
  })

  it("lets a stream of one key extend its hold until it is spent, and takes back what was not", async () => {
    const [one, other] = await newPair(100n)
    const stream = newCallId()
    assert.strictEqual(await first.admit(one, stream, 10n), 10n)
    assert.strictEqual(await second.admit(other, newCallId(), 91n), "OverBudget")
    assert.strictEqual(await first.extend(one.accountId, stream, 1n, 60n), 60n)
    assert.strictEqual(await first.extend(one.accountId, stream, 1n, 60n), 30n)
    assert.strictEqual(await first.extend(one.accountId, stream, 1n, 60n), "OverBudget")
    assert.strictEqual(await second.admit(other, newCallId(), 1n), "OverBudget")
    assert.strictEqual(await first.settle(callRecord(one, stream, 40n)), "committed")
    assert.strictEqual(await spend(second, other, 60n), "committed")
    assert.strictEqual(await second.admit(one, newCallId(), 1n), "OverBudget")
  })

  it("and a key's own are both kept, and the answer says which is spent", async () => {
    const [one, other] = await newPair(100n, "day")
    await setOnKey(database.url, one.keyId, { budget: total(60n) })
    const ask = (customer: Customer, minimum: bigint) =>
      first.answerOf({ ...customer, callId: newCallId(), minimum, wanted: minimum })
    assert.deepStrictEqual(await ask(one, 61n), { _tag: "OverBudget", of: "key", resetsAtMs: undefined })
    const resetsAtMs = periodEndMs("day", Date.now())
    assert.deepStrictEqual(await ask(other, 101n), { _tag: "OverBudget", of: "member", resetsAtMs })
    assert.strictEqual(await spend(second, other, 70n), "committed")
    assert.deepStrictEqual(await ask(one, 31n), { _tag: "OverBudget", of: "member", resetsAtMs })
    assert.strictEqual(await spend(first, one, 30n), "committed")
    assert.deepStrictEqual(await useOf(one.accountId), [100n, 0n])
  })

  it.each(budgetPeriods.filter((period) => period !== "total"))(
    "of a %s begins anew at midnight in Viet Nam for all their keys; a call counts where it began",
    async (period) => {
      await spendAroundMidnight([first, second], await newPair(100n, period), period)
    }
  )

  it("with a key's own of another period keeps each call in the periods in which it began", async () => {
    const midnight = periodEndMs("day", Date.now())!
    const at = (ms: number): CallId => makeCallId(midnight + ms)
    // One statement goes key by key.
    const [one, other] = inOrder(await newPair(110n, "day"))
    await setOnKey(database.url, one.keyId, { budget: total(125n) })
    for (const key of [one, other]) assert.strictEqual(await spend(first, key, 5n, at(-9)), "committed")
    // What both ask together is asked in one statement: of two days, and of two budgets.
    const answers = await Promise.all([
      first.admit(one, at(-4), 50n),
      first.admit(one, at(1), 50n),
      first.admit(other, at(-3), 50n),
      first.admit(one, at(2), 21n),
      first.admit(other, at(-2), 1n)
    ])
    assert.deepStrictEqual(answers, [50n, 50n, 50n, "OverBudget", "OverBudget"])
    assert.strictEqual(await second.admit(other, at(3), 50n), 50n)
    assert.strictEqual(await second.admit(other, at(4), 11n), "OverBudget")
  })

  it("counts what was spent before it was set, and a change counts from the very next call", async () => {
    const [one, other] = await newPair(1_000n)
    const { accountId } = one
    await setOnMember(database.url, accountId, null)
    assert.strictEqual(await spend(first, one, 60n), "committed")
    assert.strictEqual(await spend(second, other, 60n), "committed")
    await setOnMember(database.url, accountId, { amount: 160n, period: "month" })
    assert.strictEqual(await spend(second, one, 41n), "OverBudget")
    assert.strictEqual(await spend(first, other, 41n), "OverBudget")
    await setOnMember(database.url, accountId, { amount: 161n, period: "month" })
    assert.strictEqual(await spend(second, one, 41n), "committed")
    assert.strictEqual(await spend(first, other, 1n), "OverBudget")
    await setOnMember(database.url, accountId, null)
    assert.strictEqual(await spend(first, other, 500n), "committed")
  })

  it("goes on over rotation, a key that is revoked and one that is new", async () => {
    const [one, other] = await newPair(100n)
    assert.strictEqual(await spend(first, one, 40n), "committed")
    await rotate(database.url, one.keyId)
    const rotated = { ...one, secret: 1 }
    assert.strictEqual(await spend(second, one, 1n), "Revoked")
    assert.strictEqual(await spend(second, rotated, 61n), "OverBudget")
    const underWay = newCallId()
    assert.strictEqual(await first.admit(rotated, underWay, 20n), 20n)
    await revoke(database.url, one.keyId)
    const third = await newKeyOf(database.url, one.accountId)
    assert.strictEqual(await spend(first, third, 41n), "OverBudget")
    assert.strictEqual(await spend(second, other, 41n), "OverBudget")
    assert.strictEqual(await first.settle(callRecord(rotated, underWay, 15n)), "committed")
    assert.strictEqual(await spend(second, third, 45n), "committed")
    assert.strictEqual(await spend(first, other, 1n), "OverBudget")
  })

  it("is the same however many keys they have made and revoked, of which some had calls", async () => {
    const [one, other] = await newPair(200n)
    const { accountId } = one
    assert.strictEqual(await spend(first, one, 40n), "committed")
    const underWay = newCallId()
    assert.strictEqual(await first.admit(one, underWay, 30n), 30n)
    const before = await useOf(accountId)
    assert.deepStrictEqual(before, [40n, 30n])
    await withSql(
      database.url,
      (sql) => sql`
        insert into keys (id, account_id, made_by, name, status, secret_hash, hint, revoked_at)
        select ${accountId} || '_' || i, ${accountId}, ${accountId}, 'test', 'revoked', sha256((${accountId} || i)::bytea), '', now()
        from generate_series(1, 200) i`
    )
    assert.deepStrictEqual(await useOf(accountId), before)
    await revoke(database.url, one.keyId)
    assert.strictEqual(await spend(second, other, 131n), "OverBudget")
    assert.strictEqual(await first.settle(callRecord(one, underWay, 20n)), "committed")
    assert.strictEqual(await spend(second, other, 140n), "committed")
    assert.deepStrictEqual(await useOf(accountId), [200n, 0n])
    await setOnMember(database.url, accountId, { amount: 210n, period: "day" })
    assert.strictEqual(await spend(second, other, 11n), "OverBudget")
    assert.strictEqual(await spend(first, other, 10n), "committed")
  })

  it("concerns no key that somebody else has made", async () => {
    const [one] = await newPair(10n)
    await withSql(database.url, (sql) => sql`update keys set made_by = null where id = ${one.keyId}`)
    assert.strictEqual(await spend(first, one, 500n), "committed")
    assert.deepStrictEqual(await useOf(one.accountId), [0n, 0n])
  })

  it("is what is left of the wallet at most, and the wallet's refusal holds nothing of it", async () => {
    const [one, other] = await newKeys(2, total(100n), 50n)
    assert.strictEqual(await first.admit(one!, newCallId(), 60n), "Insufficient")
    assert.strictEqual(await spend(first, other!, 50n), "committed")
    assert.strictEqual(await first.admit(one!, newCallId(), 1n), "Insufficient")
    // The database is told right behind the refusal.
    await until(async () => (await useOf(one!.accountId))[1] === 0n)
    assert.deepStrictEqual(await useOf(one!.accountId), [50n, 0n])
  })
})

describe("a node that others took for gone", () => {
  it("is not paid out of a member's budget what their other key has spent of it meanwhile", async () => {
    const [one, other] = await newPair(100n)
    const under = newCallId()
    assert.strictEqual(await known(() => first.admit(one, under, 60n)), 60n)
    await declareGone(one)
    assert.strictEqual(await spend(second, other, 100n), "committed")
    await first.untilAvailable(false)
    await first.untilAvailable()
    assert.strictEqual(await known(() => first.extend(one.accountId, under, 1n)), "OverBudget")
    assert.strictEqual(await first.settle(callRecord(one, under, 60n)), "unpaid")
    assert.deepStrictEqual(await useOf(one.accountId), [100n, 0n])
  })

  it("leaves nothing held when it never comes back", async () => {
    const [one, other] = await newPair(100n)
    const third = await startLedger(database.url)
    assert.strictEqual(await third.admit(one, newCallId(), 100n), 100n)
    assert.strictEqual(await known(() => first.admit(other, newCallId(), 1n)), "OverBudget")
    await third.stop()
    assert.strictEqual(await spend(first, other, 100n), "committed")
  })
})
