import { assert, describe, it } from "@effect/vitest"
import { beforeTax } from "../../src/invoices/sepay-einvoice.ts"

describe("a price before tax", () => {
  it.each([0, 5, 8, 10])("is with %d %% of tax the amount again, to the dong", (rate) => {
    for (let amount = 50_000n; amount < 52_000n; amount += 7n) {
      const before = Number(beforeTax(amount, rate))
      assert.strictEqual(Math.round(before + Math.round(before * rate) / 100), Number(amount))
    }
  })
})
