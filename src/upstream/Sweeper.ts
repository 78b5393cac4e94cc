/**
 * One clock for everything that waits: whatever has a limit is asked once a second whether it is reached. A timer for
 * each would cost more than the calls they watch.
 */
import { Context, Effect, Layer } from "effect"
import { Slots } from "../collections/Slots.ts"
import { steadyMs } from "../telemetry/steady-clock.ts"

/** From one look to the next. */
export const sweepMs = 1000

export interface Watched {
  /** `nowMs` by the steady clock. */
  tick(nowMs: number): void
  /** The process stops and waits no longer. */
  cut?(): void
}

export class Sweeper extends Context.Service<
  Sweeper,
  {
    /** Watches until the returned function is called. */
    watch(watched: Watched): () => void
    readonly size: () => number
    /** Ends whatever is still watched, and whatever is to be watched from now on. */
    cutAll(): void
  }
>()("tollgate/upstream/Sweeper") {
  static readonly layer = Layer.effect(
    Sweeper,
    Effect.gen(function* () {
      const watched = new Slots<Watched>()
      const run = Effect.runForkWith(yield* Effect.context<never>())
      let isOver = false
      yield* Effect.suspend(() => {
        const nowMs = steadyMs()
        return told(askAll(watched, (each) => each.tick(nowMs)))
      }).pipe(Effect.delay(sweepMs), Effect.forever, Effect.forkScoped)
      const cut = (some: Iterable<Watched>) => run(told(askAll(some, (each) => each.cut?.())))
      return Sweeper.of({
        watch: (each) => {
          let slot = watched.add(each)
          // Once it knows how it is forgotten.
          if (isOver) queueMicrotask(() => slot !== -1 && cut([each]))
          return () => {
            watched.remove(slot)
            slot = -1
          }
        },
        size: () => watched.size,
        cutAll: () => {
          isOver = true
          cut(watched)
        }
      })
    })
  )
}

/** One that fails must not keep the others from it; the first failure is answered. */
const askAll = (
  watched: Iterable<Watched>,
  ask: (each: Watched) => void
): { readonly cause: unknown } | undefined => {
  let failure: { readonly cause: unknown } | undefined
  for (const each of watched) {
    try {
      ask(each)
    } catch (cause) {
      failure ??= { cause }
    }
  }
  return failure
}

const told = (failure: { readonly cause: unknown } | undefined): Effect.Effect<void> =>
  failure === undefined
    ? Effect.void
    : Effect.logError(`A limit could not be enforced: ${String(failure.cause)}`)
