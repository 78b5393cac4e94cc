/** The postgres.js pool, opened with the program and drained when it stops. */
import { Context, Deferred, Effect, Layer, Redacted, Schema, type Scope } from "effect"
import postgres from "postgres"
import { DatabaseUrl } from "./DatabaseUrl.ts"

/**
 * A client whose `bigint` columns and parameters are JavaScript's. An array of them as a parameter has to be named as
 * one: `sql.typed(values, 1016)`. Sums of them are `numeric`, which has no such form: they are read as text.
 */
export type Sql = postgres.Sql<{ bigint: bigint }>

/** The same within `sql.begin`. What asks for one is only right as a part of its caller's transaction. */
export type Transaction = postgres.TransactionSql<{ bigint: bigint }>

/** A query that failed. It never holds a parameter's value, so it may be logged. */
export class DatabaseError extends Schema.TaggedError<DatabaseError>()("DatabaseError", {
  operation: Schema.String,
  /** The SQLSTATE, or the client's own code such as `CONNECTION_CLOSED` or `ECONNREFUSED`. */
  code: Schema.String,
  /** The constraint that was violated, if one was. */
  constraint: Schema.optionalKey(Schema.String),
  /** What the server says about a faulty statement; only where that names no values. */
  detail: Schema.optionalKey(Schema.String)
}) {
  override get message() {
    const parts = [this.constraint, this.detail].filter((part) => part !== undefined)
    return `Could not ${this.operation} (${[this.code, ...parts].join(", ")})`
  }

  /** No answer came from the server: whether a commit under way took effect is not known. */
  get isConnectionLost(): boolean {
    return !/^[0-9A-Z]{5}$/.test(this.code) || /^(08|57P0)/.test(this.code)
  }
}

export class Database extends Context.Service<
  Database,
  {
    /** Runs one query or transaction; `operation` says what for, as in "could not …". */
    run<A>(operation: string, query: (sql: Sql) => Promise<A>): Effect.Effect<A, DatabaseError>
  }
>()("tollgate/storage/Database") {
  static readonly layer = Layer.effect(
    Database,
    Effect.gen(function* () {
      const { url } = yield* DatabaseUrl
      const sql = yield* openSql(Redacted.value(url), { max: poolSize })
      return Database.of({ run: (operation, query) => runQuery(sql, operation, query) })
    })
  )
}

/** A connection of one's own, for advisory locks and the like, which end with the session. */
export interface Session {
  run<A>(operation: string, query: (sql: Sql) => Promise<A>): Effect.Effect<A, DatabaseError>
  /** Waits until the session is gone, and with it all its locks; a later `run` opens a new one. */
  readonly lost: Effect.Effect<void>
}

export const openSession: Effect.Effect<Session, never, DatabaseUrl | Scope.Scope> = Effect.gen(function* () {
  const { url } = yield* DatabaseUrl
  const lost = yield* Deferred.make<void>()
  const sql = yield* openSql(Redacted.value(url), {
    max: 1,
    // By default a connection is replaced after a while, which would silently drop its locks.
    max_lifetime: null,
    onclose: () => Deferred.doneUnsafe(lost, Effect.void)
  })
  return { run: (operation, query) => runQuery(sql, operation, query), lost: Deferred.await(lost) }
})

const poolSize = 10

type Options = postgres.Options<Record<string, postgres.PostgresType>>

const openSql = (url: string, options: Options) =>
  Effect.acquireRelease(
    Effect.sync((): Sql =>
      postgres(url, {
        connect_timeout: 5,
        onnotice: () => {},
        ...options,
        types: { bigint: postgres.BigInt },
        connection: { application_name: "tollgate" }
      })
    ),
    // Nothing is under way by now; but the client waits in vain for a connection that the server had cut in mid-query.
    (sql) => Effect.promise(() => sql.end({ timeout: 1 }))
  )

const runQuery = <A>(sql: Sql, operation: string, query: (sql: Sql) => Promise<A>) =>
  Effect.promise(() => query(sql)).pipe(
    Effect.catchDefect((cause) =>
      isDatabaseFailure(cause) ? Effect.fail(toDatabaseError(operation, cause)) : Effect.die(cause)
    ),
    Effect.withSpan(operation)
  )

/** What postgres.js and the sockets under it reject with; anything else is a bug in the query's own code. */
interface DatabaseFailure {
  readonly code: string
  readonly message: string
  readonly constraint_name?: string
}

const isDatabaseFailure = (cause: unknown): cause is DatabaseFailure =>
  cause instanceof Error && "code" in cause && typeof cause.code === "string"

const toDatabaseError = (operation: string, { code, constraint_name, message }: DatabaseFailure) =>
  new DatabaseError({
    operation,
    code,
    ...(constraint_name !== undefined && { constraint: constraint_name }),
    // Class 42 complains of the statement's text, where our values never stand; other classes quote values.
    ...(code.startsWith("42") && { detail: message })
  })
