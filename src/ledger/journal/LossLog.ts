/** Says once that the database is away, and once that it is back, however often it is tried between. */
import { Effect } from "effect"
import type { SessionFailed } from "../session.ts"

export class LossLog {
  /** A loss that the log has not told of yet, or has and its end not yet. */
  #loss: "none" | "untold" | "told" = "none"

  begin(): void {
    this.#loss = "untold"
  }

  tell({ cause, operation }: SessionFailed): Effect.Effect<void> {
    return Effect.suspend(() => {
      if (this.#loss !== "untold") return Effect.void
      this.#loss = "told"
      return Effect.logError(`Database away (${operation}): ${String(cause)}`)
    })
  }

  readonly end: Effect.Effect<void> = Effect.suspend(() => {
    if (this.#loss !== "told") return Effect.void
    this.#loss = "none"
    return Effect.logInfo("Database back: calls are admitted again")
  })
}
