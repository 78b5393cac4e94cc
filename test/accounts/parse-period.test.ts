import { assert, describe, it } from "@effect/vitest"
import { BadText } from "../../src/accounts/check-text.ts"
import { parsePeriod, readMoment, readStart } from "../../src/accounts/parse-period.ts"
import { isDay } from "../../src/domain/vietnam-days.ts"

const bounds = (from?: string, to?: string) => {
  const period = parsePeriod(from, to)
  if (period instanceof BadText) throw period
  return [period.from?.toISOString(), period.to?.toISOString()]
}

describe("parsePeriod", () => {
  it("takes days as those of Ho Chi Minh City, the last one whole", () => {
    assert.deepStrictEqual(bounds("2026-11-01", "2026-11-30"), [
      "2026-10-31T17:00:00.000Z",
      "2026-11-30T17:00:00.000Z"
    ])
  })

  it("takes moments as they are", () => {
    assert.deepStrictEqual(bounds("2026-11-01T00:00:00Z", "2026-11-01T08:30:00.25+07:00"), [
      "2026-11-01T00:00:00.000Z",
      "2026-11-01T01:30:00.250Z"
    ])
  })

  it("leaves a missing bound open", () => {
    assert.deepStrictEqual(bounds(), [undefined, undefined])
    assert.deepStrictEqual(bounds(undefined, "2026-11-30"), [undefined, "2026-11-30T17:00:00.000Z"])
    assert.deepStrictEqual(bounds("2026-11-30"), ["2026-11-29T17:00:00.000Z", undefined])
  })

  it.each([
    "2026-02-30",
    "2026-13-01",
    "2026-11",
    "30/11/2026",
    "2026-11-30T08:00",
    "2026-11-30T25:00:00Z",
    "2026-11-30T08:00:00+99:00",
    "2026-11-30T08:00:00.0000000001Z",
    "-002026-11-30",
    "-002026-11-30T08:00:00Z",
    "0050-01-01",
    "",
    "now"
  ])("refuses %j", (text) => {
    assert.match((parsePeriod(text, undefined) as { message: string }).message, /--from/)
    assert.match((parsePeriod(undefined, text) as { message: string }).message, /--to/)
  })

  it("names a bound as it was asked for", () => {
    assert.match((parsePeriod("now", undefined, "") as { message: string }).message, /^The time from must/)
  })

  it("goes no further than years of four digits, in any zone", () => {
    const end = "9999-12-31T00:00:00.000Z"
    for (const text of ["9999-12-31", "9999-12-31T23:59:59-12:00"])
      assert.deepStrictEqual(bounds("2026-11-01", text), ["2026-10-31T17:00:00.000Z", end])
  })

  it("refuses a period that ends before it begins", () => {
    assert.match((parsePeriod("2026-11-02", "2026-11-01") as { message: string }).message, /period must end/)
  })

  it("takes the single day that is both bounds", () => {
    assert.deepStrictEqual(bounds("2026-11-02", "2026-11-02"), [
      "2026-11-01T17:00:00.000Z",
      "2026-11-02T17:00:00.000Z"
    ])
  })
})

describe("a single bound", () => {
  it.each([
    ["2026-11-30", true, undefined, "2026-11-29T17:00:00.000Z"],
    ["2026-02-30", false, undefined, undefined],
    ["2026-11-30T08:00:00.123456789+07:00", false, "2026-11-30T01:00:00.123Z", "2026-11-30T01:00:00.123Z"],
    ["2026-02-30T08:00:00Z", false, undefined, undefined],
    ["now", false, undefined, undefined]
  ])("%s is a day: %s; a moment: %s; begins at %s", (text, day, moment, start) => {
    const told = [isDay(text), readMoment(text)?.toISOString(), readStart(text)?.toISOString()]
    assert.deepStrictEqual(told, [day, moment, start])
  })
})
