/** The margin of a month is what a person works out with a pencil. */
import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { afterAll, beforeAll } from "vitest"
import type { CallRecord } from "../../src/domain/call.ts"
import { makeCallId } from "../../src/domain/ids.ts"
import { formatVnd } from "../../src/domain/money.ts"
import { writeCalls } from "../browser/sample-data.ts"
import { Random, seeds } from "../Random.ts"
import { type Book, boughtFor, isCounted, monthOf, prices, rates, rounded, sumOf } from "./bought-calls.ts"
import { enterPrices } from "./enter-prices.ts"
import { randomBook, randomCaches } from "./random-prices.ts"
import { startTestDashboard, type TestDashboard } from "./start-dashboard.ts"
import { accountOf } from "./own-account.ts"
import { signUpOperator, signUpPerson, type TestPerson } from "./TestPerson.ts"

const api = "/dashboard/api"
const november = {
  from: Date.parse("2026-11-01T00:00:00+07:00"),
  to: Date.parse("2026-12-01T00:00:00+07:00")
}

let dashboard: TestDashboard
let operator: TestPerson
let first: string
let second: string

/** All that was entered so far. */
let book: Book = { prices: [], rates: [] }
const enter = async (more: Book) => {
  book = { prices: [...book.prices, ...more.prices], rates: [...book.rates, ...more.rates] }
  await enterPrices(operator, more)
}

beforeAll(async () => {
  dashboard = await startTestDashboard({
    change: (settings) => {
      const provider = settings.providers["anthropic"]!
      const routes = ["anthropic#0", "anthropic#1"].map((id) => Object.assign({}, provider.routes[0], { id }))
      return { ...settings, providers: { ...settings.providers, anthropic: { ...provider, routes } } }
    },
    environment: { ANTHROPIC_API_KEY: "the-provider-key" }
  })
  operator = await signUpOperator(dashboard, "op@example.com")
  const customer = await signUpPerson(dashboard, "khach@example.com")
  first = await accountOf(operator)
  second = await accountOf(customer)
})
afterAll(() => dashboard.stop())

const report = async (query: Readonly<Record<string, string | number>>) => {
  const asked = Object.entries({ ...november, ...query }).map(
    ([name, value]) => `${name}=${encodeURIComponent(value)}`
  )
  const answer = await operator.get(`${api}/operator/margin?${asked.join("&")}`)
  assert.strictEqual(answer.status, 200, answer.text)
  return answer.body
}

const costs = (rows: ReadonlyArray<Record<string, unknown>>) =>
  Object.fromEntries(rows.map(({ cost_vnd: cost, group }) => [group, cost]))

