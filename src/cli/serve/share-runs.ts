/** One run for all who ask meanwhile: whoever asks without end makes it run no more often than others need. */
import { Clock, Deferred, Effect } from "effect"

/**
 * Answers by a run of `make` that begins after the question: at once, but no sooner than `restMs` after the last one
 * began.
 */
export const shareRuns = <A>(make: Effect.Effect<A>, restMs: number): Effect.Effect<A> => {
  let next: Deferred.Deferred<A> | undefined
  let lastMs = -Infinity
  const run = Effect.fnUntraced(function* (answer: Deferred.Deferred<A>) {
    const sinceLastMs = (yield* Clock.currentTimeMillis) - lastMs
    // A clock that was put back is no reason to wait for longer.
    yield* Effect.sleep(Math.max(0, Math.min(restMs, restMs - sinceLastMs)))
    lastMs = yield* Clock.currentTimeMillis
    next = undefined
    yield* Deferred.complete(answer, make)
  })
  return Effect.gen(function* () {
    if (next !== undefined) return yield* Deferred.await(next)
    const answer = Deferred.makeUnsafe<A>()
    next = answer
    // Whoever asked first may be gone before the others have their answer.
    yield* Effect.forkDetach(run(answer))
    return yield* Deferred.await(answer)
  })
}
