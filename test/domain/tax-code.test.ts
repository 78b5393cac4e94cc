import { assert, describe, it } from "@effect/vitest"
import { isTaxCode, typedTaxCode } from "../../src/domain/tax-code.ts"

describe("a tax code", () => {
  it.each([
    ["0101234567", "0101234567"],
    [" 0101 234 567\u200b", "0101234567"],
    ["0101234567-001", "0101234567-001"],
    ["0101234567 - 001", "0101234567-001"],
    ["0101234567\u2013001", "0101234567-001"],
    ["0101234567001", "0101234567-001"],
    ["０１０１２３４５６７", "0101234567"],
    ["012345678901", "012345678901"]
  ])("that is typed as %j is kept as %s", (typed, code) => {
    assert.strictEqual(typedTaxCode(typed), code)
    assert.isTrue(isTaxCode(code))
  })

  it.each([
    "",
    "010123456",
    "01012345678",
    "0101234567--001",
    "0101234567-01",
    "01012345678901",
    "MST 0101234567"
  ])("is none where %j was typed", (typed) => assert.isFalse(isTaxCode(typedTaxCode(typed))))
})