describe("the margin of a month", () => {
  it("is what a person works out, to the micro-dong, also where prices are entered late", async () => {
    await writeCalls(dashboard.databaseUrl, monthOf(first, second))
    const before = await report({})
    assert.deepStrictEqual(
      [before.total.cost_vnd, before.total.unpriced_calls, before.total.margin_percent],
      ["0", 11, null]
    )
    await enter({ prices, rates })
    const { total } = await report({})
    assert.deepStrictEqual(total, {
      calls: 11,
      revenue_vnd: "5707.2",
      cost_vnd: "3937.052734",
      margin_vnd: "1738.147266",
      margin_percent: "30.63",
      is_below: false,
      unpriced_calls: 2,
      unpriced_revenue_vnd: "32"
    })
    assert.deepStrictEqual(costs((await report({ by: "day" })).rows), {
      "2026-11-03": "193.05",
      "2026-11-14": "1.95",
      "2026-11-15": "1.56",
      "2026-11-20": "1.264824",
      "2026-11-21": "2.2",
      "2026-11-22": "3162.06",
      "2026-11-23": "563.9007",
      "2026-11-24": "7.90515",
      "2026-11-25": "0",
      "2026-11-26": "0",
      "2026-11-27": "3.16206"
    })
    assert.deepStrictEqual(costs((await report({ by: "model" })).rows), {
      "gpt-image-2": "3162.06",
      "claude-opus-5": "774.992734",
      mystery: "0"
    })
    assert.deepStrictEqual(costs((await report({ by: "route" })).rows), {
      "openai#0": "3162.06",
      "anthropic#0": "772.792734",
      "anthropic#1": "2.2"
    })
    assert.deepStrictEqual(costs((await report({ by: "provider" })).rows), {
      openai: "3162.06",
      anthropic: "774.992734"
    })
    const accounts = await report({ by: "account", order: "margin" })
    assert.deepStrictEqual(
      accounts.rows.map((row: Record<string, unknown>) => [row["name"], row["cost_vnd"], row["margin_vnd"]]),
      [
        ["op@example.com", "768.36585", "396.43415"],
        ["khach@example.com", "3168.686884", "1341.713116"]
      ]
    )
    assert.deepStrictEqual(accounts.total, total)
  })

  it("names what has no price, and what is below the floor", async () => {
    const { missing } = await report({})
    assert.deepStrictEqual(
      missing.map((each: Record<string, unknown>) => [each["model"], each["part"]]).toSorted(),
      [
        ["claude-opus-5", "tool:code_execution"],
        ["mystery", ""]
      ]
    )
    const below = async (by: string) =>
      (await report({ by })).rows.flatMap((row: Record<string, unknown>) =>
        row["is_below"] ? [row["group"]] : []
      )
    assert.deepStrictEqual(await below("model"), [])
    await operator.post(`${api}/operator/margin/floor`, { percent: "30" })
    assert.deepStrictEqual(await below("model"), ["gpt-image-2"])
    await operator.post(`${api}/operator/margin/floor`, { percent: "0" })
  })

  it("can be narrowed to a model, a route, a provider and an account", async () => {
    assert.strictEqual((await report({ route: "anthropic#1" })).total.cost_vnd, "2.2")
    assert.strictEqual((await report({ provider: "openai" })).total.cost_vnd, "3162.06")
    const own = await report({ account: second, model: "claude-opus-5", by: "route" })
    assert.deepStrictEqual(costs(own.rows), { "anthropic#0": "4.426884", "anthropic#1": "2.2" })
    assert.strictEqual(own.total.cost_vnd, "6.626884")
    const none = await report({ account: "acc_none", by: "account" })
    assert.deepStrictEqual([none.rows, none.groups], [[], 0])
    const [day] = (
      await report({ from: Date.parse("2026-11-15T00:00+07:00"), to: Date.parse("2026-11-15T01:00+07:00") })
    ).rows
    assert.strictEqual(day.cost_vnd, "1.56")
  })

  it("is exported with all its rows", async () => {
    const { text } = await operator.get(
      `${api}/operator/margin.csv?from=${november.from}&to=${november.to}&by=model`
    )
    assert.deepStrictEqual(text.replace("\ufeff", "").trimEnd().split("\r\n").slice(0, 2), [
      "model,calls,revenue_vnd,cost_vnd,margin_vnd,margin_percent,below_floor,unpriced_calls,unpriced_revenue_vnd",
      "gpt-image-2,1,4500,3162.06,1337.94,29.73,false,0,0"
    ])
  })

  it("is summed up from the calls there are as it is while they are made", async () => {
    const sums = `select day, account_id, part_id, sum(calls) as calls, sum(input_tokens) as input, sum(cache_read_tokens) as cache_read,
      sum(cache_write_tokens) as cache_write, sum(output_tokens) as output, sum(uses) as uses, sum(revenue_micro_vnd) as revenue
      from purchase_days group by 1, 2, 3 order by 1, 2, 3`
    const migration = readFileSync("src/storage/migrations/0044-margin.sql", "utf8").split(
      "-- The calls there are."
    )[1]!
    const before = await dashboard.sql.unsafe(sums)
    assert.isNotEmpty(before)
    await dashboard.sql.begin(async (transaction) => {
      await transaction`truncate purchase_days, purchase_totals, purchase_parts`
      await transaction.unsafe(migration)
      assert.deepStrictEqual([...(await transaction.unsafe(sums))], [...before])
    })
  })
})

