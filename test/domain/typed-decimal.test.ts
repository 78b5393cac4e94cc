/** Decimals as people type them: read as what they mean, or not at all. */
import { assert, describe, it } from "@effect/vitest"
import { readTypedDecimal, readTypedPercent } from "../../src/domain/typed-decimal.ts"

describe("a decimal that is typed", () => {
  it.each([
    ["3", "3"],
    [" 0,15 ", "0.15"],
    ["0.0375", "0.0375"],
    ["26350,5", "26350.5"],
    ["26350\u200b", "26350"],
    ["3.100", undefined],
    ["3.10", "3.1"],
    ["10", "10"],
    ["2.0", "2"],
    // Nobody sets a zero apart from thousands, nor four digits.
    ["0.125", "0.125"],
    ["1250", "1250"],
    ["1.2500", "1.25"],
    ["1.250", undefined],
    ["26,350", undefined],
    ["1,250.5", undefined],
    ["-1", undefined],
    ["1e3", undefined],
    ["5%", undefined],
    [".5", undefined],
    ["", undefined]
  ])("%j is read as %s", (typed, decimal) => {
    assert.strictEqual(readTypedDecimal(typed), decimal)
  })
})

describe("a percentage that is typed", () => {
  it.each([
    ["5", "5"],
    [" 12,5 % ", "12.5"],
    ["-5%", "-5"],
    ["+5%", "5"],
    ["+-5", undefined],
    ["\u200b5", "5"],
    ["−0.50", "-0.5"],
    ["100.00", "100"],
    ["1.250", undefined],
    ["1000", undefined],
    ["five", undefined],
    ["%", undefined]
  ])("%j is read as %s", (typed, percent) => {
    assert.strictEqual(readTypedPercent(typed), percent)
  })
})
