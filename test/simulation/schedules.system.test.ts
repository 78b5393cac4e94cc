/** Some thousand schedules; `run.ts` tries as many as one likes. */
import { assert, describe, it } from "@effect/vitest"
import { describeFinding } from "./describe-finding.ts"
import { simulate } from "./Simulation.ts"

const schedules = 2_000
const timeoutMs = 600_000

describe("nodes on one database, in many schedules", () => {
  it(
    "keep what must hold of money",
    async () => {
      for (let seed = 1; seed <= schedules; seed++) {
        const finding = await simulate(seed)
        assert.isUndefined(finding, finding && describeFinding(finding))
      }
    },
    timeoutMs
  )
})
