/** Which prices hold now, by a clock that may be set, and by which routes models are reached. */
import { assert, describe, it, vi } from "@effect/vitest"
import { Effect } from "effect"
import type { Route, Settings } from "../../src/config/settings.ts"
import records from "../../src/domain/catalogue.json" with { type: "json" }
import type { AccountId, KeyId } from "../../src/domain/ids.ts"
import { noParticulars } from "../../src/domain/particulars.ts"
import { billOf } from "../../src/gateway/bill.ts"
import { Call } from "../../src/gateway/Call.ts"
import type { Client } from "../../src/gateway/Client.ts"
import { Models } from "../../src/gateway/Models.ts"
import { providerOf } from "../upstream/stub-providers.ts"

const id = "claude-sonnet-5"
const settings = { catalogue: records, aliases: {}, providers: {} } as unknown as Settings
const fromMs = 1_800_000_000_000
const overrides = {
  [id]: { price_vnd: 7_000, disabled: false, later: [{ from_ms: fromMs, price_vnd: 8_000 }] }
}

describe("a model that is taken off the list", () => {
  it.effect("is nobody else's when the catalogue has its record no more, either", () =>
    Effect.gen(function* () {
      const sold = (yield* Models).soldAt(fromMs)
      assert.deepStrictEqual(
        [id, "gpt-4o"].map((name) => sold.resolve(name)?.model.id),
        [undefined, "claude-fable-5"]
      )
    }).pipe(
      Effect.provide(
        Models.layer(
          { ...settings, catalogue: records.filter((record) => record.id !== id) },
          { [id]: { price_vnd: null, disabled: true } },
          () => fromMs
        )
      )
    )
  )
})

describe("a price for a moment", () => {
  it.effect("holds from then on, and no more where the clock had gone ahead and is set right", () =>
    Effect.gen(function* () {
      const models = yield* Models
      const now = vi.spyOn(Date, "now")
      const priceAt = (ms: number) => {
        now.mockReturnValue(ms)
        const price = models.get(id)?.price
        return price?._tag === "PerToken" ? price.perMtokVnd : undefined
      }
      assert.deepStrictEqual(
        [fromMs - 2, fromMs - 1, fromMs, fromMs + 86_400_000, fromMs - 1, fromMs + 1].map(priceAt),
        [7_000, 7_000, 8_000, 8_000, 7_000, 8_000]
      )
      now.mockRestore()
    }).pipe(Effect.provide(Models.layer(settings, overrides, () => Date.now())))
  )

  it.effect("is nobody's who called before it, however late the request is whole and the answer ends", () =>
    Effect.gen(function* () {
      const models = yield* Models
      assert.deepStrictEqual(models.get(id)?.price, { _tag: "PerToken", perMtokVnd: 8_000 })
      const began = (atMs: number) => {
        const sold = models.soldAt(atMs)
        return new Call({} as Client, "messages", atMs)
          .identify({ accountId: "acc" as AccountId, keyId: "key" as KeyId, secret: 0 })
          .resolve(sold.resolve("claude-opus-5")!, sold)
      }
      const advice = { model: id, inputTokens: 2, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 1 }
      const charge = {
        usage: { inputTokens: 0, outputTokens: 0 },
        units: 1,
        estimated: false,
        particulars: { ...noParticulars, others: [{ ...advice, isApart: true }] }
      }
      const calls = [fromMs - 1, fromMs].map(began)
      models.replace(settings, { [id]: { price_vnd: 9_000, disabled: false } })
      assert.deepStrictEqual(
        calls.map((call) => billOf(call, charge).cost),
        [21_000n, 24_000n]
      )
    }).pipe(Effect.provide(Models.layer(settings, overrides, () => fromMs + 60_000)))
  )
})

describe("the routes of a model", () => {
  const routesAt = (host: string) =>
    settingsOf([
      { isPaused: true, baseUrl: `http://${host}/0` },
      { models: ["claude-opus-5"], baseUrl: `http://${host}/1` },
      { baseUrl: `http://${host}/2` }
    ])
  const settingsOf = (of: ReadonlyArray<Partial<Route>>): Settings => {
    const routes = of.map((each, index): Route => ({
      id: `anthropic#${index}`,
      baseUrl: "",
      apiKey: "",
      priority: 1,
      weight: 1,
      ...each
    }))
    return { ...settings, providers: { anthropic: providerOf(routes) } }
  }

  it.effect("are those that are not paused and that are for it, as the settings say now", () =>
    Effect.gen(function* () {
      const models = yield* Models
      const reached = (of: string) => models.reach(models.get(of)!)!
      const addresses = (of: string) => reached(of).routes.map(({ baseUrl }) => baseUrl)
      assert.deepStrictEqual(addresses(id), ["http://former/2"])
      assert.deepStrictEqual(addresses("claude-opus-5"), ["http://former/1", "http://former/2"])
      assert.strictEqual(reached(id), reached("claude-fable-5"))
      models.replace(routesAt("present"), overrides)
      assert.deepStrictEqual(addresses(id), ["http://present/2"])
      assert.deepStrictEqual(addresses("claude-opus-5"), ["http://present/1", "http://present/2"])
      models.replace(settingsOf([{ isPaused: true }]), overrides)
      assert.deepStrictEqual(addresses(id), [])
    }).pipe(Effect.provide(Models.layer(routesAt("former"), overrides, () => Date.now())))
  )
})
