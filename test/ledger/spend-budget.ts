/** Steps that tests of budgets share, whosever the budget is. */
import { assert } from "@effect/vitest"
import { type CallId, makeCallId } from "../../src/domain/ids.ts"
import { type BudgetPeriod, periodEndMs } from "../../src/domain/key-settings.ts"
import { callRecord, type Customer, newCallId } from "./call-record.ts"
import type { TestLedger } from "./start-ledger.ts"
import { until } from "../until.ts"

export const spend = async (ledger: TestLedger, customer: Customer, cost: bigint, callId = newCallId()) => {
  const answer = await ledger.admit(customer, callId, cost)
  return typeof answer === "bigint" ? await ledger.settle(callRecord(customer, callId, cost)) : answer
}

/** A node that has just become another one may not know yet. */
export const known = async <A>(ask: () => Promise<A>): Promise<A> =>
  (
    await until(async () => {
      const answer = await ask()
      return answer !== "Unavailable" && { answer }
    })
  ).answer

/** Calls on both nodes, by keys that share 100 µVND in each period: each counts in that in which it began. */
export const spendAroundMidnight = async (
  [first, second]: readonly [TestLedger, TestLedger],
  [one, other]: readonly [Customer, Customer],
  period: BudgetPeriod
): Promise<void> => {
  const midnight = periodEndMs(period, Date.now())!
  const at = (ms: number): CallId => makeCallId(midnight + ms)
  const [before, after] = [at(-1), at(0)]
  assert.strictEqual(await first.admit(one, before, 80n), 80n)
  assert.strictEqual(await second.admit(other, at(-2), 21n), "OverBudget")
  assert.strictEqual(await second.admit(other, after, 70n), 70n)
  // Both are still under way after midnight.
  assert.strictEqual(await first.extend(one.accountId, before, 1n, 50n), 20n)
  assert.strictEqual(await second.extend(other.accountId, after, 1n, 50n), 30n)
  await first.settle(callRecord(one, before, 90n))
  await second.settle(callRecord(other, after, 60n))
  assert.strictEqual(await spend(first, one, 41n, at(5)), "OverBudget")
  assert.strictEqual(await spend(first, one, 40n, at(5)), "committed")
  assert.strictEqual(await spend(second, other, 10n, at(-5)), "committed")
}
