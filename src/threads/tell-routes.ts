/** Tells the main thread how routes fare. */
import { Effect } from "effect"
import { steadyMs } from "../telemetry/steady-clock.ts"
import type { RoutesTold, Upstreams } from "../upstream/Upstreams.ts"

const tellEveryMs = 2_000

/** Runs until it is interrupted. Silent while there is nothing to tell, but for once when all is well again. */
export const tellRoutes = (upstreams: Upstreams["Service"], tell: (told: RoutesTold) => void) => {
  let hadConditions = false
  return Effect.sync(() => {
    const told = upstreams.takeHealth(steadyMs())
    const hasConditions = told.conditions.length > 0
    if (told.tallies.length > 0 || hasConditions || hadConditions) tell(told)
    hadConditions = hasConditions
  }).pipe(Effect.delay(tellEveryMs), Effect.forever)
}
