/** Faults of the main thread that nobody caught: those of libraries are logged, one of our own ends the program in order. */
import { Deferred, Effect, Schema } from "effect"
import { watchFaults } from "../../threads/watch-faults.ts"

export class OwnFault extends Schema.TaggedError<OwnFault>()("OwnFault", {}) {
  override get message() {
    return "ended because of a fault in the program itself, which the log tells"
  }
}

/** Watches from now on; what is answered fails when the program has to end. */
export const watchMainThread = Effect.gen(function* () {
  const fault = yield* Deferred.make<never, OwnFault>()
  const run = Effect.runForkWith(yield* Effect.context<never>())
  yield* Effect.acquireRelease(
    Effect.sync(() =>
      watchFaults({
        outlive: (description) => run(Effect.logError(description)),
        end: (description) => {
          run(Effect.logFatal(description))
          Deferred.doneUnsafe(fault, Effect.fail(new OwnFault()))
        }
      })
    ),
    (unwatch) => Effect.sync(unwatch)
  )
  return fault
})
