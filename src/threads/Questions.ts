/** What other threads have been asked and have not answered yet. */
import { Effect } from "effect"
import type { Worker } from "node:worker_threads"
import type { ToThread } from "./messages.ts"

/** How long an answer is waited for. */
const answerTimeout = "3 seconds"

export class Questions {
  readonly #asked = new Map<number, { readonly worker: Worker; readonly answered: () => void }>()
  #nextId = 1

  newId(): number {
    return this.#nextId++
  }

  /** Whether the thread answered in time. One that ends has nothing more to say. */
  ask(worker: Worker, question: (id: number) => ToThread): Effect.Effect<boolean> {
    const asked = Effect.callback<void>((resume) => {
      const id = this.newId()
      this.#asked.set(id, { worker, answered: () => resume(Effect.void) })
      worker.postMessage(question(id))
      return Effect.sync(() => this.#asked.delete(id))
    })
    return Effect.map(Effect.timeoutOption(asked, answerTimeout), ({ _tag }) => _tag === "Some")
  }

  answered(id: number): void {
    this.#asked.get(id)?.answered()
    this.#asked.delete(id)
  }

  gone(worker: Worker): void {
    for (const [id, asked] of this.#asked) if (asked.worker === worker) this.answered(id)
  }
}
