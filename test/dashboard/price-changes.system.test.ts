/** Prices are raised together: looked at first, set for a day, and cancelled before it. */
import { assert, describe, it } from "@effect/vitest"
import { afterAll, beforeAll } from "vitest"
import { lockPrices } from "../../src/storage/PriceStore.ts"
import { noExtras } from "../../src/domain/call.ts"
import { makeCallId } from "../../src/domain/ids.ts"
import type { PurchasePrice } from "../../src/domain/purchase-price.ts"
import { sampleCall, writeCalls } from "../browser/sample-data.ts"
import { until } from "../until.ts"
import { purchasePrice } from "./bought-calls.ts"
import { enterPrices } from "./enter-prices.ts"
import { startTestDashboard, type TestDashboard } from "./start-dashboard.ts"
import { accountOf } from "./own-account.ts"
import { type Answer, signUpOperator, type TestPerson } from "./TestPerson.ts"

const api = "/dashboard/api"
const models = ["gpt-5.5", "claude-opus-5"]

let dashboard: TestDashboard
let operator: TestPerson
beforeAll(async () => {
  dashboard = await startTestDashboard()
  operator = await signUpOperator(dashboard, "op@example.com")
})
afterAll(() => dashboard.stop())

const tomorrow = () => Date.now() + 86_400_000
const preview = async (percent: string, from: number | null) =>
  operator.post(`${api}/operator/price-changes/preview`, { models, percent, from })
const soldAt = async (id: string) =>
  (await operator.get(`${api}/models`)).body.models.find((model: { id: string }) => model.id === id).price_vnd
const nextOf = async (id: string) =>
  (await operator.get(`${api}/operator/models`)).body.models.find((model: { id: string }) => model.id === id)
    .next

/** Asked one after another, and done once all of them wait for whoever sets prices just then. */
const whilePricesAreLocked = async (asks: ReadonlyArray<() => Promise<Answer>>) => {
  const sent: Array<Promise<Answer>> = []
  await dashboard.sql.begin(async (transaction) => {
    await lockPrices(transaction)
    for (const ask of asks) {
      sent.push(ask())
      await until(async () => {
        const [row] = await dashboard.sql<[{ waiting: number }]>`
          select count(*)::int as waiting from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`
        return row.waiting === sent.length
      })
    }
  })
  return Promise.all(sent)
}

interface Shown {
  readonly model: string
  readonly former_vnd: number
  readonly price_vnd: number
}

const seen = (changes: ReadonlyArray<Shown>) =>
  changes.map(({ former_vnd, model, price_vnd }) => ({ model, former_vnd, price_vnd }))

