/** Schedules that anybody's run tries, and that each part of the lease is missed when it is taken out. */
import { assert, describe, it } from "@effect/vitest"
import type { Breaks } from "./breaks.ts"
import { brokenLeases } from "./breaks.ts"
import { describeFinding } from "./describe-finding.ts"
import { simulate } from "./Simulation.ts"

/** As many as are quickly run, of others than `schedules.system.test.ts` takes. */
const firstSeed = 1_000_000
const schedules = 50
/** Each is found with a tenth of them, whichever come first. */
const schedulesMax = 1_500
const timeoutMs = 300_000

describe("nodes on one database, with whatever befalls them", () => {
  it(
    "keep what must hold of money",
    async () => {
      for (let seed = firstSeed; seed < firstSeed + schedules; seed++) {
        const finding = await simulate(seed)
        assert.isUndefined(finding, finding && describeFinding(finding))
      }
    },
    timeoutMs
  )

  it("do the same for the same seed", async () => {
    const { Simulation } = await import("./Simulation.ts")
    const traceOf = async () => {
      const simulation = new Simulation(7, {}, true)
      await simulation.run()
      return simulation.world.trace
    }
    assert.deepStrictEqual(await traceOf(), await traceOf())
  })

  for (const [name, { breaks, found }] of Object.entries(brokenLeases)) {
    it(`are found at fault with ${name}`, () => findFault(breaks, found), timeoutMs)
  }
})

const findFault = async (breaks: Breaks, found: RegExp): Promise<void> => {
  for (let seed = 1; seed <= schedulesMax; seed++) {
    const finding = await simulate(seed, breaks)
    if (finding === undefined) continue
    assert.match(finding.message, found)
    return
  }
  assert.fail(`nothing found in ${schedulesMax} schedules`)
}
