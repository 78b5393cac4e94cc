/** What was used is the sum of the calls to the last one, whatever of it is summed by days, by hours, late, or gone. */
import { assert, describe, it } from "@effect/vitest"
import { afterEach, beforeEach } from "vitest"
import type { CallRecord } from "../../../src/domain/call.ts"
import { KeyId, makeCallId } from "../../../src/domain/ids.ts"
import { startOfDay } from "../../../src/domain/vietnam-days.ts"
import { migrateDatabase } from "../migrate-database.ts"
import { countDropped, reportUsage, type UsageFilter } from "../../../src/storage/calls/UsageStore.ts"
import { callOf } from "../../accounts/write-calls.ts"
import { newCustomer } from "../../ledger/start-ledger.ts"
import { Random, seeds } from "../../Random.ts"
import { withMigrationsUpTo } from "../former-books.ts"
import { makePastMonths, middleOf } from "../past-months.ts"
import { startTestDatabase } from "../start-database.ts"
import { startMonths, TestMonths } from "../start-months.ts"
import { openSql } from "../with-sql.ts"
import { commitUnclaimed } from "../write-as-node.ts"

const [hourMs, dayMs] = [3_600_000, 86_400_000]
const [keys, models] = [[0, 1, 2].map((key) => `key_${key}`), ["claude-opus-5", "gpt-6.1-sol"]]
const beginMs = () => middleOf(4)
/** Migrations without whose types, functions and tables no call can be written and no month go. */
const whatCallsLiveBy = [59, 61, 75, 81]

/** From four months ago until now, some on the edges of days. */
const callsFor = ({ accountId }: TestMonths, random: Random, count: number): ReadonlyArray<CallRecord> =>
  Array.from({ length: count }, () => {
    const anyMs = beginMs() + random.below(Date.now() - beginMs())
    const atMs = random.chance(0.2) ? startOfDay(anyMs) - (random.chance(0.5) ? 1 : 0) : anyMs
    const failed = random.chance(0.2)
    const inputTokens = random.below(900)
    return callOf(accountId, 0, {
      callId: makeCallId(atMs),
      atMs,
      keyId: KeyId.make(random.pick(keys)),
      model: random.pick(models),
      status: failed ? 502 : 200,
      inputTokens,
      outputTokens: 3,
      cost: failed ? 0n : 6_500n * BigInt(inputTokens + 3),
      latencyMs: random.below(5_000)
    })
  })

const hourOf = ({ atMs }: CallRecord) => Math.floor(atMs / hourMs) * hourMs

const matching = (calls: ReadonlyArray<CallRecord>, { from, keyId, model, to }: UsageFilter) =>
  calls.filter(
    (call) =>
      hourOf(call) >= from.getTime() &&
      hourOf(call) < to.getTime() &&
      (keyId === undefined || call.keyId === keyId) &&
      (model === undefined || call.model === model)
  )

const sumOf = (calls: ReadonlyArray<CallRecord>) => ({
  calls: calls.length,
  failedCalls: calls.filter(({ status }) => status >= 400).length,
  inputTokens: calls.reduce((sum, call) => sum + call.inputTokens, 0),
  outputTokens: calls.reduce((sum, call) => sum + call.outputTokens, 0),
  cost: calls.reduce((sum, call) => sum + call.cost, 0n),
  latencyMs: calls.reduce((sum, call) => sum + call.latencyMs, 0)
})

const moment = (random: Random) => {
  const anyMs = beginMs() - 3 * dayMs + random.below(Date.now() + 6 * dayMs - beginMs())
  return random.pick([anyMs, Math.floor(anyMs / hourMs) * hourMs, startOfDay(anyMs)])
}

