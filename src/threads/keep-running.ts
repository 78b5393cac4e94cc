/** Runs again, with back-off, what must not stay ended. */
import { Clock, Effect, Schema } from "effect"
import { Pauses } from "../collections/Pauses.ts"

export class HelperFailed extends Schema.TaggedError<HelperFailed>()("HelperFailed", {
  thread: Schema.String,
  reason: Schema.String
}) {
  override get message() {
    return `The ${this.thread} has failed: ${this.reason}`
  }
}

const pauseSettings = { delaysMs: [500, 2_000, 10_000, 30_000], steadyMs: 60_000 }

/** Gives up only where it never came up at all. */
export const keepRunning = (run: Effect.Effect<never, HelperFailed>, isUp: () => boolean) =>
  Effect.gen(function* () {
    const pauses = new Pauses(pauseSettings)
    while (true) {
      const startedMs = yield* Clock.currentTimeMillis
      const failure = yield* Effect.flip(run)
      if (!isUp()) return yield* failure
      yield* Effect.logError(`${failure.message}; it is started again`)
      yield* Effect.sleep(pauses.after((yield* Clock.currentTimeMillis) - startedMs))
    }
  })
