/** For tests: on SIGUSR2 a thread dies of a fault. */
import { Effect } from "effect"

export const crashOnSignal = (crash: () => void) =>
  Effect.acquireRelease(
    Effect.sync(() => process.on("SIGUSR2", crash)),
    () => Effect.sync(() => process.off("SIGUSR2", crash))
  )
