/** The journal's queue and what is done with it: commits, reads between them, the spool when the database is away. */
import { Effect, Exit } from "effect"
import type { CallRecord } from "../domain/call.ts"
import type { Sql } from "../storage/Database.ts"
import { commitCalls } from "../storage/LedgerStore.ts"
import { JournalFailed, type JournalSession, openSession } from "./JournalSession.ts"
import { packRecord } from "./frames.ts"
import type { Spool } from "./Spool.ts"

/** How a record was made durable. */
export type Outcome = "committed" | "spooled"

interface Entry {
  readonly record: CallRecord
  readonly queuedAtMs: number
  readonly done: (outcome: Outcome) => void
  spooled: boolean
}

/** Runs on the journal's connection, with no commit under way. */
export interface JournalRead {
  readonly run: (sql: Sql, nodeId: number) => Promise<void>
  /** The turn has failed; this read itself may have been done, or may yet be. */
  readonly failed: () => void
}

export interface JournalState {
  /** The database has answered the last time it was asked. */
  available: boolean
  nodeId: number
  commits: number
  committedCalls: number
  spooledCalls: number
  /** Rows of calls that cost nothing, left out because the queue was full. */
  droppedRows: number
  /** Rows that the database refused for what they hold; kept in the spool folder. */
  refusedRows: number
  lastCommitMs: number
  /** Time spent committing, in all. */
  commitMsTotal: number
}

/** More than a few hundred calls make a commit no cheaper; those behind them are made ready while it is under way. */
export const batchMax = 1_000
const queueMax = 200_000
const spoolAfterMs = 10_000
const heartbeatMs = 2_000

export class JournalWriter {
  readonly spool: Spool
  readonly sessionListeners: Array<() => void> = []
  readonly lossListeners: Array<() => void> = []
  readonly state: JournalState = {
    available: false,
    nodeId: 0,
    commits: 0,
    committedCalls: 0,
    spooledCalls: 0,
    droppedRows: 0,
    refusedRows: 0,
    lastCommitMs: 0,
    commitMsTotal: 0
  }
  #queue: Array<Entry> = []
  #reads: Array<JournalRead> = []
  #wake: (() => void) | undefined
  /** A loss of the database that the log has not told of yet, or has and its return not yet. */
  #loss: "none" | "untold" | "told" = "none"
  #spoolFails = false

  constructor(spool: Spool) {
    this.spool = spool
  }

  get queued(): number {
    return this.#queue.length
  }

  append(record: CallRecord, done: (outcome: Outcome) => void): void {
    if (this.#queue.length >= queueMax && record.cost === 0n) {
      this.state.droppedRows++
      return done("committed")
    }
    this.#queue.push({ record, queuedAtMs: Date.now(), done, spooled: false })
    this.#wake?.()
  }

  read(read: JournalRead): void {
    if (!this.state.available) return read.failed()
    this.#reads.push(read)
    this.#wake?.()
  }

  formerNodeId(): number | undefined {
    return this.state.nodeId === 0 ? undefined : this.state.nodeId
  }

  begin(session: JournalSession): void {
    this.state.nodeId = session.nodeId
  }

