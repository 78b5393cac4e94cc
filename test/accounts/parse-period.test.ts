import { assert, describe, it } from "@effect/vitest"
import { type Period, parsePeriod } from "../../src/accounts/parse-period.ts"

const bounds = (from?: string, to?: string) => {
  const period = parsePeriod(from, to) as Period
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
    assert.deepStrictEqual(bounds(undefined, "2026-11-30")[0], undefined)
  })

  it.each([
    "2026-02-30",
    "2026-13-01",
    "2026-11",
    "30/11/2026",
    "2026-11-30T08:00",
    "2026-11-30T25:00:00Z",
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
    assert.match((parsePeriod("2026-11-02", "2026-11-01") as { message: string }).message, /period/)
  })

  it("takes the single day that is both bounds", () => {
    assert.deepStrictEqual(bounds("2026-11-02", "2026-11-02"), [
      "2026-11-01T17:00:00.000Z",
      "2026-11-02T17:00:00.000Z"
    ])
  })
})
