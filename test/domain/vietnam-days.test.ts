/** Viet Nam's day begins at 17:00 UTC of the day before. */
import { assert, describe, it } from "@effect/vitest"
import {
  dayText,
  startOfDay,
  startOfMonth,
  startOfNamedDay,
  startOfWeek,
  vietnamText,
  vietnamTime
} from "../../src/domain/vietnam-days.ts"

const starts = { day: startOfDay, week: startOfWeek, month: startOfMonth }

describe("the start, in Viet Nam", () => {
  it.each([
    ["day", "2026-11-22T16:59:59.999Z", "2026-11-22"],
    ["day", "2026-11-22T17:00:00Z", "2026-11-23"],
    // A Sunday's last moment, and the Monday's first.
    ["week", "2026-11-22T16:59:59.999Z", "2026-11-16"],
    ["week", "2026-11-22T17:00:00Z", "2026-11-23"],
    ["week", "2026-11-25T05:00:00Z", "2026-11-23"],
    ["month", "2026-10-31T16:59:59.999Z", "2026-10-01"],
    ["month", "2026-10-31T17:00:00Z", "2026-11-01"],
    ["month", "2026-12-31T17:00:00Z", "2027-01-01"]
  ] as const)("of the %s of %s is %s", (period, moment, start) => {
    const startMs = starts[period](Date.parse(moment))
    assert.strictEqual(vietnamTime(startMs), `${start}T00:00:00+07:00`)
    assert.deepStrictEqual([dayText(startMs), startOfNamedDay(start)], [start, startMs])
  })
})

describe("a moment", () => {
  it("is written as it is there, without parts of seconds", () => {
    const moment = Date.parse("2026-11-20T17:05:09.876Z")
    assert.strictEqual(vietnamText(moment), "2026-11-21 00:05:09")
    assert.strictEqual(vietnamTime(moment), "2026-11-21T00:05:09+07:00")
    assert.strictEqual(dayText(moment), "2026-11-21")
  })

  it("is none where the day is none", () => {
    assert.isNaN(startOfNamedDay("2026-13-01"))
  })
})
