/** How much is under way, so that a stop can wait until nothing is. */
import { Effect } from "effect"

export class Underway {
  #count = 0
  #whenNone: Array<() => void> = []

  /** One more, until the returned function is called, once. */
  add(): () => void {
    this.#count++
    return () => {
      this.#count--
      if (this.#count > 0) return
      for (const tell of this.#whenNone.splice(0)) tell()
    }
  }

  /** Waits until there is none. */
  readonly whenNone: Effect.Effect<void> = Effect.callback((resume) => {
    const tell = () => resume(Effect.void)
    if (this.#count === 0) tell()
    else this.#whenNone.push(tell)
  })
}
