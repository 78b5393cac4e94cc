/** How old what `/status` says may be. */
import { assert, describe, it } from "@effect/vitest"
import type { DashboardContext } from "../../src/dashboard/DashboardContext.ts"
import { StatusReader } from "../../src/dashboard/service-status.ts"

const now = 1_800_000_000_000

describe("the status of the service", () => {
  it("is kept for ten seconds, and asked anew then and where the clock is set back", async () => {
    let asked = 0
    const query = () => Promise.resolve(++asked)
    const reader = new StatusReader({ query } as unknown as DashboardContext)
    for (const ms of [0, 9_999, 10_000, 11_000, -3_600_000, -3_599_000]) await reader.read(now + ms)
    assert.strictEqual(asked, 3)
  })
})
