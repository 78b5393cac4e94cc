import { assert, describe, it } from "@effect/vitest"
import { vi } from "vitest"
import { routeFamilies } from "../../src/telemetry/route-families.ts"
import { RouteRecord } from "../../src/upstream/RouteRecord.ts"

const now = 1_000_000_000

const of = (
  route: string,
  firstByteMs: ReadonlyArray<number>,
  failures: ReadonlyArray<readonly [number, string]>
) => {
  const record = new RouteRecord()
  for (const ms of firstByteMs) record.succeeded(now, ms)
  for (const [afterMs, what] of failures) {
    const date = vi.spyOn(Date, "now").mockReturnValue(now + afterMs)
    record.failed(now + afterMs, what)
    date.mockRestore()
  }
  return record.numbers(route, now + 5_000)
}

describe("the metrics of routes", () => {
  it("are of all threads together, and tell nothing of a route that nobody called", () => {
    const lines = routeFamilies([
      of("p#0", [100, 100, 100], [[2_000, "timeout"]]),
      of(
        "p#0",
        [10_000],
        [
          [1_000, "500"],
          [1_500, "503"],
          [1_600, "503"]
        ]
      ),
      of("p#1", [], [])
    ])
      .join("")
      .split("\n")
    assert.include(lines, 'tollgate_route_attempts{route="p#0"} 8')
    assert.include(lines, 'tollgate_route_success_ratio{route="p#0"} 0.5')
    assert.include(lines, 'tollgate_route_last_error_timestamp_seconds{route="p#0",error="timeout"} 1000002')
    assert.include(lines, 'tollgate_route_attempts{route="p#1"} 0')
    const seconds = (quantile: number) =>
      Number(lines.find((line) => line.includes(`quantile="${quantile}"`))!.split(" ")[1])
    assert.closeTo(seconds(0.5), 0.1, 0.02)
    assert.closeTo(seconds(0.95), 10, 2)
    assert.notInclude(lines.join("\n"), 'success_ratio{route="p#1"')
    assert.notInclude(lines.join("\n"), 'first_byte_seconds{route="p#1"')
  })
})
