/**
 * Mixed load under faults of every kind. Its length is `SOAK_SECONDS`, 30 by default, beside the other
 * tests; `test/chaos/soak.ts` runs for as long as one likes and is strict about memory, which needs time to settle.
 */
import { assert } from "@effect/vitest"
import { describe, it } from "vitest"
import { soak } from "../chaos/soak.ts"

const seconds = Number(process.env["SOAK_SECONDS"] ?? 30)
const long = seconds >= 600

describe("under load and faults", () => {
  it(
    "no process dies, every answer is one of the contract's, and every dong is accounted for",
    { timeout: (seconds + 180) * 1000 },
    async () => {
      const report = await soak({ seconds, seed: 4 })
      process.stdout.write(`${JSON.stringify(report)}\n`)
      assert.deepStrictEqual(report.broken, [])
      assert.strictEqual(Object.keys(report.faults).length, 6, "every kind of fault has happened")
      assert.isAbove(report.complete, 50)
      assert.isAtLeast(report.threadRestarts, 1)
      // A short run ends before memory has settled.
      assert.isAtMost(report.lastMemory, report.middleMemory * (long ? 1.05 : 1.2))
    }
  )
})
