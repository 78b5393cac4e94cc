/**
 * Group commit: everything that waits is written in one statement, and again as soon as that commit returns.
 *
 * Reads that must see what is committed and what is not (claims on wallets above all) run on the same connection,
 * between commits. While the database is away, records wait; one that has waited too long goes to the spool file and
 * its caller is answered. Repeating a batch whose outcome is unknown is harmless.
 */
import { Cause, Clock, Context, Effect, Layer } from "effect"
import type { CallRecord } from "../domain/call.ts"
import { JournalFailed, openSession } from "./JournalSession.ts"
import {
  batchMax,
  type JournalRead,
  type JournalState,
  JournalWriter,
  type Outcome
} from "./JournalWriter.ts"
import { Spool } from "./Spool.ts"

export class Journal extends Context.Service<
  Journal,
  {
    readonly state: Readonly<JournalState>
    readonly queued: () => number
    /** `done` is called once the record is committed or spooled. */
    append(record: CallRecord, done: (outcome: Outcome) => void): void
    read(read: JournalRead): void
    /** Called after every new session: what was claimed on the former one is void. */
    onSession(listener: () => void): void
    /** Called when the database no longer answers: what is claimed now may be claimed by others. */
    onLoss(listener: () => void): void
  }
>()("tollgate/ledger/Journal") {}

export interface JournalOptions {
  readonly databaseUrl: string
  readonly dataDir: string
}

const retryDelay = "200 millis"

export const layer = (options: JournalOptions) =>
  Layer.effect(
    Journal,
    Effect.gen(function* () {
      const writer = new JournalWriter(new Spool(options.dataDir, yield* Clock.currentTimeMillis))
      yield* Effect.acquireRelease(Effect.void, () => writer.flush(options.databaseUrl))
      const left = writer.spool.leftBehind()
      for (const record of left.records) writer.append(record, () => {})
      const replayTurns = Math.ceil(left.records.length / batchMax)
      let forgetLeft = left.forget

      const serveSession = Effect.fnUntraced(function* () {
        const session = yield* openSession({
          databaseUrl: options.databaseUrl,
          formerNodeId: writer.formerNodeId(),
          onLost: () => writer.suspend()
        })
        writer.begin(session)
        for (let turn = 0; turn <= replayTurns; turn++) yield* writer.turn(session)
        yield* writer.sayReturned
        forgetLeft()
        forgetLeft = () => {}
        return yield* Effect.forever(Effect.andThen(writer.waitForWork, writer.turn(session)), {
          disableYield: true
        })
      }, Effect.scoped)

      yield* Effect.suspend(serveSession).pipe(
        Effect.catchTag("JournalFailed", (failure) => writer.lose(failure)),
        // Whatever else goes wrong, the journal goes on with a new session.
        Effect.catchCause((cause) =>
          Cause.hasInterrupts(cause)
            ? Effect.failCause(cause)
            : writer.lose(new JournalFailed({ operation: "serve", cause: Cause.squash(cause) }))
        ),
        Effect.andThen(Effect.sleep(retryDelay)),
        Effect.forever,
        Effect.forkScoped
      )
      yield* writer.spoolOverdue.pipe(Effect.delay("250 millis"), Effect.forever, Effect.forkScoped)
      return Journal.of({
        state: writer.state,
        queued: () => writer.queued,
        append: (record, done) => writer.append(record, done),
        read: (read) => writer.read(read),
        onSession: (listener) => writer.sessionListeners.push(listener),
        onLoss: (listener) => writer.lossListeners.push(listener)
      })
    })
  )
