/**
 * Everything of the program that talks to a database, while its connections are cut at random:
 * `node endure-cuts.ts <database> <seed> <cuts>` prints what it has seen as JSON. A process of its own, since what a library
 * throws from a callback ends the process it happens in.
 */
import { Effect, Exit, Layer, Logger } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { makePeople } from "../../src/accounts/people.ts"
import { setPassword } from "../../src/accounts/set-password.ts"
import { Database, openSession } from "../../src/storage/Database.ts"
import { DatabaseUrl } from "../../src/storage/DatabaseUrl.ts"
import { peopleOptions } from "../accounts/people-options.ts"
import { startLedger } from "../ledger/start-ledger.ts"
import { Random } from "../Random.ts"
import { CuttingProxy } from "./CuttingProxy.ts"
import { withSql } from "./with-sql.ts"
import { delay } from "../delay.ts"

const [databaseUrl, seed, cutsMin] = [process.argv[2]!, Number(process.argv[3]), Number(process.argv[4])]
const random = new Random(seed)
const proxy = new CuttingProxy(databaseUrl, random)
const url = await proxy.start()
/** Of nodes that did not come to start, too. */
const folder = mkdtempSync(join(tmpdir(), "tollgate-cuts-"))
process.on("exit", () => rmSync(folder, { recursive: true, force: true }))
// Whoever started this has ended.
process.stdin.resume().on("end", () => {
  process.exit(4)
})
const done: Record<string, number> = {}
const failed: Record<string, number> = {}

/** Again and again until enough was cut; what hangs is told by its name. What takes many steps tells of each. */
const keepDoing = async (name: string, work: (noteStep: () => void) => Promise<unknown>): Promise<void> => {
  while (proxy.cuts < cutsMin) {
    const hung = setTimeout(() => {
      process.stdout.write(`${JSON.stringify({ hung: name, cuts: proxy.cuts })}\n`, () => process.exit(3))
    }, 30_000)
    await work(() => void hung.refresh()).then(
      () => (done[name] = (done[name] ?? 0) + 1),
      () => (failed[name] = (failed[name] ?? 0) + 1)
    )
    clearTimeout(hung)
    await delay(random.below(4))
  }
}

await withSql(databaseUrl, async (sql) => {
  await sql`create table pairs (id integer generated always as identity, pair text, half integer)`
})

const run = Effect.gen(function* () {
  const database = yield* Database
  const runPromise = Effect.runPromiseWith(yield* Effect.context<never>())
  const does = <A>(name: string, query: Parameters<typeof database.run<A>>[1]) =>
    Effect.promise(() => keepDoing(name, () => runPromise(database.run(name, query))))
  /** Both halves or none, also where the code between them waits for something else than the database. */
  const pair = does("pair", (sql) =>
    sql.begin(async (transaction) => {
      const name = crypto.randomUUID()
      await transaction`insert into pairs (pair, half) values (${name}, 1)`
      await delay(random.below(20))
      await transaction`insert into pairs (pair, half) values (${name}, 2)`
    })
  )
  const pipelined = does("pipelined", (sql) =>
    sql.begin((transaction) =>
      Promise.all([1, 2, 3, 4].map((size) => transaction`select repeat('x', ${size * 500}) as text`))
    )
  )
  const plain = does("plain", (sql) =>
    Promise.all([sql`select 1`, sql`select ${["a", "b"]}::text[] as list`])
  )
  const session = Effect.promise(() =>
    keepDoing("session", () => runPromise(lockedSession.pipe(Effect.provide(DatabaseUrl.layerOf(url)))))
  )
  yield* Effect.all([pair, pair, pair, pipelined, pipelined, plain, plain, session], {
    concurrency: "unbounded"
  })
})

const lockedSession = Effect.scoped(
  Effect.gen(function* () {
    const session = yield* openSession
    yield* session.run("lock", (sql) =>
      sql.begin(async (transaction) => {
        await transaction`select pg_try_advisory_lock(7, ${random.below(100)})`
        await delay(random.below(10))
        await transaction`select 1`
      })
    )
  })
)

/** Sessions of the journal, and two connections that listen. */
const journal = async () => {
  const exit = await Effect.runPromiseExit(
    Effect.promise(() => startLedger(url, { dataDir: mkdtempSync(join(folder, "node-")) })).pipe(
      Effect.timeout("5 seconds")
    )
  )
  if (!Exit.isSuccess(exit)) throw new Error("not started")
  await delay(random.below(400))
  await exit.value.stop()
}

const people = async (noteStep: () => void) => {
  const open = await makePeople(peopleOptions(url, "http://localhost"))
  const { internalAdapter } = await open.auth.$context
  for (let turn = 0; turn < 10; turn++) {
    noteStep()
    await internalAdapter.findUserByEmail("nobody@example.com").catch(() => {})
    noteStep()
    await open.isPasswordOf("nobody", "word").catch(() => {})
    noteStep()
    await Effect.runPromise(Effect.provide(setNobodysPassword, services)).catch(() => {})
  }
  await open.close()
}

const setNobodysPassword = setPassword(
  { accountId: "acc_none" as never, email: "a@example.com" },
  "a long password",
  "cli"
)

const services = Database.layer.pipe(
  Layer.provide(DatabaseUrl.layerOf(url)),
  Layer.provideMerge(Logger.layer([]))
)
await Promise.all([
  Effect.runPromise(Effect.provide(run, services)),
  keepDoing("journal", journal),
  keepDoing("journal", journal),
  keepDoing("people", people)
])
const [halves] = await withSql(
  databaseUrl,
  (sql) => sql<[{ count: number }]>`
    select count(*)::int4 as count from (select pair from pairs group by pair having count(*) <> 2) as broken`
)
await proxy.stop()
// Ended outright: Node's own clean-up at the end turns in a circle, now and then, after connections that were reset.
const endured = JSON.stringify({ cuts: proxy.cuts, halves: halves.count, done, failed })
process.stdin.removeAllListeners("end")
process.stdout.write(`${endured}\n`, () => process.exit(0))