  /** Returns when there is something to write or read, or when it is time for a heartbeat. */
  readonly waitForWork = Effect.suspend(() =>
    this.#queue.length + this.#reads.length > 0
      ? Effect.void
      : Effect.callback<void>((resume) => {
          const go = () => {
            clearTimeout(timer)
            this.#wake = undefined
            resume(Effect.void)
          }
          const timer = setTimeout(go, heartbeatMs)
          // What else arrives in the same frame shares the commit.
          this.#wake = () => {
            this.#wake = undefined
            queueMicrotask(go)
          }
          return Effect.sync(() => {
            clearTimeout(timer)
            this.#wake = undefined
          })
        })
  )

  /** One commit of everything that waits, then the reads that wait; a bare heartbeat when there is neither. */
  turn(session: JournalSession): Effect.Effect<void, JournalFailed> {
    return Effect.suspend(() => {
      const batch = this.#queue.slice(0, batchMax)
      const commit = batch.length === 0 ? Effect.void : this.#commit(session, batch)
      const reads = Effect.suspend(() => this.#runReads(session))
      const idle = batch.length === 0 && this.#reads.length === 0
      return idle ? this.#heartbeat(session) : Effect.andThen(commit, reads)
    })
  }

  // No generator: one made for each commit stays, with the batch it closes over, until a full garbage collection.
  #commit(session: JournalSession, batch: ReadonlyArray<Entry>) {
    const startedMs = Date.now()
    return Effect.map(this.#write(session, batch), () => this.#committed(batch, Date.now() - startedMs))
  }

  #committed(batch: ReadonlyArray<Entry>, tookMs: number): void {
    this.#queue = this.#queue.slice(batch.length)
    this.state.lastCommitMs = tookMs
    this.state.commitMsTotal += tookMs
    this.state.commits++
    this.state.committedCalls += batch.length
    for (const entry of batch) entry.done("committed")
    if (!this.#queue.some((entry) => entry.spooled)) this.spool.clear()
    this.#recover()
  }

  /** Rows that the database will never take are set aside one by one, so that they hold up no others. */
  #write(session: JournalSession, batch: ReadonlyArray<Entry>): Effect.Effect<void, JournalFailed> {
    const records = batch.map((entry) => entry.record)
    return session
      .run("commit calls", (sql) => commitCalls(sql, session.nodeId, records))
      .pipe(
        Effect.catchIf(isRefusal, (failure) => {
          if (batch.length > 1) {
            const half = Math.ceil(batch.length / 2)
            return Effect.andThen(
              this.#write(session, batch.slice(0, half)),
              this.#write(session, batch.slice(half))
            )
          }
          this.state.refusedRows++
          return Effect.logError(
            `Call ${records[0]!.callId} can not be stored: ${String(failure.cause)}`
          ).pipe(
            Effect.andThen(Effect.try({ try: () => this.spool.setAside(records), catch: String })),
            // Then the log alone has it, and it still must not hold up others.
            Effect.catch((reason) => Effect.logError(`Nor set aside (${reason})`, packRecord(records[0]!)))
          )
        })
      )
  }

  #runReads(session: JournalSession) {
    const reads = this.#reads
    this.#reads = []
    if (reads.length === 0) return Effect.void
    const run = (sql: Sql) => Promise.all(reads.map((read) => read.run(sql, session.nodeId)))
    return session.run("read", run).pipe(
      Effect.onExit((exit) =>
        Effect.sync(() => {
          if (Exit.isFailure(exit)) reads.forEach((read) => read.failed())
        })
      ),
      Effect.tap(() => Effect.sync(() => this.#recover()))
    )
  }

  #heartbeat(session: JournalSession) {
    return session
      .run("heartbeat", (sql) => sql`select 1`)
      .pipe(Effect.tap(() => Effect.sync(() => this.#recover())))
  }

  #recover(): void {
    if (this.state.available) return
    this.state.available = true
    this.sessionListeners.forEach((listener) => listener())
  }

  /** From now on nothing is admitted: other nodes may claim what this one had claimed. */
  suspend(): void {
    if (this.state.available) this.#loss = "untold"
    this.state.available = false
    this.lossListeners.forEach((listener) => listener())
    for (const read of this.#reads.splice(0)) read.failed()
    this.#wake?.()
  }

  lose(failure: JournalFailed) {
    this.suspend()
    if (this.#loss !== "untold") return Effect.void
    this.#loss = "told"
    return Effect.logError(`Database away (${failure.operation}): ${String(failure.cause)}`)
  }

  readonly sayReturned = Effect.suspend(() => {
    if (this.#loss !== "told") return Effect.void
    this.#loss = "none"
    return Effect.logInfo("Database back: calls are admitted again")
  })

  /** Puts what has waited too long on disk and answers for it. */
  readonly spoolOverdue = Effect.suspend(() => {
    const overdueMs = Date.now() - spoolAfterMs
    return this.#spool(this.#queue.filter((entry) => !entry.spooled && entry.queuedAtMs < overdueMs))
  })

  /** At the end: one more try at the database, then the spool. */
  flush(databaseUrl: string) {
    const write = Effect.scoped(
      Effect.gen({ self: this }, function* () {
        const session = yield* openSession({
          databaseUrl,
          formerNodeId: this.formerNodeId(),
          onLost: () => {}
        })
        while (this.#queue.length > 0) yield* this.turn(session)
      })
    )
    return (this.#queue.length === 0 ? Effect.void : write).pipe(
      Effect.catchTag("JournalFailed", () => Effect.void),
      Effect.andThen(Effect.suspend(() => this.#spool(this.#queue.filter((entry) => !entry.spooled)))),
      Effect.andThen(Effect.sync(() => this.spool.close()))
    )
  }

  #spool(entries: ReadonlyArray<Entry>) {
    if (entries.length === 0) return Effect.void
    return Effect.try({
      try: () => this.spool.append(entries.map((entry) => entry.record)),
      catch: (cause) => new JournalFailed({ operation: "spool", cause })
    }).pipe(
      Effect.matchEffect({
        // It is tried again four times a second.
        onFailure: ({ cause }) => {
          if (this.#spoolFails) return Effect.void
          this.#spoolFails = true
          return Effect.logError(`Spool can not be written: ${String(cause)}`)
        },
        onSuccess: () =>
          Effect.sync(() => {
            this.#spoolFails = false
            for (const entry of entries) {
              entry.spooled = true
              this.state.spooledCalls++
              entry.done("spooled")
            }
          })
      })
    )
  }
}

/** SQLSTATE classes 22 and 23: the values are at fault, not the database. Repeating would fail for ever. */
const isRefusal = (failure: JournalFailed): boolean => {
  const code = (failure.cause as { readonly code?: unknown } | null)?.code
  return typeof code === "string" && /^2[23]/.test(code)
}
