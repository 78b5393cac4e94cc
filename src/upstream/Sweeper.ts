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
      let isOver = false
      yield* Effect.suspend(() => {
        const failure = tickAll(watched, steadyMs())
        return failure === undefined
          ? Effect.void
          : Effect.logError(`A limit could not be enforced: ${String(failure.cause)}`)
      }).pipe(Effect.delay(sweepMs), Effect.forever, Effect.forkScoped)
      return Sweeper.of({
        watch: (each) => {
          let slot = watched.add(each)
          // Once it knows how it is forgotten.
          if (isOver) queueMicrotask(() => each.cut?.())
          return () => {
            watched.remove(slot)
            slot = -1
          }
        },
        size: () => watched.size,
        cutAll: () => {
          isOver = true
          for (const each of watched) each.cut?.()
        }
      })
    })
  )
}

/** One that fails must not stop the clock of all others; the first failure is told. */
const tickAll = (watched: Slots<Watched>, nowMs: number): { readonly cause: unknown } | undefined => {
  let failure: { readonly cause: unknown } | undefined
  for (const each of watched) {
    try {
      each.tick(nowMs)
    } catch (cause) {
      failure ??= { cause }
    }
  }
  return failure
}
