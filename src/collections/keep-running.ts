/** Runs again, with back-off, what must not stay ended: threads, and PostgreSQL. */
import { Clock, Effect } from "effect"
import { Pauses, type PauseSettings } from "./Pauses.ts"

export interface KeepOptions {
  readonly pauses: PauseSettings
  /** Asked each time it has ended, before it is told of: where it is not wanted any more, its failure is the answer. */
  readonly isWanted?: () => boolean
}

/** `life` fails whenever what it runs has ended, with why. */
export const keepRunning = <E extends { readonly message: string }, R>(
  life: Effect.Effect<never, E, R>,
  { isWanted = always, pauses: settings }: KeepOptions
): Effect.Effect<never, E, R> =>
  Effect.gen(function* () {
    const pauses = new Pauses(settings)
    while (true) {
      const startedMs = yield* Clock.currentTimeMillis
      const failure = yield* Effect.flip(life)
      if (!isWanted()) return yield* Effect.fail(failure)
      yield* Effect.logError(`${failure.message}; it is started again`)
      yield* Effect.sleep(pauses.after((yield* Clock.currentTimeMillis) - startedMs))
    }
  })

const always = () => true
