/** What other threads have been asked and have not answered yet. */
import { Effect, type Option } from "effect"
import type { Worker } from "node:worker_threads"
import type { FromThread, ToThread } from "./messages.ts"

/** How long an answer is waited for, where nothing else is said. */
const answerTimeout = "3 seconds"

/** Nothing where no answer came in time; `undefined` from a thread that ends, which has nothing more to say. */
export type Answered = Option.Option<FromThread | undefined>

interface Asked {
  readonly worker: Worker
  readonly answered: (answer: FromThread | undefined) => void
}

export class Questions {
  readonly #asked = new Map<number, Asked>()
  #nextId = 1

  newId(): number {
    return this.#nextId++
  }

  ask(
    worker: Worker,
    question: (id: number) => ToThread,
    timeout: `${number} seconds` = answerTimeout
  ): Effect.Effect<Answered> {
    const asked = Effect.callback<FromThread | undefined>((resume) => {
      const id = this.newId()
      this.#asked.set(id, { worker, answered: (answer) => resume(Effect.succeed(answer)) })
      worker.postMessage(question(id))
      return Effect.sync(() => this.#asked.delete(id))
    })
    return Effect.timeoutOption(asked, timeout)
  }

  answered(id: number, answer?: FromThread): void {
    this.#asked.get(id)?.answered(answer)
    this.#asked.delete(id)
  }

  gone(worker: Worker): void {
    for (const [id, asked] of this.#asked) if (asked.worker === worker) this.answered(id)
  }
}
