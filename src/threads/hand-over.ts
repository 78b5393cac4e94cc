/** Balancers and clients leave a node that stops, for others. */
import { Effect, Schedule } from "effect"
import type { ThreadGroup } from "./ThreadGroup.ts"

const looksPerSecond = 4

/** Calls are served on, but each connection ends with its next answer, for so long, or until no client has had one for a second. */
export const handOver = (
  group: Pick<ThreadGroup, "numbers" | "tellAll">,
  secondsMax: number
): Effect.Effect<void> =>
  Effect.suspend(() => {
    group.tellAll({ kind: "hand over" })
    let looksWithout = 0
    const look = Effect.map(group.numbers(), ({ threads }) => {
      looksWithout = threads.every(({ clientConnections }) => clientConnections === 0) ? looksWithout + 1 : 0
    })
    return look.pipe(
      Effect.repeat({
        until: () => looksWithout === looksPerSecond,
        schedule: Schedule.spaced(1_000 / looksPerSecond)
      }),
      Effect.timeoutOption(secondsMax * 1_000),
      Effect.asVoid
    )
  })