/** Any period by days, and a short one by hours. */
const check = async (months: TestMonths, random: Random, calls: ReadonlyArray<CallRecord>) => {
  for (let round = 0; round < 12; round++) {
    const [one, other] = [moment(random), round % 4 === 0 ? undefined : moment(random)]
    const [fromMs, toMs] = [one, other ?? one + random.below(3 * dayMs)].toSorted((a, b) => a - b)
    const filter: UsageFilter = {
      accountId: months.accountId,
      from: new Date(fromMs!),
      to: new Date(toMs!),
      ...(random.chance(0.3) && { keyId: random.pick(keys) }),
      ...(random.chance(0.3) && { model: random.pick(models) })
    }
    const own = matching(calls, filter)
    for (const [bucket, startOf] of [
      ["day", (call: CallRecord) => startOfDay(call.atMs)],
      ["hour", hourOf]
    ] as const) {
      const { byKey, byModel, series, stacked, total } = await reportUsage(
        months.sql,
        filter,
        bucket,
        "model"
      )
      assert.deepStrictEqual(total, sumOf(own))
      const starts = [...Map.groupBy(own, startOf)].toSorted(([a], [b]) => a - b)
      assert.deepStrictEqual(
        series,
        starts.map(([startMs, of]) => Object.assign(sumOf(of), { startMs }))
      )
      assert.sameDeepMembers(
        byKey.map(({ keyName: _, ...sum }) => sum),
        [...Map.groupBy(own, ({ keyId }) => keyId)].map(([keyId, of]) => Object.assign(sumOf(of), { keyId }))
      )
      assert.sameDeepMembers(
        [...byModel],
        [...Map.groupBy(own, ({ model }) => model)].map(([model, of]) => Object.assign(sumOf(of), { model }))
      )
      assert.strictEqual(
        stacked.reduce((sum, { cost }) => sum + cost, 0n),
        total.cost
      )
    }
    const [{ kept }] = await months.sql<[{ kept: string }]>`
      select extract(epoch from calls_kept_from())::float8 * 1000 as kept`
    const from = new Date(Math.floor(fromMs! / hourMs) * hourMs)
    const gone = matching(calls, { ...filter, from }).filter((call) => hourOf(call) < Number(kept))
    assert.strictEqual((await countDropped(months.sql, filter))?.calls ?? 0, gone.length)
  }
}

let months: TestMonths
afterEach(() => months.stop())

describe("what was used", () => {
  beforeEach(async () => {
    months = await startMonths()
  })

  it.each(seeds(2))("is the same by days as call by call, seed %i", async (seed) => {
    const random = new Random(seed)
    const calls = [...(await months.write(callsFor(months, random, 400)))]
    await check(months, random, calls)
    await months.tidy()
    await check(months, random, calls)
    calls.push(...(await months.write(callsFor(months, random, 100))))
    await check(months, random, calls)
    await months.tidy({ callsDays: await months.daysSince(months.names[1]!) })
    await check(months, random, calls)
    await months.verify(calls)
  })
})

describe("a database of the last version", () => {
  beforeEach(async () => {
    const database = await startTestDatabase({ migrated: false })
    await withMigrationsUpTo(52, (folder) => migrateDatabase(database.url, folder), whatCallsLiveBy)
    const sql = openSql(database.url)
    const { accountId } = await newCustomer(database.url, 10n ** 12n)
    months = new TestMonths(database, sql, accountId, await makePastMonths(sql, 3))
  })

  it("has the days of the months that it closed, and of those that were gone", async () => {
    const random = new Random(1)
    const calls = [...(await months.write(callsFor(months, random, 300)))]
    // It went by the clock as it was.
    await months.sql`create function tidy_now() returns timestamptz language sql as 'select now()'`
    await months.sql`create function move_tidy_clock() returns void language sql as ''`
    await months.tidy()
    calls.push(...(await months.write(callsFor(months, random, 60))))
    await months.tidy({ callsDays: await months.daysSince(months.names[1]!) })
    await months.sql`drop function tidy_now, move_tidy_clock`
    await migrateDatabase(months.database.url)
    await check(months, random, calls)
    const late = callsFor(months, random, 60).filter(({ atMs }) => atMs > middleOf(2))
    await commitUnclaimed(months.sql, late)
    await check(months, random, [...calls, ...late])
    await months.verify([...calls, ...late])
  })
})
