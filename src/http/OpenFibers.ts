/**
 * The fibers of a server: what is under way, so that an end can wait for it or break it off. Effect's `FiberSet` does the
 * same with a `Set`, which costs a server too much: see `Slots`.
 */
import { Effect, Fiber, type Scope } from "effect"
import { Slots } from "../collections/Slots.ts"

export class OpenFibers {
  readonly #fibers = new Slots<Fiber.Fiber<unknown>>()
  readonly #fork: (effect: Effect.Effect<unknown>) => Fiber.Fiber<unknown>
  #whenEmpty: Array<() => void> = []

  /** When the scope closes, what is still under way is interrupted. */
  static readonly make: Effect.Effect<OpenFibers, never, Scope.Scope> = Effect.acquireRelease(
    Effect.map(Effect.context<never>(), (context) => new OpenFibers(Effect.runForkWith(context))),
    (open) => Effect.suspend(() => Fiber.interruptAll([...open.#fibers]))
  )

  private constructor(fork: (effect: Effect.Effect<unknown>) => Fiber.Fiber<unknown>) {
    this.#fork = fork
  }

  run(effect: Effect.Effect<unknown>): Fiber.Fiber<unknown> {
    const fiber = this.#fork(effect)
    const slot = this.#fibers.add(fiber)
    fiber.addObserver(() => {
      this.#fibers.remove(slot)
      if (this.#fibers.size > 0) return
      for (const tell of this.#whenEmpty.splice(0)) tell()
    })
    return fiber
  }

  /** Waits until nothing is under way. */
  readonly whenEmpty: Effect.Effect<void> = Effect.callback((resume) => {
    const tell = () => resume(Effect.void)
    if (this.#fibers.size === 0) tell()
    else this.#whenEmpty.push(tell)
  })
}
