/** The program's connections to its database, opened when they are needed and closed when it stops. */
import { Context, Deferred, Effect, Layer, Redacted, Schema, type Scope } from "effect"
import { DatabaseUrl } from "./DatabaseUrl.ts"
import { type Connection, type ConnectionOptions, openConnection, type Sql } from "./postgres/Connection.ts"
import { ConnectionPool } from "./postgres/ConnectionPool.ts"

export type { Sql, Transaction } from "./postgres/Connection.ts"

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
    /**
     * Runs one query or transaction; `operation` says what for, as in "could not …". It has a connection to itself, so
     * nothing may be run within it.
     */
    run<A>(operation: string, query: (sql: Sql) => Promise<A>): Effect.Effect<A, DatabaseError>
    /** Hears what is notified for as long as the scope is open. Ends once it does. */
    listen(listener: Listener): Effect.Effect<void, DatabaseError, Scope.Scope>
  }
>()("tollgate/storage/Database") {
  static readonly layer = Layer.effect(
    Database,
    Effect.gen(function* () {
      const url = Redacted.value((yield* DatabaseUrl).url)
      const pool = yield* Effect.acquireRelease(
        Effect.sync(() => new ConnectionPool(() => openConnection(url, { name: applicationName }))),
        (pool) => Effect.promise(() => pool.close())
      )
      return Database.of({
        run: (operation, query) => runQuery(operation, () => pool.run(query)),
        listen: (listener) => keepListening(url, listener)
      })
    })
  )
}

const applicationName = "tollgate"

/** A connection of one's own, for advisory locks and the like, which end with it. */
export interface Session {
  run<A>(operation: string, query: (sql: Sql) => Promise<A>): Effect.Effect<A, DatabaseError>
  /** Waits until the session is gone, and with it all its locks; a later `run` fails. */
  readonly lost: Effect.Effect<void>
}

export const openSession: Effect.Effect<Session, never, DatabaseUrl | Scope.Scope> = Effect.gen(function* () {
  const { url } = yield* DatabaseUrl
  const lost = yield* Deferred.make<void>()
  const { sql } = yield* openScoped(Redacted.value(url), {
    onEnd: () => Deferred.doneUnsafe(lost, Effect.void)
  })
  return { run: (operation, query) => runQuery(operation, () => query(sql)), lost: Deferred.await(lost) }
})

export interface Listener {
  readonly channels: Readonly<Record<string, (payload: string) => void>>
  /** Called whenever it listens again: nobody knows what was said meanwhile. */
  readonly onListening?: () => void
}

const listenAgainDelay = "250 millis"

const keepListening = Effect.fnUntraced(function* (url: string, listener: Listener) {
  const first = yield* Deferred.make<void, DatabaseError>()
  const listen = Effect.gen(function* () {
    const lost = yield* Deferred.make<void>()
    const { sql } = yield* openScoped(url, {
      onEnd: () => Deferred.doneUnsafe(lost, Effect.void),
      onNotification: (channel, payload) => listener.channels[channel]?.(payload)
    })
    yield* runQuery("listen", async () => {
      for (const channel of Object.keys(listener.channels)) await sql.unsafe(`listen "${channel}"`)
    })
    listener.onListening?.()
    yield* Deferred.succeed(first, undefined)
    return yield* Deferred.await(lost)
  }).pipe(
    Effect.scoped,
    // A server that is away is asked again and again.
    Effect.catchTag("DatabaseError", (error) => Deferred.fail(first, error)),
    Effect.catchDefect((bug) =>
      Effect.andThen(
        Effect.logError("Listening to the database was broken off", bug),
        Deferred.die(first, bug)
      )
    ),
    Effect.andThen(Effect.sleep(listenAgainDelay))
  )
  yield* Effect.forkScoped(Effect.forever(listen))
  yield* Deferred.await(first)
})

const openScoped = (
  url: string,
  options: Pick<ConnectionOptions, "onEnd" | "onNotification">
): Effect.Effect<Connection, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => openConnection(url, { name: applicationName, ...options })),
    (connection) => Effect.promise(() => connection.close())
  )

const runQuery = <A>(operation: string, query: () => Promise<A>) =>
  Effect.promise(query).pipe(
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
