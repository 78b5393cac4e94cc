/** Time that never goes back, for what is counted from one moment to another. */
import { Clock, Effect } from "effect"

const nsPerMs = 1_000_000n

export const monotonicMsOf = (clock: Clock.Clock): number =>
  Number(clock.monotonicTimeNanosUnsafe() / nsPerMs)

export const monotonicMs: Effect.Effect<number> = Clock.clockWith((clock) =>
  Effect.sync(() => monotonicMsOf(clock))
)
