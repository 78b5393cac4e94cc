/** What a commit adds to the sums is what PostgreSQL makes of the calls in the log, whatever they used and however they come. */
import { assert, describe, it } from "@effect/vitest"
import { afterEach, beforeEach } from "vitest"
import type { CallRecord } from "../../../src/domain/call.ts"
import { KeyId, makeCallId } from "../../../src/domain/ids.ts"
import { callOf } from "../../accounts/write-calls.ts"
import { Random, seeds } from "../../Random.ts"
import { middleOf } from "../past-months.ts"
import { migrateDatabase } from "../migrate-database.ts"
import { startTestDatabase } from "../start-database.ts"
import { startMonths, type TestMonths } from "../start-months.ts"

let months: TestMonths
beforeEach(async () => {
  months = await startMonths()
})
afterEach(() => months.stop())

const dayMs = 86_400_000

/** Of other models and tools some that a database's own collation would put in another order. */
const otherModels = ["gpt-5.5", "gpt-5-mini", "GPT.5", "gpt 5"]
const tools = ["web_search", "web-fetch", "Code"]

const someCall = (random: Random, months: TestMonths): CallRecord => {
  const atMs = middleOf(random.below(4)) + random.below(3 * dayMs)
  const endpoint = random.pick(["messages", "responses", "count_tokens", "images_generations"] as const)
  const status = random.pick([200, 200, 499, 502])
  const isEmpty = status === 502 && random.chance(0.5)
  const [inputTokens, outputTokens] = isEmpty ? [0, 0] : [random.below(900), random.below(90)]
  const some = <A>(values: ReadonlyArray<A>) => values.filter(() => random.chance(0.15))
  // Charged as the books are proven: each token one µVND, and nothing beyond.
  return callOf(months.accountId, 0, {
    callId: makeCallId(atMs),
    atMs,
    keyId: KeyId.make(`key_${random.below(3)}`),
    endpoint,
    model: random.pick(["claude-opus-5", "gpt-6.1-sol", "", 'a "model", (odd)\\']),
    status,
    units: endpoint === "images_generations" ? 1 + random.below(3) : 1,
    inputTokens,
    outputTokens,
    perMtokVnd: 1,
    cost: status === 502 || endpoint === "count_tokens" ? 0n : BigInt(inputTokens + outputTokens),
    latencyMs: random.below(5_000),
    extras: {
      cacheReadTokens: random.pick([0, 0, random.below(1_000)]),
      cacheWriteTokens: random.pick([0, 0, random.below(1_000)]),
      reasoningTokens: 0,
      tier: "",
      factor: "1",
      toolUses: some(tools).map((tool) => ({ tool, uses: 1 + random.below(5), price: undefined })),
      others: some(otherModels).map((model) => ({
        model,
        inputTokens: 100 + random.below(300),
        cacheReadTokens: random.pick([0, random.below(50)]),
        cacheWriteTokens: random.pick([0, random.below(50)]),
        outputTokens: random.below(30),
        perMtokVnd: 1,
        isApart: false
      })),
      route: random.pick(["", "anthropic-1", "bedrock"]),
      attempts: []
    }
  })
}

const usageOf = (months: TestMonths) => months.sql`
  select account_id, key_id, model, hour, sum(calls)::int8 as calls, sum(failed_calls)::int8 as failed,
    sum(input_tokens)::int8 as input, sum(output_tokens)::int8 as output, sum(cost_micro_vnd)::int8 as cost,
    max(last_call_at) as last_at, sum(latency_ms)::int8 as latency
  from usage_hours group by 1, 2, 3, 4 order by 1, 2, 3, 4`

const usageOfLog = (months: TestMonths) => months.sql`
  select account_id, key_id, model, date_trunc('hour', at, 'UTC') as hour, count(*) as calls, count(*) filter (where status >= 400) as failed,
    sum(input_tokens)::int8 as input, sum(output_tokens)::int8 as output, sum(cost_micro_vnd)::int8 as cost,
    max(at) as last_at, sum(latency_ms)::int8 as latency
  from calls group by 1, 2, 3, 4 order by 1, 2, 3, 4`

describe("the sums of calls", () => {
  it("are those of the log also where the database sorts as a language does", async () => {
    const database = await startTestDatabase({ language: "en-US" })
    await migrateDatabase(database.url)
    const sorted = await startMonths(database)
    try {
      const random = new Random(1)
      const calls = Array.from({ length: 150 }, () => someCall(random, sorted))
      await sorted.write(calls)
      await sorted.verify(calls)
    } finally {
      await sorted.stop()
    }
  })

  it.each(seeds(3))(
    "are those of the log, whatever is written again, or late for a month that is gone, seed %i",
    async (seed) => {
      const random = new Random(seed)
      const calls = Array.from({ length: 150 }, () => someCall(random, months))
      for (let turn = 0; turn < 12; turn++)
        await months.write(Array.from({ length: 1 + random.below(20) }, () => random.pick(calls)))
      await months.write(calls)
      assert.deepStrictEqual([...(await usageOf(months))], [...(await usageOfLog(months))])
      await months.verify(calls)
      // The oldest month goes; of what comes then a part is late, and some were there before.
      await months.tidy({ callsDays: await months.daysSince(months.names[1]!) })
      const [{ from }] = await months.sql<[{ from: Date }]>`select calls_kept_from() as from`
      const more = Array.from({ length: 60 }, () => someCall(random, months))
      const late = more.filter(({ atMs }) => atMs < from.getTime())
      assert.isAbove(late.length, 0)
      for (let turn = 0; turn < 6; turn++)
        await months.write(
          Array.from({ length: 1 + random.below(30) }, () => random.pick([...calls, ...more]))
        )
      await months.write(more)
      await months.verify([...calls, ...more.filter((call) => !late.includes(call))])
    }
  )
})
