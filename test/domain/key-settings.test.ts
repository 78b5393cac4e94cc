import { assert, describe, it } from "@effect/vitest"
import { type Budget, budgetAfter, isModelAllowed, periodEndMs } from "../../src/domain/key-settings.ts"
import { vietnamTime } from "../../src/domain/vietnam-days.ts"

const at = (text: string) => Date.parse(text)
const endOf = (period: "day" | "week" | "month", text: string) => vietnamTime(periodEndMs(period, at(text))!)

describe("the period of a budget", () => {
  it.each([
    ["day", "2026-11-22T16:59:59.999Z", "2026-11-23T00:00:00+07:00"],
    ["day", "2026-11-22T17:00:00Z", "2026-11-24T00:00:00+07:00"],
    ["week", "2026-11-22T16:59:59.999Z", "2026-11-23T00:00:00+07:00"],
    ["week", "2026-11-22T17:00:00Z", "2026-11-30T00:00:00+07:00"],
    ["month", "2026-12-31T16:59:59.999Z", "2027-01-01T00:00:00+07:00"],
    ["month", "2026-12-31T17:00:00Z", "2027-02-01T00:00:00+07:00"],
    ["month", "2028-02-10T00:00:00Z", "2028-03-01T00:00:00+07:00"]
  ] as const)("of a %s ends at midnight in Viet Nam: %s", (period, moment, end) => {
    assert.strictEqual(endOf(period, moment), end)
  })

  it("without an end has none", () => {
    assert.isUndefined(periodEndMs("total", 0))
  })
})

describe("a budget that is set anew", () => {
  const monthly: Budget = { amount: 5n, period: "month" }

  it("keeps what is not said of it", () => {
    assert.deepStrictEqual(budgetAfter(monthly, { amount: 7n }), { amount: 7n, period: "month" })
    assert.deepStrictEqual(budgetAfter(monthly, { period: "day" }), { amount: 5n, period: "day" })
    assert.deepStrictEqual(budgetAfter(monthly, { amount: 7n, period: "day" }), { amount: 7n, period: "day" })
  })

  it("is for good where nothing else was ever said, and needs an amount", () => {
    assert.deepStrictEqual(budgetAfter(null, { amount: 7n }), { amount: 7n, period: "total" })
    assert.isUndefined(budgetAfter(null, { period: "day" }))
  })
})

describe("the models of a key", () => {
  it("are all where none are named", () => {
    assert.isTrue(isModelAllowed({ models: undefined, endpoints: undefined, allowedIps: undefined }, "any"))
  })

  const rules = (models: ReadonlyArray<string>) => ({ models, endpoints: undefined, allowedIps: undefined })

  it.each([
    ["claude-opus-5", ["claude-opus-5"], true],
    ["claude-opus-5", ["claude-opus"], false],
    ["claude-opus-5", ["claude-*"], true],
    ["svc/claude-opus-5", ["claude-*"], false],
    ["claudette", ["claude-*"], false],
    ["svc/claude-opus-5", ["gpt-*", "svc/*"], true],
    ["anything", ["*"], true]
  ] as const)("allow %s by %j: %s", (id, models, allowed) => {
    assert.strictEqual(isModelAllowed(rules(models), id), allowed)
  })
})
