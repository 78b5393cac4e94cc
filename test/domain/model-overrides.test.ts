import { assert, describe, it } from "@effect/vitest"
import { Catalogue } from "../../src/domain/catalogue.ts"
import records from "../../src/domain/catalogue.json" with { type: "json" }
import { applyOverride, readModelOverrides } from "../../src/domain/model-overrides.ts"

describe("model overrides", () => {
  const { models } = new Catalogue(records)
  const perToken = models.find(({ price }) => price._tag === "PerToken")!
  const perRequest = models.find(({ price }) => price._tag === "PerRequest")!

  it("change the price and nothing else, in the model's own unit", () => {
    const override = { price_vnd: 7, disabled: false }
    assert.deepStrictEqual(applyOverride(perToken, override), {
      ...perToken,
      price: { _tag: "PerToken", perMtokVnd: 7 }
    })
    assert.deepStrictEqual(applyOverride(perRequest, override), {
      ...perRequest,
      price: { _tag: "PerRequest", perRequestVnd: 7 }
    })
    assert.strictEqual(applyOverride(perToken, undefined), perToken)
    assert.strictEqual(applyOverride(perToken, { price_vnd: null, disabled: false }), perToken)
    assert.isUndefined(applyOverride(perToken, { price_vnd: 7, disabled: true }))
  })

  it("leave out what is no override", () => {
    assert.deepStrictEqual(
      readModelOverrides({
        a: { price_vnd: 5 },
        b: { price_vnd: -1 },
        c: 3,
        d: { disabled: true },
        e: { price_vnd: 1.5 }
      }),
      { a: { price_vnd: 5, disabled: false }, d: { price_vnd: null, disabled: true } }
    )
    assert.deepStrictEqual(readModelOverrides(null), {})
  })
})
