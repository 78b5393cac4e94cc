/** Asks of actors in tests: each answer is noted when it has come. */
import { Effect, Exit } from "effect"
import type { Unavailable } from "../../src/actors/Actor.ts"

export class Answers<A> {
  readonly all: Array<A | "unavailable"> = []

  note(asked: Effect.Effect<A, Unavailable>): void {
    Effect.runCallback(asked, {
      onExit: (exit) => this.all.push(Exit.isSuccess(exit) ? exit.value : "unavailable")
    })
  }
}

/** Lets everything happen that waits for nothing but its turn. */
export const settled: Effect.Effect<void> = Effect.promise(async () => {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve))
})

export const fork = (serve: Effect.Effect<void>): void => void Effect.runFork(serve)

/** Work that a test ends when it likes, the first that was begun first. */
export class Pending<Asked, Result> {
  readonly asked: Array<Asked> = []
  readonly #resumes: Array<(result: Effect.Effect<Result, Unavailable>) => void> = []

  get waiting(): number {
    return this.#resumes.length
  }

  begin(asked: Asked): Effect.Effect<Result, Unavailable> {
    return Effect.callback((resume) => {
      this.asked.push(asked)
      this.#resumes.push(resume)
    })
  }

  end(result: Effect.Effect<Result, Unavailable>): void {
    this.#resumes.shift()?.(result)
  }
}
