/** Puts calls on disk that have waited too long for the database, and answers for them. */
import { Effect } from "effect"
import type { QueuedCall } from "./queued-calls.ts"
import type { CallSpool } from "./CallSpool.ts"

/** What can not be written is tried again by whoever calls; the log says so once. */
export const spoolWith = (spool: CallSpool, onSpooled: () => void) => {
  let isFailing = false
  return (calls: ReadonlyArray<QueuedCall>): Effect.Effect<void> => {
    if (calls.length === 0) return Effect.void
    return Effect.try({
      try: () => spool.append(calls.map((call) => call.record)),
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
            for (const call of calls) {
              call.spooled = true
              onSpooled()
              call.done("spooled")
            }
          })
      })
    )
  }
}
