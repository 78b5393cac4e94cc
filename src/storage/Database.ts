/** The program's connections to its database, opened when they are needed and closed when it stops. */
import { Context, Deferred, Effect, Layer, Redacted, Schema, type Scope } from "effect"
import { DatabaseUrl } from "./DatabaseUrl.ts"
import { type Connection, type ConnectionOptions, openConnection, type Sql } from "./postgres/Connection.ts"
import { closeWhenOverdue, ConnectionPool, defaultPool } from "./postgres/ConnectionPool.ts"

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
    // No SQLSTATE begins with an E, and the system's own codes do: `EPIPE` has five letters, too.
    return !/^(?!E)[0-9A-Z]{5}$/.test(this.code) || /^(08|57P0)/.test(this.code)
  }
}

export class Database extends Context.Service<
  Database,
  {
    /**
     * Runs one query or transaction; `operation` says what for, as in "could not …". It has a connection to itself, so
     * nothing may be run within it. What takes longer than `withinMs` (a minute unless given) fails, and its connection is
     * closed: an answer may never come over a network that swallows it.
     */
    run<A>(
      operation: string,
      query: (sql: Sql) => Promise<A>,
      withinMs?: number
    ): Effect.Effect<A, DatabaseError>
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
        run: (operation, query, withinMs) => runQuery(operation, () => pool.run(query, withinMs)),
        listen: (listener) => keepListening(url, listener)
      })
    })
  )
}

const applicationName = "tollgate"

/** For what reads through all of the log, or changes all of a table. */
export const longWorkMs = 6 * 3_600_000

/** A connection of one's own, for advisory locks and the like, which end with it. */
export interface Session {
  /** What takes longer than `withinMs` (a minute unless given) fails, and the session ends. */
  run<A>(
    operation: string,
    query: (sql: Sql) => Promise<A>,
    withinMs?: number
  ): Effect.Effect<A, DatabaseError>
  /** Waits until the session is gone, and with it all its locks; a later `run` fails. */
  readonly lost: Effect.Effect<void>
}

export const openSession: Effect.Effect<Session, never, DatabaseUrl | Scope.Scope> = Effect.gen(function* () {
  const { url } = yield* DatabaseUrl
  const lost = yield* Deferred.make<void>()
  const connection = yield* openScoped(Redacted.value(url), {
    onEnd: () => Deferred.doneUnsafe(lost, Effect.void)
  })
  return {
    run: (operation, query, withinMs) => runQuery(operation, () => runOn(connection, query, withinMs)),
    lost: Deferred.await(lost)
  }
})

const runOn = async <A>(
  connection: Connection,
  query: (sql: Sql) => Promise<A>,
  withinMs: number = defaultPool.lentMsMax
): Promise<A> => {
  const { cancel, overdue } = closeWhenOverdue(connection, withinMs)
  try {
    return await Promise.race([query(connection.sql), overdue])
  } finally {
    cancel()
  }
}

export interface Listener {
  readonly channels: Readonly<Record<string, (payload: string) => void>>
  /** Called whenever it listens again: nobody knows what was said meanwhile. */
  readonly onListening?: () => void
  /** How often it is seen whether the connection still carries anything, and how long that may take. */
  readonly heartbeat?: Heartbeat
}

const listenAgainDelay = "250 millis"
/** A connection over which nothing comes any more is found by asking, and replaced. */
const defaultHeartbeat: Heartbeat = { everyMs: 20_000, withinMs: 10_000 }

interface Heartbeat {
  readonly everyMs: number
  readonly withinMs: number
}

const keepListening = Effect.fnUntraced(function* (
  url: string,
  { channels, heartbeat = defaultHeartbeat, onListening }: Listener
) {
  const first = yield* Deferred.make<void, DatabaseError>()
  const listen = Effect.gen(function* () {
    const lost = yield* Deferred.make<void>()
    const connection = yield* openScoped(url, {
      onEnd: () => Deferred.doneUnsafe(lost, Effect.void),
      onNotification: (channel, payload) => channels[channel]?.(payload)
    })
    const ask = (operation: string, query: (sql: Sql) => Promise<unknown>) =>
      runQuery(operation, () => runOn(connection, query, heartbeat.withinMs))
    yield* ask("listen", async (sql) => {
      for (const channel of Object.keys(channels)) await sql.unsafe(`listen "${channel}"`)
    })
    onListening?.()
    yield* Deferred.succeed(first, undefined)
    const beat = Effect.delay(
      ask("hear", (sql) => sql`select 1`),
      heartbeat.everyMs
    )
    return yield* Effect.raceFirst(Deferred.await(lost), Effect.forever(beat))
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
    // Class 42 complains of the statement's text, and 08P01 of how a session begins, where our values never stand; others quote values.
    ...((code.startsWith("42") || code === "08P01") && { detail: message })
  })
