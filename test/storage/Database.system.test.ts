import { assert, describe, it, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer, Redacted } from "effect"
import { afterAll, beforeAll } from "vitest"
import { Database, DatabaseError, openSession } from "../../src/storage/Database.ts"
import { DatabaseUrl } from "../../src/storage/DatabaseUrl.ts"
import { startTestDatabase, type TestDatabase } from "./start-database.ts"

const TestUrl = Layer.effect(
  DatabaseUrl,
  Effect.acquireRelease(
    Effect.promise(() => startTestDatabase({ migrated: false })),
    ({ stop }) => Effect.promise(stop)
  ).pipe(Effect.map(({ url }) => DatabaseUrl.of({ url: Redacted.make(url) })))
)
const secret = "a-value-nobody-may-see"

layer(Database.layer.pipe(Layer.provideMerge(TestUrl)), { excludeTestServices: true })("Database", (it) => {
  it.effect("brings 64-bit integers back as they went, alone, in arrays and in results of functions", () =>
    Effect.gen(function* () {
      const database = yield* Database
      const values = [0n, -1n, 9_223_372_036_854_775_807n, -9_223_372_036_854_775_808n]
      const [row] = yield* database.run(
        "echo",
        (sql) => sql<Array<{ one: bigint; all: Array<bigint>; counted: bigint }>>`
          select ${values[2]!}::bigint as one, array_agg(v) as all, count(*) as counted
          from unnest(${sql.typed(values, 1016)}::bigint[]) as v
        `
      )
      assert.deepStrictEqual(row, { one: values[2]!, all: values, counted: 4n })
    })
  )

  it.effect(
    "names the operation, the SQLSTATE and the constraint of a failed query, and no value of it",
    () =>
      Effect.gen(function* () {
        const database = yield* Database
        yield* database.run(
          "make a table",
          (sql) => sql`create table things (name text constraint only_once unique)`
        )
        const insert = database.run("insert a thing", (sql) => sql`insert into things values (${secret})`)
        yield* insert
        const error = yield* Effect.flip(insert)
        assert.instanceOf(error, DatabaseError)
        assert.strictEqual(error.message, "Could not insert a thing (23505, only_once)")
        assert.isFalse(error.isConnectionLost)
        assert.notInclude(JSON.stringify(error) + String(error.stack) + String(error.cause), secret)
      })
  )

  it.effect("shows no value that the server quotes in its message", () =>
    Effect.gen(function* () {
      const database = yield* Database
      const error = yield* Effect.flip(database.run("cast", (sql) => sql`select ${secret}::text::integer`))
      assert.strictEqual(error.code, "22P02")
      assert.notInclude(JSON.stringify(error) + String(error.stack), secret)
    })
  )

  it.effect("says what is wrong with a faulty statement", () =>
    Effect.gen(function* () {
      const database = yield* Database
      const error = yield* Effect.flip(database.run("look", (sql) => sql`select * from nowhere`))
      assert.strictEqual(error.message, 'Could not look (42P01, relation "nowhere" does not exist)')
    })
  )

  it.effect("rolls a transaction back when its code throws, and lets that through as a bug", () =>
    Effect.gen(function* () {
      const database = yield* Database
      const exit = yield* Effect.exit(
        database.run("break", (sql) =>
          sql.begin(async (transaction) => {
            await transaction`create table half_made (id integer)`
            throw new TypeError("a bug")
          })
        )
      )
      assert.include(String(exit), "a bug")
      const [row] = yield* database.run("look", (sql) => sql`select to_regclass('half_made') as found`)
      assert.isNull(row!["found"])
    })
  )

  it.effect("says that the connection was lost when the server cuts it, and works again afterwards", () =>
    Effect.gen(function* () {
      const database = yield* Database
      const error = yield* Effect.flip(
        database.run("cut", (sql) => sql`select pg_terminate_backend(pg_backend_pid()), pg_sleep(10)`)
      )
      assert.isTrue(error.isConnectionLost)
      const [row] = yield* database.run("ask", (sql) => sql`select 1 as one`)
      assert.strictEqual(row!["one"], 1)
    })
  )

  it.effect("is known to the server as tollgate", () =>
    Effect.gen(function* () {
      const database = yield* Database
      const [row] = yield* database.run(
        "ask",
        (sql) => sql`select current_setting('application_name') as name`
      )
      assert.strictEqual(row!["name"], "tollgate")
    })
  )

  it.effect("gives up a session's advisory lock with its scope, and not before", () =>
    Effect.gen(function* () {
      const database = yield* Database
      const isFree = database
        .run("try", (sql) => sql`select pg_try_advisory_xact_lock(5, 5) as free`)
        .pipe(Effect.map(([row]) => row!["free"] as boolean))
      yield* Effect.scoped(
        Effect.gen(function* () {
          const session = yield* openSession
          yield* session.run("lock", (sql) => sql`select pg_advisory_lock(5, 5)`)
          assert.isFalse(yield* isFree)
        })
      )
      // PostgreSQL sees a moment later that the connection is closed.
      yield* database.run("lock", (sql) => sql`select pg_advisory_xact_lock(5, 5)`)
    })
  )

  it.effect("tells when a session is lost, and not sooner", () =>
    Effect.gen(function* () {
      const database = yield* Database
      const session = yield* openSession
      const told = yield* Deferred.make<void>()
      const waiting = yield* Effect.forkChild(Effect.andThen(session.lost, Deferred.succeed(told, undefined)))
      const [row] = yield* session.run("ask", (sql) => sql`select pg_backend_pid() as pid`)
      assert.isFalse(yield* Deferred.isDone(told))
      yield* database.run("cut", (sql) => sql`select pg_terminate_backend(${row!["pid"] as number})`)
      yield* Fiber.join(waiting)
    }).pipe(Effect.scoped)
  )
})

describe("Database without a server", () => {
  it.live("fails with the client's own code", () =>
    Effect.gen(function* () {
      const database = yield* Database
      const error = yield* Effect.flip(database.run("ask", (sql) => sql`select 1`))
      assert.strictEqual(error.code, "ECONNREFUSED")
      assert.isTrue(error.isConnectionLost)
    }).pipe(
      Effect.provide(
        Database.layer.pipe(Layer.provide(DatabaseUrl.layerOf("postgres://nobody:word@127.0.0.1:1/x")))
      )
    )
  )
})

describe("startTestDatabase", () => {
  let first: TestDatabase
  let second: TestDatabase
  beforeAll(async () => {
    ;[first, second] = await Promise.all([startTestDatabase(), startTestDatabase()])
  })
  afterAll(() => Promise.all([first.stop(), second.stop()]))

  it.live("gives databases that have the schema and nothing to do with each other", () =>
    Effect.gen(function* () {
      const run = <A>(url: string, operation: Effect.Effect<A, DatabaseError, Database>) =>
        Effect.provide(operation, Database.layer.pipe(Layer.provide(DatabaseUrl.layerOf(url))))
      const insert = Effect.flatMap(Database, (database) =>
        database.run(
          "insert",
          (sql) => sql`insert into accounts (id, email) values ('acc_1', 'a@example.com')`
        )
      )
      yield* run(first.url, insert)
      yield* run(second.url, insert)
    })
  )
})