describe("prices", () => {
  it("keep their history, with who entered them", async () => {
    const { prices: listed } = (await operator.get(`${api}/operator/purchase-prices?model=claude-opus-5`))
      .body
    assert.deepStrictEqual(
      listed.map((each: Record<string, unknown>) => [each["input"], each["from"], each["made_by"]]),
      [
        ["100000", "2026-11-01", "op@example.com"],
        ["4", "2026-11-15", "op@example.com"],
        ["5", "2026-10-01", "op@example.com"],
        ["50", "2026-10-01", "op@example.com"]
      ]
    )
    const changed = await dashboard.sql`update purchase_prices set input = 0`.catch(
      (error: Error) => error.message
    )
    assert.strictEqual(changed, "purchase_prices is append-only")
  })

  it.each([
    ["of a day that is none", "purchase-prices", { from: "2026-11-31" }, 400],
    ["that is no decimal", "purchase-prices", { input: "1e3" }, 400],
    ["below zero", "purchase-prices", { output: "-1" }, 400],
    ["of a tool whose name can be none", "purchase-prices", { tools: { a: "1", "A B": "1" } }, 400],
    ["of a route that is none", "purchase-prices", { route: "nowhere" }, 404],
    ["of nothing", "exchange-rates", { vnd: "0" }, 400],
    ["of thousands as people write them", "exchange-rates", { vnd: "26.000" }, 400],
    ["of the dong", "exchange-rates", { currency: "VND" }, 400]
  ])("%s are refused", async (_, path, changes, status) => {
    const body =
      path === "exchange-rates"
        ? { currency: "USD", vnd: "26000", from: "2026-11-01" }
        : {
            route: "*",
            model: "a",
            currency: "USD",
            input: "1",
            cache_read: null,
            cache_write: null,
            output: "1",
            per_request: "0",
            tools: {},
            from: "2026-11-01"
          }
    assert.strictEqual(
      (await operator.post(`${api}/operator/${path}`, { ...body, ...changes })).status,
      status
    )
  })
})

const calledRoutes = ["anthropic#0", "anthropic#1", "openai#0"]

describe("margins of calls of all kinds, at prices and rates that change among them", () => {
  it.each(seeds(3).map((seed, index) => [seed, index] as const))(
    "are those of a second way to work them out, seed %s",
    async (seed, index) => {
      const random = new Random(seed)
      const month = `2027-0${index + 1}`
      const start = Date.parse(`${month}-01T00:00+07:00`)
      const samples = monthOf(first, second)
      const calls = Array.from({ length: 200 }, (_, place): CallRecord => {
        const sample = random.pick(samples)
        const atMs = start + random.below(28 * 86_400_000)
        const inputTokens = sample.inputTokens * (1 + random.below(1_000))
        const caches = randomCaches(random, sample, inputTokens)
        return {
          ...sample,
          callId: makeCallId(atMs + place),
          atMs,
          accountId: random.pick(samples).accountId,
          inputTokens,
          outputTokens: sample.outputTokens + random.below(100_000),
          extras: { ...sample.extras, ...(sample.units === 1 && caches), route: random.pick(calledRoutes) }
        }
      })
      await enter(randomBook(random, month))
      await writeCalls(dashboard.databaseUrl, calls)
      await enter(randomBook(random, month))
      const counted = calls
        .filter(isCounted)
        .map((call) => Object.assign(call, { bought: boughtFor(call, book) }))
      const priced = counted.filter(({ bought }) => bought !== undefined)
      assert.isAbove(priced.length, 0)
      if (seed <= 3) assert.isBelow(priced.length, counted.length)
      const costOf = (of: (call: CallRecord) => string) =>
        Object.fromEntries(
          [...Map.groupBy(counted, of)].map(([group, all]) => [
            group,
            formatVnd(rounded(sumOf(all.flatMap(({ bought }) => (bought === undefined ? [] : [bought])))))
          ])
        )
      const period = { from: start, to: start + 28 * 86_400_000 - 1 }
      const groups = {
        model: ({ model }) => model,
        account: ({ accountId }) => accountId,
        route: ({ extras }) => extras.route,
        provider: ({ extras }) => extras.route.split("#")[0]!,
        day: ({ atMs }) => new Date(atMs + 7 * 3_600_000).toISOString().slice(0, 10)
      } satisfies Record<string, (call: CallRecord) => string>
      for (const [by, of] of Object.entries(groups)) {
        const { rows, total } = await report({ ...period, by })
        assert.deepStrictEqual(costs(rows), costOf(of), by)
        const cost = rounded(sumOf(priced.map(({ bought }) => bought!)))
        const revenue = priced.reduce((sum, call) => sum + call.cost, 0n)
        assert.deepInclude(total, {
          cost_vnd: formatVnd(cost),
          margin_vnd: formatVnd(revenue - cost),
          calls: counted.length,
          unpriced_calls: counted.length - priced.length
        })
      }
    }
  )
})
