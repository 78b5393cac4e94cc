import { assert, describe, it } from "@effect/vitest"
import { PgBoss } from "pg-boss"
import { afterAll, beforeAll, onTestFinished } from "vitest"
import { JobQueue, type QueueTraits } from "../../src/storage/JobQueue.ts"
import { startTestDatabase, type TestDatabase } from "./start-database.ts"
import { withSql } from "./with-sql.ts"

let database: TestDatabase
beforeAll(async () => {
  database = await startTestDatabase()
})
afterAll(() => database.stop())

const open = async () => {
  const warnings: Array<string> = []
  const warn = (message: string) => void warnings.push(message)
  const queue = await JobQueue.open({ databaseUrl: database.url, warn })
  onTestFinished(() => queue.close())
  return { queue, warnings }
}

const traitsOf = (name: string): QueueTraits => ({
  name,
  retriesMax: 3,
  retryDelaySeconds: 1,
  retryDelaySecondsMax: 1,
  attemptSecondsMax: 1
})

const add = (queue: JobQueue, name: string, keys: ReadonlyArray<string>) =>
  queue.run((sql) =>
    sql.begin((transaction) =>
      queue.add(
        transaction,
        name,
        keys.map((key) => ({ key, data: { key } }))
      )
    )
  )

describe("the queue of jobs", () => {
  it("stands on tables that are those of the package, by its own count", async () => {
    const boss = new PgBoss({ connectionString: database.url, schema: "jobs", migrate: false })
    boss.on("error", () => {})
    await boss.start()
    const drift = await boss.detectSchemaDrift()
    await boss.stop({ graceful: false })
    assert.isTrue(drift.ok, JSON.stringify(drift))
  })

  it("gives each job to one node, and again where it failed", async () => {
    const [first, second] = [await open(), await open()]
    const worked: Array<string> = []
    const all = Promise.withResolvers<void>()
    const work = async ({ key }: { readonly key: string }) => {
      worked.push(key)
      const tries = worked.filter((each) => each === "k3").length
      if (key === "k3" && tries < 2) return "again" as const
      if (worked.length === 31) all.resolve()
      return "done" as const
    }
    for (const { queue } of [first, second]) await queue.serve(traitsOf("shared"), work)
    await add(
      first.queue,
      "shared",
      Array.from({ length: 30 }, (_, index) => `k${index}`)
    )
    await all.promise
    assert.strictEqual(new Set(worked).size, 30)
    assert.deepStrictEqual([first.warnings, second.warnings], [[], []])
  })

  it("takes no second job of a key while the first waits, and none of a transaction that is undone", async () => {
    const { queue } = await open()
    const done: Array<string> = []
    await add(queue, "shared", ["twice", "twice"])
    await queue
      .run((sql) =>
        sql.begin(async (transaction) => {
          await queue.add(transaction, "shared", [{ key: "undone", data: { key: "undone" } }])
          throw new Error("undo")
        })
      )
      .catch(() => undefined)
    const end = Promise.withResolvers<void>()
    await queue.serve<{ readonly key: string }>(traitsOf("shared"), async ({ key }) => {
      done.push(key)
      if (key === "last") end.resolve()
      return "done"
    })
    await add(queue, "shared", ["last"])
    await end.promise
    assert.deepStrictEqual(done.toSorted(), ["last", "twice"])
  })

  it("does a job again that is asked for at once while what was done of it still counts as under way", async () => {
    const { queue } = await open()
    const slow = Promise.withResolvers<"done">()
    const first = Promise.withResolvers<void>()
    const again = Promise.withResolvers<void>()
    let quick = 0
    await queue.serve<{ readonly key: string }>(traitsOf("batch"), async ({ key }) => {
      if (key === "slow") return slow.promise
      quick++
      ;(quick === 1 ? first : again).resolve()
      return "done"
    })
    // They are worked on together, and what has become of them counts once the slower one is done.
    await add(queue, "batch", ["slow", "quick"])
    await first.promise
    await queue.run((sql) =>
      sql.begin((transaction) => queue.addNow(transaction, "batch", { key: "quick", data: { key: "quick" } }))
    )
    slow.resolve("done")
    await again.promise
    assert.strictEqual(quick, 2)
  })

  it("gives what was lost with a node to the next", async () => {
    const lost = await JobQueue.open({ databaseUrl: database.url, warn: () => {} })
    const begun = Promise.withResolvers<void>()
    await lost.serve(traitsOf("lost"), () => {
      begun.resolve()
      return new Promise(() => {})
    })
    await add(lost, "lost", ["one"])
    await begun.promise
    await withSql(database.url, async (sql) => {
      await sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'tollgate jobs' and datname = current_database()`
      await sql`update jobs.job set started_on = started_on - interval '10 seconds' where name = 'lost'`
      await sql`update jobs.queue set monitor_on = null where name = 'lost'`
    })
    const { queue } = await open()
    const found = Promise.withResolvers<string>()
    await queue.tidy()
    await queue.serve<{ readonly key: string }>(traitsOf("lost"), async ({ key }) => {
      found.resolve(key)
      return "done"
    })
    assert.strictEqual(await found.promise, "one")
    await lost.close(0)
  })
})
