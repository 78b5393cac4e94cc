/** How a journal ends: what is left is written, or is on disk for the next start. */
import { Effect, Schedule } from "effect"
import type { SessionFailed } from "../session.ts"
import type { JournalWriter } from "./JournalWriter.ts"

/** A database that is only slow, or holds what a cut commit has locked, takes it within this time. */
const patience = "5 seconds"

/** What the database does not take at once is safe on disk while it is offered again. */
export const endJournal = (
  writer: JournalWriter,
  write: Effect.Effect<void, SessionFailed>
): Effect.Effect<void> => {
  const writeAgain = Effect.retry(write, Schedule.spaced("200 millis")).pipe(
    Effect.timeoutOption(patience),
    Effect.ignore
  )
  const sayLeft = Effect.suspend(() => {
    const { queued } = writer
    if (queued === 0) return Effect.void
    return Effect.logWarning(
      `The database did not take the last ${queued} calls: the next start writes what of them is on disk`
    )
  })
  return Effect.ignore(writer.hasWork ? write : Effect.void).pipe(
    Effect.andThen(writer.spoolAll),
    Effect.andThen(Effect.suspend(() => (writer.queued > 0 ? writeAgain : Effect.void))),
    Effect.andThen(sayLeft),
    Effect.andThen(Effect.sync(() => writer.spool.close()))
  )
}
