/**
 * Group commit: everything that waits is written in one statement, and again as soon as that commit returns.
 *
 * What must see what is committed and what is not (claims on wallets above all) runs on the same connection, between
 * commits. While the database is away, records wait; one that has waited too long goes to the spool file and its caller
 * is answered. Repeating a batch whose outcome is unknown is harmless.
 */
import { Cause, Clock, Context, Effect, Layer } from "effect"
import type { CallRecord } from "../../domain/call.ts"
import { NodeLife } from "../NodeLife.ts"
import { SessionFailed } from "../session.ts"
import type { CallSpool } from "./CallSpool.ts"
import type { JournalConnector, JournalSession } from "./JournalStore.ts"
import type { BetweenCommits, Outcome, WalletOwner } from "./queued-calls.ts"
import type { JournalState } from "./journal-state.ts"
import { endJournal } from "./end-journal.ts"
import { batchMax, JournalWriter } from "./JournalWriter.ts"
import { Spool } from "./Spool.ts"

export class Journal extends Context.Service<
  Journal,
  {
    readonly state: Readonly<JournalState>
    readonly queued: () => number
    /** Since how many ms something has lain idle here that the database was not told to be free; 0: nothing does. */
    readonly untoldMs: () => number
    /** `done` is called once the record is committed, spooled or left unpaid; after `spooled` once more. */
    append(record: CallRecord, done: (outcome: Outcome) => void): void
    /** Leaves the row of a call that could not be charged. */
    appendUnpaid(record: CallRecord): void
    /** Runs it before long, together with all that waits for the same. */
    between(work: BetweenCommits): void
    /** Something lies idle that others may lack. */
    giveBack(): void
    /** The process ends: what the database does not take is not waited for any longer, and answered. */
    hurry(): void
    /** Whose wallets it writes. */
    serves(owner: WalletOwner): void
    /** Called when the database no longer answers. */
    onLoss(listener: () => void): void
  }
>()("tollgate/ledger/Journal") {}

export interface JournalOptions {
  readonly connector: JournalConnector
  readonly spool: CallSpool
}

const retryDelay = "200 millis"

export const layer = (options: { readonly connector: JournalConnector; readonly dataDir: string }) =>
  Layer.effect(
    Journal,
    Effect.gen(function* () {
      const startedMs = yield* Clock.currentTimeMillis
      return yield* make({ connector: options.connector, spool: new Spool(options.dataDir, startedMs) })
    })
  )

export const make = Effect.fnUntraced(function* ({ connector, spool }: JournalOptions) {
  const life = yield* NodeLife
  const clock = yield* Clock.Clock
  const dateMs = () => life.deadline.dateMs()
  const writer = new JournalWriter({ spool, clock, liveNodes: life.liveNodes, dateMs })
  const left = spool.leftBehind()
  for (const record of left.records) writer.append(record, false, () => {})
  const replayTurns = Math.ceil(left.records.length / batchMax)
  let forgetLeft = left.forget

  const serveSession = Effect.gen(function* () {
    const node = yield* life.begun
    const session = yield* connector.open(node, () => writer.suspend())
    yield* writer.begin(session)
    for (let turn = 0; turn <= replayTurns; turn++) yield* writer.turn(session)
    yield* writer.sayReturned
    forgetLeft()
    forgetLeft = () => {}
    yield* serveLife(life, writer, session)
  })
  /** By whatever is left of the node's life. */
  const writeLast = Effect.suspend(() => {
    const node = life.present()
    if (node === undefined) return Effect.void
    return Effect.scoped(
      Effect.flatMap(
        connector.open(node, () => {}),
        (session) =>
          Effect.andThen(
            writer.begin(session),
            Effect.whileLoop({
              while: () => writer.queued > 0,
              body: () => writer.turn(session),
              step: () => {}
            })
          )
      )
    )
  })
  yield* Effect.addFinalizer(() => endJournal(writer, writeLast))
  yield* Effect.scoped(serveSession).pipe(
    Effect.catchTag("SessionFailed", (failure) => writer.lose(failure)),
    // Whatever else goes wrong, the journal goes on with a new session.
    Effect.catchCause((cause) =>
      Cause.hasInterrupts(cause)
        ? Effect.failCause(cause)
        : writer.lose(new SessionFailed({ operation: "serve", cause: Cause.squash(cause) }))
    ),
    Effect.andThen(Effect.sleep(retryDelay)),
    Effect.forever,
    Effect.forkScoped
  )
  yield* writer.endOverdue.pipe(Effect.delay("250 millis"), Effect.forever, Effect.forkScoped)
  life.onEnd(() => writer.suspend())
  return Journal.of({
    state: writer.state,
    queued: () => writer.queued,
    untoldMs: writer.untoldMs,
    append: (record, done) => writer.append(record, true, done),
    appendUnpaid: (record) => writer.appendUnpaid(record),
    between: (work) => writer.between(work),
    giveBack: () => writer.giveBack(),
    hurry: () => writer.hurry(),
    serves: (owner) => {
      writer.owner = owner
    },
    onLoss: (listener) => void writer.lossListeners.push(listener)
  })
})

/** Until the node's life is over: the connection may outlast it, and lead to where the lease is not any more. */
const serveLife = (life: NodeLife["Service"], writer: JournalWriter, session: JournalSession) => {
  const isOver = () => life.present()?.token !== session.node.token
  return Effect.whileLoop({
    while: () => !isOver(),
    body: () => Effect.andThen(writer.waitForWork, () => (isOver() ? Effect.void : writer.turn(session))),
    step: () => {}
  })
}