describe("prices of several models", () => {
  it("are raised by 10 % from tomorrow, once they were looked at, and can be taken back", async () => {
    const from = tomorrow()
    const { changes } = (await preview("10", from)).body
    assert.deepStrictEqual(seen(changes), [
      { model: "gpt-5.5", former_vnd: 2_400, price_vnd: 2_640 },
      { model: "claude-opus-5", former_vnd: 6_500, price_vnd: 7_150 }
    ])
    assert.strictEqual(
      (await operator.post(`${api}/operator/price-changes`, { changes: seen(changes), from })).status,
      200
    )
    assert.deepStrictEqual([await soldAt("gpt-5.5"), await soldAt("claude-opus-5")], [2_400, 6_500])
    assert.deepStrictEqual(await nextOf("gpt-5.5"), { price_vnd: 2_640, from })
    const again = (await preview("10", from + 1_000)).body.changes
    assert.deepStrictEqual(seen(again)[0], { model: "gpt-5.5", former_vnd: 2_640, price_vnd: 2_904 })
    const repeated = await operator.post(`${api}/operator/price-changes`, { changes: seen(changes), from })
    assert.deepStrictEqual([repeated.status, repeated.body.error.code], [409, "price_changed"])

    const { changes: listed } = (await operator.get(`${api}/operator/price-changes`)).body
    assert.deepStrictEqual(
      listed.map((each: Record<string, unknown>) => [each["state"], each["made_by"], each["from"]]),
      [
        ["waiting", "op@example.com", from],
        ["waiting", "op@example.com", from]
      ]
    )
    const cancel = () => operator.post(`${api}/operator/price-changes/${listed[0].batch}/cancel`)
    assert.strictEqual((await cancel()).status, 200)
    assert.strictEqual((await cancel()).status, 200)
    assert.isNull(await nextOf("gpt-5.5"))
    assert.deepStrictEqual(seen((await preview("10", from)).body.changes), seen(changes))
    const { entries } = (await operator.get(`${api}/operator/audit`)).body
    assert.deepStrictEqual(
      entries.slice(0, 2).map(({ action }: { action: string }) => action),
      ["price.cancel", "price.change"]
    )
  })

  it("stay as they are by then where only the sale of one is stopped or begun again", async () => {
    const model = "kimi-k3"
    const former = await soldAt(model)
    const from = tomorrow()
    const changes = [{ model, former_vnd: former, price_vnd: former + 1 }]
    await operator.post(`${api}/operator/price-changes`, { changes, from })
    const set = (change: object) => operator.post(`${api}/operator/models`, { model, ...change })
    // The moment has come since the operator looked.
    await dashboard.sql`update price_changes set from_at = now() where model = ${model}`
    assert.strictEqual((await set({ disabled: true })).status, 200)
    assert.strictEqual((await set({ disabled: false })).status, 200)
    assert.strictEqual(await soldAt(model), former + 1)
    const later = [{ model, former_vnd: former + 1, price_vnd: former + 2 }]
    await operator.post(`${api}/operator/price-changes`, { changes: later, from })
    await set({ price_vnd: null })
    assert.deepStrictEqual(
      [await soldAt(model), await nextOf(model)],
      [former, { price_vnd: former + 2, from }]
    )
    await set({ disabled: true })
    await set({ price_vnd: former + 3 })
    const { models: listed } = (await operator.get(`${api}/operator/models`)).body
    const { override } = listed.find(({ id }: { id: string }) => id === model)
    assert.deepStrictEqual(override, { price_vnd: former + 3, disabled: true })
    await set({ disabled: false })
  })

  it("are set by one of those who looked at the same ones", async () => {
    const model = "kimi-k2.6"
    const former = await soldAt(model)
    const raise = (more: number) => () =>
      operator.post(`${api}/operator/price-changes`, {
        changes: [{ model, former_vnd: former, price_vnd: former + more }],
        from: null
      })
    const asks = await whilePricesAreLocked([raise(1), raise(2), raise(3)])
    assert.deepStrictEqual(asks.map(({ status }) => status).toSorted(), [200, 409, 409])
    assert.strictEqual(await soldAt(model), former + 1 + asks.findIndex(({ status }) => status === 200))
  })

  it("are what was asked for last, also where that is what a price was before another", async () => {
    const model = "kimi-k2.6"
    const former = await soldAt(model)
    const set = (price: number) => () => operator.post(`${api}/operator/models`, { model, price_vnd: price })
    const asks = await whilePricesAreLocked([set(former + 10), set(former)])
    assert.deepStrictEqual(
      asks.map(({ status }) => status),
      [200, 200]
    )
    assert.strictEqual(await soldAt(model), former)
  })

  it("hold at once where no moment is given, and stay in each model's history", async () => {
    const { changes } = (await preview("-50", null)).body
    await operator.post(`${api}/operator/price-changes`, { changes: seen(changes), from: null })
    assert.deepStrictEqual([await soldAt("gpt-5.5"), await soldAt("claude-opus-5")], [1_200, 3_250])
    await operator.post(`${api}/operator/models`, { model: "gpt-5.5", price_vnd: null, disabled: false })
    assert.strictEqual(await soldAt("gpt-5.5"), 2_400)
    const { changes: history } = (await operator.get(`${api}/operator/price-changes?model=gpt-5.5`)).body
    assert.deepStrictEqual(
      history.map((each: Record<string, unknown>) => [each["former_vnd"], each["price_vnd"], each["state"]]),
      [
        [1_200, null, "held"],
        [2_400, 1_200, "held"],
        [2_400, 2_640, "cancelled"]
      ]
    )
  })

  it("are shown with the margins that the last calls would have had, whatever these were sold at", async () => {
    const sale = { inputTokens: 900, outputTokens: 100, status: 200, errorType: "" }
    const sold = { ...sampleCall(await accountOf(operator), "key_unknown", 0, Date.now()), ...sale }
    const search = { tool: "web_search", uses: 1, price: 260_000_000n }
    await writeCalls(dashboard.databaseUrl, [
      // At half of what it is sold at now, as the next one.
      { ...sold, callId: makeCallId(1), model: "gpt-5.4", cost: 1_200_000n },
      { ...sold, callId: makeCallId(2), model: "req/gpt-5.4", cost: 300_000_000n },
      {
        ...sold,
        callId: makeCallId(3),
        model: "grok-4.3",
        cost: 262_600_000n,
        extras: { ...noExtras, toolUses: [search] }
      }
    ])
    const bought = (model: string, changes: Partial<PurchasePrice>) =>
      purchasePrice({ model, currency: "VND", fromDay: "2020-01-01", ...changes })
    await enterPrices(operator, {
      prices: [
        bought("gpt-5.4", { input: "1000", output: "1000" }),
        bought("req/gpt-5.4", { perRequest: "150" }),
        bought("grok-4.3", { input: "1300", output: "1300", tools: { web_search: "130" } })
      ],
      rates: []
    })
    const asked = { models: ["gpt-5.4", "req/gpt-5.4", "grok-4.3"], percent: "25", from: null }
    const { changes } = (await operator.post(`${api}/operator/price-changes/preview`, asked)).body
    assert.deepStrictEqual(changes.map(Object.values), [
      // 1 of 3 and 150 of 750 dong; the search costs its 260 and 130 as before.
      ["gpt-5.4", 2_400, 3_000, "16.67", "66.67"],
      ["req/gpt-5.4", 600, 750, "50", "80"],
      ["grok-4.3", 2_600, 3_250, "50", "50.12"]
    ])
  })

  it.each([
    ["of models that are none", { models: ["no-such-model"], percent: "10", from: null }, 404],
    ["below nothing", { models, percent: "-100", from: null }, 400],
    ["of the past", { models, percent: "10", from: 1 }, 400],
    ["by no number", { models, percent: "ten", from: null }, 400]
  ])("%s are not changed", async (_, body, status) => {
    assert.strictEqual((await operator.post(`${api}/operator/price-changes/preview`, body)).status, status)
  })
})

