/** Periods of pages, in days of Viet Nam wherever the browser is. */
import { assert, describe, it } from "@effect/vitest"
import { statementPeriodOf } from "../../src/dashboard/web/pages/statement-period.ts"
import { bucketsOf, periodOf } from "../../src/dashboard/web/pages/usage-period.ts"

const none = { from: "", to: "" }
/** The first of January in Viet Nam, and still the last of December in Greenwich. */
const newYear = Date.parse("2026-12-31T17:30:00Z")
const at = (time: string) => Date.parse(`${time}+07:00`)

describe("a period of the usage page", () => {
  it("ends with the hour that runs, or with the day that runs there", () => {
    assert.deepStrictEqual(periodOf("day", none, newYear), {
      from: at("2026-12-31T01:00"),
      to: at("2027-01-01T01:00"),
      bucket: "hour"
    })
    const to = at("2027-01-02T00:00")
    assert.deepStrictEqual(periodOf("week", none, newYear), {
      from: at("2026-12-26T00:00"),
      to,
      bucket: "day"
    })
    assert.deepStrictEqual(periodOf("thisMonth", none, newYear), {
      from: at("2027-01-01T00:00"),
      to,
      bucket: "day"
    })
  })

  it.each([
    [{ from: "2026-11-01", to: "2026-11-01" }, 24, "hour"],
    [{ from: "2026-11-01", to: "2026-11-02" }, 48, "hour"],
    [{ from: "2026-11-01", to: "2026-11-03" }, 3, "day"]
  ] as const)("of one's own holds both of its days: %j", (custom, buckets, bucket) => {
    const period = periodOf("custom", custom, newYear)!
    assert.strictEqual(period.bucket, bucket)
    assert.lengthOf(bucketsOf(period), buckets)
    assert.strictEqual(bucketsOf(period)[0], at("2026-11-01T00:00"))
  })

  it.each([none, { from: "2026-11-02", to: "2026-11-01" }, { from: "2025-01-01", to: "2026-11-01" }])(
    "of one's own is none where it has no days, wrong ones or too many: %j",
    (custom) => assert.isUndefined(periodOf("custom", custom, newYear))
  )
})

describe("a period of the statement", () => {
  it.each([
    ["thisMonth", "2027-01-01", "2027-01-01"],
    ["lastMonth", "2026-12-01", "2026-12-31"],
    ["thisYear", "2027-01-01", "2027-01-01"],
    ["all", undefined, "2027-01-01"]
  ] as const)("%s goes by Viet Nam's calendar", (name, from, to) => {
    assert.deepStrictEqual(statementPeriodOf(name, none, newYear), { from, to })
  })

  it.each([
    [{ from: "2026-02-30", to: "2026-03-01" }, false],
    [{ from: "2026-03-02", to: "2026-03-01" }, false],
    [{ from: "2026-3-1", to: "2026-03-02" }, false],
    [{ from: "2026-02-28", to: "2026-02-28" }, true]
  ])("of one's own has days that there are, in order: %j", (custom, isOne) => {
    assert.deepStrictEqual(statementPeriodOf("custom", custom, newYear), isOne ? custom : undefined)
  })
})
