/** A network that swallows what the database answers: whoever waits for it is told, and goes on by another connection. */
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer, Queue } from "effect"
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest"
import { Database, openSession } from "../../src/storage/Database.ts"
import { DatabaseUrl } from "../../src/storage/DatabaseUrl.ts"
import { DatabaseProxy } from "../ledger/DatabaseProxy.ts"
import { startTestDatabase, type TestDatabase } from "./start-database.ts"
import { withSql } from "./with-sql.ts"

const withinMs = 100

let server: TestDatabase
let proxy: DatabaseProxy
let services: Layer.Layer<Database | DatabaseUrl>
beforeAll(async () => {
  server = await startTestDatabase()
})
// Each test has one of its own: work that was given up may still go on when its test has ended, and say what is to be dropped.
beforeEach(async () => {
  proxy = new DatabaseProxy(server.url)
  services = Database.layer.pipe(Layer.provideMerge(DatabaseUrl.layerOf(await proxy.start())))
})
afterEach(() => proxy.stop())
afterAll(() => server.stop())

const askOne = (database: Database["Service"], ms?: number) =>
  database.run("ask", (sql) => sql<[{ one: number }]>`select 1 as one`, ms)

describe("where no answer comes", () => {
  it.live("a query fails in time, and the next one has a connection that is whole", () =>
    Effect.gen(function* () {
      const database = yield* Database
      yield* askOne(database)
      proxy.dropsAnswers = true
      const error = yield* Effect.flip(askOne(database, withinMs))
      assert.strictEqual(error.code, "NO_ANSWER")
      assert.isTrue(error.isConnectionLost)
      proxy.dropsAnswers = false
      const [row] = yield* askOne(database)
      assert.strictEqual(row.one, 1)
    }).pipe(Effect.provide(services))
  )

  it.live("so does one whose connection is only being opened, and a transaction at its commit", () =>
    Effect.gen(function* () {
      const database = yield* Database
      const own = proxy
      own.dropsAnswers = true
      assert.strictEqual((yield* Effect.flip(askOne(database, withinMs))).code, "NO_ANSWER")
      own.dropsAnswers = false
      const commit = database.run(
        "write",
        (sql) =>
          sql.begin(async (transaction) => {
            await transaction`create table written (id integer)`
            own.dropsAnswers = true
          }),
        // Also the first two statements are answered within that.
        10 * withinMs
      )
      const error = yield* Effect.flip(commit)
      assert.isTrue(error.isConnectionLost, "whether it is written is not known")
    }).pipe(Effect.provide(services))
  )

  it.live(
    "what a transaction had locked is free some seconds later, though the server never hears of its end",
    () =>
      Effect.gen(function* () {
        const database = yield* Database
        yield* Effect.promise(() =>
          withSql(server.url, (sql) => sql.unsafe("create table locked as select 1 as id"))
        )
        const isLocked = yield* Deferred.make<void>()
        const paused = Promise.withResolvers<void>()
        const dead = yield* Effect.forkChild(
          Effect.flip(
            database.run("lock", (sql) =>
              sql.begin(async (transaction) => {
                await transaction`update locked set id = 2`
                Deferred.doneUnsafe(isLocked, Effect.void)
                await paused.promise
              })
            )
          )
        )
        yield* Deferred.await(isLocked)
        const others = withSql(server.url, async (sql) => {
          await sql`set lock_timeout = '12s'`
          return sql<Array<{ id: number }>>`update locked set id = id + 2 returning id`
        })
        const [row] = yield* Effect.promise(() => others)
        assert.strictEqual(row?.id, 3, "nothing of it was done")
        paused.resolve()
        assert.isTrue((yield* Fiber.join(dead)).isConnectionLost)
      }).pipe(Effect.provide(services))
  )

  it.live("a session ends, and with it what it had locked", () =>
    Effect.gen(function* () {
      const session = yield* openSession
      yield* session.run("lock", (sql) => sql`select pg_advisory_lock(6, 6)`)
      proxy.dropsAnswers = true
      const error = yield* Effect.flip(session.run("ask", (sql) => sql`select 1`, withinMs))
      assert.isTrue(error.isConnectionLost)
      yield* session.lost
      yield* Effect.promise(() => withSql(server.url, (sql) => sql`select pg_advisory_lock(6, 6)`))
    }).pipe(Effect.scoped, Effect.provide(services))
  )

  it.live("who listens finds out, and listens by another connection", () =>
    Effect.gen(function* () {
      const database = yield* Database
      const heard = yield* Queue.unbounded<string>()
      const again = yield* Deferred.make<void>()
      let times = 0
      yield* database.listen({
        channels: { news: (payload) => void Queue.offerUnsafe(heard, payload) },
        onListening: () => {
          if (++times === 2) Deferred.doneUnsafe(again, Effect.void)
        },
        // Also the first time that it listens, which on a loaded machine takes longer than a query here.
        heartbeat: { everyMs: 20, withinMs: 2_000 }
      })
      proxy.dropsAnswers = true
      // The first connection may carry no more; the next ones do.
      proxy.onConnection = () => {
        proxy.dropsAnswers = false
      }
      yield* Deferred.await(again)
      // Told until it is heard: a heartbeat that comes late on a loaded machine has it listen anew.
      const telling = database
        .run("tell", (sql) => sql`select pg_notify('news', 'told')`)
        .pipe(Effect.andThen(Effect.sleep("100 millis")), Effect.forever, Effect.as(""))
      assert.strictEqual(yield* Effect.race(Queue.take(heard), telling), "told")
    }).pipe(Effect.scoped, Effect.provide(services))
  )
})
