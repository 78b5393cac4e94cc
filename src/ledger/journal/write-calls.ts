/** Writes calls; what the database will never take is set aside, row by row, so that it holds up no others. */
import { Effect } from "effect"
import type { Escrow } from "../../storage/EscrowStore.ts"
import { packRecord } from "../pack-record.ts"
import type { SessionFailed } from "../session.ts"
import { isRefusal, type QueuedCall } from "./queued-calls.ts"
import type { JournalSession } from "./JournalStore.ts"
import type { CallSpool } from "./CallSpool.ts"

export type WriteCalls = (
  session: JournalSession,
  batch: ReadonlyArray<QueuedCall>,
  escrows: ReadonlyArray<Escrow>
) => Effect.Effect<void, SessionFailed>

export const writeWith = (spool: CallSpool, dateMs: () => number, onRefused: () => void): WriteCalls => {
  const write: WriteCalls = (session, batch, escrows) => {
    const records = batch.map((call) => call.record)
    return session
      .run("commit calls", (store) => store.commit({ records, escrows, nowMs: dateMs() }))
      .pipe(
        Effect.catchIf(isRefusal, (failure) => {
          if (batch.length === 1) return setAside(batch[0]!, failure)
          const half = Math.ceil(batch.length / 2)
          // What the node has must not be told before all that was taken from it is written.
          return Effect.andThen(
            write(session, batch.slice(0, half), []),
            write(session, batch.slice(half), escrows)
          )
        })
      )
  }

  const setAside = ({ record }: QueuedCall, failure: SessionFailed) => {
    onRefused()
    return Effect.logError(`Call ${record.callId} can not be stored: ${String(failure.cause)}`).pipe(
      Effect.andThen(Effect.try({ try: () => spool.setAside([record]), catch: String })),
      // Then the log alone has it, and it still must not hold up others.
      Effect.catch((reason) => Effect.logError(`Nor set aside (${reason})`, packRecord(record)))
    )
  }

  return write
}
