import { catalogue } from "../catalogue.ts"
import { assert, describe, it } from "@effect/vitest"
import type { Model } from "../../src/domain/catalogue.ts"
import { vndOf } from "../../src/domain/price.ts"
import {
  applyOverride,
  changeByPercent,
  overrideOf,
  readModelOverrides,
  spanOf
} from "../../src/domain/model-overrides.ts"

describe("model overrides", () => {
  const { models } = catalogue
  const perToken = models.find(({ price }) => price._tag === "PerToken")!
  const perRequest = models.find(({ price }) => price._tag === "PerRequest")!

  it("change the price and nothing else, in the model's own unit", () => {
    const override = { price_vnd: 7, disabled: false }
    assert.deepStrictEqual(applyOverride(perToken, override, 0), {
      ...perToken,
      price: { _tag: "PerToken", perMtokVnd: 7 }
    })
    assert.deepStrictEqual(applyOverride(perRequest, override, 0), {
      ...perRequest,
      price: { _tag: "PerRequest", perRequestVnd: 7 }
    })
    assert.strictEqual(applyOverride(perToken, undefined, 0), perToken)
    assert.strictEqual(applyOverride(perToken, { price_vnd: null, disabled: false }, 0), perToken)
    assert.isUndefined(applyOverride(perToken, { price_vnd: 7, disabled: true }, 0))
  })

  it("leave the catalogue's price where theirs was set for another unit", () => {
    const override = {
      price_vnd: 7,
      unit: "mtok",
      disabled: false,
      later: [
        { from_ms: 10, price_vnd: 8, unit: "request" },
        { from_ms: 20, price_vnd: 9 }
      ]
    } as const
    const soldAt = (model: Model) =>
      [0, 10, 20].map((nowMs) => vndOf(applyOverride(model, override, nowMs)!.price))
    assert.deepStrictEqual(soldAt(perToken), [7, vndOf(perToken.price), 9])
    assert.deepStrictEqual(soldAt(perRequest), [vndOf(perRequest.price), 8, 9])
    assert.deepStrictEqual(overrideOf(perRequest, { [perRequest.id]: override }), {
      price_vnd: null,
      disabled: false,
      later: [
        { from_ms: 10, price_vnd: 8 },
        { from_ms: 20, price_vnd: 9 }
      ]
    })
  })

  it("change the price at their moments, each until the next", () => {
    const later = [
      { from_ms: 10, price_vnd: 8 },
      { from_ms: 20, price_vnd: null }
    ]
    const override = { price_vnd: 7, disabled: false, later }
    const priceAt = (nowMs: number) => applyOverride(perToken, override, nowMs)?.price
    assert.deepStrictEqual(
      [priceAt(9), priceAt(10), priceAt(19)],
      [7, 8, 8].map((perMtokVnd) => ({ _tag: "PerToken", perMtokVnd }))
    )
    assert.deepStrictEqual(priceAt(20), perToken.price)
    assert.deepStrictEqual(
      [9, 10, 20].map((atMs) => spanOf({ a: override, b: { price_vnd: 1, disabled: false } }, atMs)),
      [
        { fromMs: -Infinity, untilMs: 10 },
        { fromMs: 10, untilMs: 20 },
        { fromMs: 20, untilMs: Infinity }
      ]
    )
  })

  it.each([
    [13_000, "10", 14_300],
    [15, "10", 17],
    [14, "10", 15],
    [13_000, "-7.25", 12_058],
    [0, "900", 0],
    [1, "-100", undefined],
    [1_000_000_000, "0.01", undefined],
    [100, "ten", undefined]
  ])("%s VND changed by %s % is %s, halves up", (price, percent, changed) => {
    assert.strictEqual(changeByPercent(price, percent), changed)
  })

  it("leave out what is no override", () => {
    assert.deepStrictEqual(
      readModelOverrides({
        a: { price_vnd: 5 },
        b: { price_vnd: -1 },
        c: 3,
        d: { disabled: true },
        e: { price_vnd: 1.5 },
        f: null,
        g: { price_vnd: null, disabled: true },
        h: { price_vnd: 1_000_000_000 },
        i: { price_vnd: 1_000_000_001 }
      }),
      {
        a: { price_vnd: 5, disabled: false },
        d: { price_vnd: null, disabled: true },
        g: { price_vnd: null, disabled: true },
        h: { price_vnd: 1_000_000_000, disabled: false }
      }
    )
    for (const nothing of [null, undefined]) assert.deepStrictEqual(readModelOverrides(nothing), {})
  })
})