describe("prices of a model that the catalogue sells by another unit since", () => {
  it("do not hold for it, and can be set anew, to the same number also", async () => {
    const model = "claude-sonnet-5"
    const set = (price_vnd: number) => operator.post(`${api}/operator/models`, { model, price_vnd })
    const sellBy = (price: Readonly<Record<string, number>>) =>
      dashboard.apply((settings) => ({
        ...settings,
        catalogue: (settings.catalogue as ReadonlyArray<{ readonly id: string }>).map((record) =>
          record.id === model ? Object.assign({}, record, { price }) : record
        )
      }))
    const shown = async () => {
      const { models } = (await operator.get(`${api}/operator/models`)).body
      const { next, override } = models.find((each: { id: string }) => each.id === model)
      return [await soldAt(model), override?.price_vnd, next?.price_vnd]
    }
    await set(7_000)
    const later = { changes: [{ model, former_vnd: 7_000, price_vnd: 8_000 }], from: tomorrow() }
    assert.strictEqual((await operator.post(`${api}/operator/price-changes`, later)).status, 200)
    assert.deepStrictEqual(await shown(), [7_000, 7_000, 8_000])
    sellBy({ per_request_vnd: 200 })
    assert.deepStrictEqual(await shown(), [200, undefined, null])
    await set(7_000)
    assert.deepStrictEqual(await shown(), [7_000, 7_000, null])
    const { changes } = (await operator.get(`${api}/operator/price-changes?model=${model}`)).body
    assert.deepStrictEqual(
      changes.map(({ former_vnd, price_vnd, unit }: Record<string, unknown>) => [
        former_vnd,
        price_vnd,
        unit
      ]),
      [
        [null, 7_000, "request"],
        [7_000, 8_000, "mtok"],
        [null, 7_000, "mtok"]
      ]
    )
    sellBy({ per_mtok_vnd: 6_500 })
    assert.deepStrictEqual(await shown(), [6_500, undefined, 8_000])
    assert.strictEqual(
      (await operator.post(`${api}/operator/price-changes/${changes[1].batch}/cancel`, {})).status,
      200
    )
  })
})
