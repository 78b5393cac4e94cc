/**
 * The fibers of a server: what is under way, so that an end can wait for it or break it off. Effect's `FiberSet` does the
 * same with a `Set`, which costs a server too much: see `Slots`.
 */
import { Effect, Fiber, type Scope } from "effect"
import { Slots } from "../collections/Slots.ts"
import { Underway } from "./Underway.ts"

export class OpenFibers {
  readonly #fibers = new Slots<Fiber.Fiber<unknown>>()
  readonly #fork: (effect: Effect.Effect<unknown>) => Fiber.Fiber<unknown>
  readonly #underway = new Underway()

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
    const ended = this.#underway.add()
    fiber.addObserver(() => {
      this.#fibers.remove(slot)
      ended()
    })
    return fiber
  }

  /** Breaks off what is under way. */
  interrupt(): void {
    for (const fiber of this.#fibers) fiber.interruptUnsafe()
  }

  /** Waits until nothing is under way. */
  readonly whenEmpty = this.#underway.whenNone
}
