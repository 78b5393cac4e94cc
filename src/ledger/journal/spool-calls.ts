/** Puts calls on disk that have waited too long for the database, and answers for them. */
import { Effect } from "effect"
import type { Entry } from "./entries.ts"
import type { CallSpool } from "./CallSpool.ts"

/** What can not be written is tried again by whoever calls; the log says so once. */
export const spoolWith = (spool: CallSpool, onSpooled: () => void) => {
  let isFailing = false
  return (entries: ReadonlyArray<Entry>): Effect.Effect<void> => {
    if (entries.length === 0) return Effect.void
    return Effect.try({
      try: () => spool.append(entries.map((entry) => entry.record)),
      catch: String
    }).pipe(
      Effect.matchEffect({
        onFailure: (reason) => {
          if (isFailing) return Effect.void
          isFailing = true
          return Effect.logError(`Spool can not be written: ${reason}`)
        },
        onSuccess: () =>
          Effect.sync(() => {
            isFailing = false
            for (const entry of entries) {
              entry.spooled = true
              onSpooled()
              entry.done("spooled")
            }
          })
      })
    )
  }
}
