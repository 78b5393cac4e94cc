/** Whatever is asked of the call log, its pages together are the calls that match, in order, each once. */
import { assert, describe, it } from "@effect/vitest"
import { afterAll, beforeAll } from "vitest"
import type { CallRecord } from "../../src/domain/call.ts"
import { type AccountId, KeyId, makeCallId } from "../../src/domain/ids.ts"
import { type CallFilter, readCallPage } from "../../src/storage/calls/CallStore.ts"
import type { Sql } from "../../src/storage/Database.ts"
import type { CallCursor } from "../../src/storage/calls/find-hours.ts"
import { callOf } from "../accounts/write-calls.ts"
import { newCustomer } from "../ledger/start-ledger.ts"
import { Random, seeds } from "../Random.ts"
import { makePastMonths, middleOf } from "./past-months.ts"
import { startTestDatabase, type TestDatabase } from "./start-database.ts"
import { openSql } from "./with-sql.ts"
import { commitUnclaimed } from "./write-as-node.ts"

let database: TestDatabase
let sql: ReturnType<typeof openSql>
let accountId: AccountId
beforeAll(async () => {
  database = await startTestDatabase()
  sql = openSql(database.url)
  accountId = (await newCustomer(database.url, 10n ** 12n)).accountId
  await makePastMonths(sql, 3)
})
afterAll(async () => {
  await sql.end()
  await database.stop()
})

const hourMs = 3_600_000
const keys = ["key_often", "key_seldom", "key_never"].map((id) => KeyId.make(id))
const models = ["a", "b"]

/** Hours with many calls, hours with one, and hours with none, in two months; some calls share a moment. */
const drawCalls = (random: Random): ReadonlyArray<CallRecord> =>
  [0, 1, 2, 5, 6, 30, 400, 401, 900].flatMap((hour) =>
    Array.from({ length: random.pick([1, 3, 25]) }, () => {
      const atMs = middleOf(2) + hour * hourMs + random.below(40) * 90_000
      const failed = random.chance(0.3)
      return callOf(accountId, 0, {
        callId: makeCallId(atMs),
        atMs,
        keyId: keys[random.chance(0.8) ? 0 : 1]!,
        model: random.pick(models),
        ...(failed && { status: 502, cost: 0n })
      })
    })
  )

const drawFilter = (random: Random): CallFilter => {
  const [from, to] = [random.below(500), 300 + random.below(700)]
  return {
    accountId,
    ...(random.chance(0.6) && { keyId: random.pick(keys) }),
    ...(random.chance(0.4) && { model: random.pick(models) }),
    ...(random.chance(0.4) && { outcome: "failed" as const }),
    ...(random.chance(0.4) && { from: new Date(middleOf(2) + from * hourMs + random.below(hourMs)) }),
    ...(random.chance(0.4) && { to: new Date(middleOf(2) + to * hourMs + random.below(hourMs)) })
  }
}

const matches = (call: CallRecord, { from, keyId, model, outcome, to }: CallFilter): boolean =>
  (keyId === undefined || call.keyId === keyId) &&
  (model === undefined || call.model === model) &&
  (outcome !== "failed" || call.status >= 400) &&
  (from === undefined || call.atMs >= from.getTime()) &&
  (to === undefined || call.atMs < to.getTime())

const readAll = async (filter: CallFilter, order: "oldest first" | "newest first", limit: number) => {
  const ids: Array<string> = []
  for (let after: CallCursor | undefined; ;) {
    const page = await readCallPage(sql as unknown as Sql, filter, { order, after, limit })
    ids.push(...page.calls.map(({ callId }) => callId))
    assert.isAtMost(page.calls.length, limit)
    if (page.next === undefined) return ids
    after = page.next
  }
}

describe("pages of the call log", () => {
  it.each(seeds(3))("are the calls that match, in order, seed %i", async (seed) => {
    const random = new Random(seed)
    await sql`truncate calls, usage_hours`
    const calls = drawCalls(random)
    await commitUnclaimed(sql, calls)
    const inOrder = calls.toSorted((a, b) => a.atMs - b.atMs || (a.callId < b.callId ? -1 : 1))
    for (let turn = 0; turn < 40; turn++) {
      const filter = drawFilter(random)
      const expected = inOrder.filter((call) => matches(call, filter)).map(({ callId }) => callId)
      const limit = random.pick([1, 2, 7, 50])
      assert.deepStrictEqual(await readAll(filter, "oldest first", limit), expected)
      assert.deepStrictEqual(await readAll(filter, "newest first", limit), expected.toReversed())
    }
  })

  it("find a call by its id within its account alone, and none by what is no id", async () => {
    await sql`truncate calls, usage_hours`
    const calls = drawCalls(new Random(1))
    await commitUnclaimed(sql, calls)
    const other = await newCustomer(database.url, 1n)
    const find = (callId: string, more: Partial<CallFilter> = {}) =>
      readAll({ accountId, callId, ...more }, "newest first", 50)
    for (const { callId } of calls.slice(0, 5)) {
      assert.deepStrictEqual(await find(callId), [callId])
      assert.deepStrictEqual(await find(callId, { accountId: other.accountId }), [])
    }
    const { callId, keyId } = calls[0]!
    assert.deepStrictEqual(await find(callId, { keyId }), [callId])
    assert.deepStrictEqual(await find(callId, { keyId: "key_never" }), [])
    for (const id of ["", "req_", callId.slice(0, -1), "'", "\u0000"])
      assert.deepStrictEqual(await find(id), [])
  })
})
