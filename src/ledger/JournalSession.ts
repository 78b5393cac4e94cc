/** The journal's one connection: it writes in order, and while it lives this node's claims on wallets hold. */
import { Effect, Schema, type Scope } from "effect"
import postgres from "postgres"
import { registerNode } from "../storage/LedgerStore.ts"

export type JournalSql = postgres.Sql<{ bigint: bigint }>

export class JournalFailed extends Schema.TaggedError<JournalFailed>()("JournalFailed", {
  operation: Schema.String,
  cause: Schema.Defect()
}) {}

export interface JournalSession {
  readonly nodeId: number
  /** The connection broke: what was claimed through it may have been claimed by others. */
  readonly isLost: () => boolean
  readonly run: <A>(
    operation: string,
    query: (sql: JournalSql) => Promise<A>
  ) => Effect.Effect<A, JournalFailed>
}

/** An answer that takes longer counts as none: its outcome is unknown, and the work is repeated on a new connection. */
const answerTimeout = "5 seconds"

export const openSession = (options: {
  readonly databaseUrl: string
  /** The node this process was on its former connection. */
  readonly formerNodeId: number | undefined
  readonly onLost: () => void
}): Effect.Effect<JournalSession, JournalFailed, Scope.Scope> =>
  Effect.gen(function* () {
    let lost = false
    let breakOff = () => {}
    const broken = new Promise<never>((_, reject) => {
      breakOff = () => reject(new Error("connection lost"))
    })
    broken.catch(() => {})
    const sql = yield* Effect.acquireRelease(
      Effect.sync(() =>
        postgres(options.databaseUrl, {
          max: 1,
          idle_timeout: 0,
          max_lifetime: 0,
          connect_timeout: 5,
          connection: { application_name: "tollgate journal" },
          types: { bigint: postgres.BigInt },
          onnotice: () => {},
          onclose: () => {
            lost = true
            breakOff()
            options.onLost()
          }
        })
      ),
      // A connection that no longer answers must not hold up its successor.
      (sql) => Effect.promise(() => sql.end({ timeout: 0 }).catch(() => {}))
    )
    const run = <A>(operation: string, query: (sql: JournalSql) => Promise<A>) =>
      Effect.tryPromise({
        // The client itself would go on with a new connection, where nothing is claimed.
        try: () => (lost ? broken : Promise.race([query(sql), broken])),
        catch: (cause) => new JournalFailed({ operation, cause })
      }).pipe(
        Effect.timeoutOrElse({
          duration: answerTimeout,
          orElse: () => Effect.fail(new JournalFailed({ operation, cause: new Error("no answer in time") }))
        })
      )
    const nodeId = yield* run("register node", (sql) => registerNode(sql, options.formerNodeId))
    return { nodeId, isLost: () => lost, run }
  })
