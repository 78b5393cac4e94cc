/** The journal's one connection: it writes in order, and while it lives this node's claims on wallets hold. */
import { Effect, Schema, type Scope } from "effect"
import { registerNode } from "../storage/LedgerStore.ts"
import { openConnection, type Sql } from "../storage/postgres/Connection.ts"

export class JournalFailed extends Schema.TaggedError<JournalFailed>()("JournalFailed", {
  operation: Schema.String,
  cause: Schema.Defect()
}) {}

export interface JournalSession {
  readonly nodeId: number
  /** The connection broke: what was claimed through it may have been claimed by others. */
  readonly isLost: () => boolean
  readonly run: <A>(operation: string, query: (sql: Sql) => Promise<A>) => Effect.Effect<A, JournalFailed>
}

/** An answer that takes longer counts as none: its outcome is unknown, and the work is repeated on a new connection. */
const answerTimeoutMs = 5_000

export const openSession = (options: {
  readonly databaseUrl: string
  /** The node this process was on its former connection. */
  readonly formerNodeId: number | undefined
  readonly onLost: () => void
}): Effect.Effect<JournalSession, JournalFailed, Scope.Scope> =>
  Effect.gen(function* () {
    let lost = false
    let closing = false
    /** Ends what waits for an answer of this connection: one thing at a time, since the journal takes turns. */
    let failWaiting: ((cause: Error) => void) | undefined
    const { sql } = yield* Effect.acquireRelease(
      Effect.sync(() =>
        openConnection(options.databaseUrl, {
          name: "tollgate journal",
          onEnd: () => {
            lost = true
            failWaiting?.(new Error("connection lost"))
            if (!closing) options.onLost()
          }
        })
      ),
      // A connection that no longer answers must not hold up its successor.
      (connection) => {
        closing = true
        return Effect.promise(() => connection.close())
      }
    )
    // One callback and one timer: this runs for every commit.
    const run = <A>(operation: string, query: (sql: Sql) => Promise<A>) =>
      Effect.callback<A, JournalFailed>((resume) => {
        const forget = () => {
          clearTimeout(timer)
          if (failWaiting === fail) failWaiting = undefined
        }
        const end = (result: Effect.Effect<A, JournalFailed>) => {
          forget()
          resume(result)
        }
        const fail = (cause: unknown) => end(Effect.fail(new JournalFailed({ operation, cause })))
        const timer = setTimeout(() => {
          // Nothing is admitted any more before the connection is given up, and with it what it has claimed.
          if (!closing) options.onLost()
          fail(new Error("no answer in time"))
        }, answerTimeoutMs)
        failWaiting = fail
        if (lost) return fail(new Error("connection lost"))
        query(sql).then((value) => end(Effect.succeed(value)), fail)
        return Effect.sync(forget)
      })
    const nodeId = yield* run("register node", (sql) => registerNode(sql, options.formerNodeId))
    return { nodeId, isLost: () => lost, run }
  })
