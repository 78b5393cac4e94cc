import { assert, describe, it } from "@effect/vitest"
import { PgBoss } from "pg-boss"
import { afterAll, beforeAll, onTestFinished, vi } from "vitest"
import { JobQueue, type QueueTraits } from "../../../src/storage/jobs/JobQueue.ts"
import { startTestDatabase, type TestDatabase } from "../start-database.ts"
import { withSql } from "../with-sql.ts"
import { until } from "../../until.ts"

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
  attemptSecondsMax: 1,
  atOnceMax: 10
})

const add = (queue: JobQueue, name: string, keys: ReadonlyArray<string>, owner?: string) =>
  queue.run((sql) =>
    sql.begin((transaction) =>
      queue.add(
        transaction,
        name,
        keys.map((key) => ({ key, data: { key }, ...(owner !== undefined && { owner }) }))
      )
    )
  )

const statesOf = (name: string) =>
  withSql(database.url, async (sql) => {
    const rows = await sql<Array<{ state: string }>>`
      select state::text from jobs.job where name = ${name} order by state::text`
    return rows.map(({ state }) => state)
  })

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

  it("does a job again that is asked for at once while an attempt is under way, whose end then changes nothing", async () => {
    const { queue } = await open()
    const first = Promise.withResolvers<"again">()
    const isBegun = Promise.withResolvers<void>()
    const again = Promise.withResolvers<void>()
    let attempts = 0
    await queue.serve<{ readonly key: string }>(traitsOf("repeated"), async () => {
      attempts++
      ;(attempts === 1 ? isBegun : again).resolve()
      return attempts === 1 ? first.promise : "done"
    })
    await add(queue, "repeated", ["one"])
    await isBegun.promise
    await queue.run((sql) =>
      sql.begin((transaction) => queue.addNow(transaction, "repeated", { key: "one", data: { key: "one" } }))
    )
    await again.promise
    first.resolve("again")
    await until(async () => (await statesOf("repeated")).join() === "cancelled,completed")
    await queue.close()
    assert.deepStrictEqual(await statesOf("repeated"), ["cancelled", "completed"])
    assert.strictEqual(attempts, 2)
  })

  it("holds up nobody's jobs by those of others that hang, be they tried again", async () => {
    const { queue } = await open()
    const tried = new Set<string>()
    const hanging = new Set<string>()
    const end = Promise.withResolvers<void>()
    let mayHang = false
    let mostHanging = 0
    await queue.serve<{ readonly key: string }>(
      { ...traitsOf("fair"), retriesMax: 1_000, attemptSecondsMax: 600 },
      async ({ key }) => {
        if (!key.startsWith("slow")) return "done"
        tried.add(key)
        if (!mayHang) return "again"
        hanging.add(key)
        mostHanging = Math.max(mostHanging, hanging.size)
        await end.promise
        hanging.delete(key)
        return "done"
      }
    )
    const slow = Array.from({ length: 15 }, (_, index) => `slow ${index}`)
    await add(queue, "fair", slow, "slow")
    await until(() => tried.size === slow.length)
    mayHang = true
    await until(() => hanging.size > 0)
    const quick = Array.from({ length: 30 }, (_, index) => `quick ${index}`)
    for (const key of quick) await add(queue, "fair", [key], `owner of ${key}`)
    await until(async () => (await statesOf("fair")).filter((state) => state === "completed").length === 30)
    assert.isAbove(hanging.size, 0)
    end.resolve()
    await until(async () => (await statesOf("fair")).every((state) => state === "completed"))
    assert.isAtMost(mostHanging, 2)
  })

  it("gives what was lost with a node to the next", async () => {
    const lost = await JobQueue.open({ databaseUrl: database.url, warn: () => {} })
    const begun = Promise.withResolvers<void>()
    await lost.serve({ ...traitsOf("lost"), atOnceMax: 1 }, () => {
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

  it("waits for an attempt that lasts while its node says so, and no longer", async () => {
    const { queue } = await open()
    const traits = { ...traitsOf("long"), attemptSecondsMax: 3_600, silenceSecondsMax: 30 }
    const attempts: Array<PromiseWithResolvers<"done">> = []
    await queue.serve<{ readonly key: string }>(traits, () => {
      const attempt = Promise.withResolvers<"done">()
      attempts.push(attempt)
      return attempt.promise
    })
    await add(queue, "long", ["one"])
    await until(() => attempts.length === 1)
    await withSql(database.url, async (sql) => {
      const silent = async () => {
        await sql`update jobs.job set heartbeat_on = now() - interval '1 minute' where name = 'long'`
        await sql`update jobs.queue set monitor_claim_on = null, monitor_on = null where name = 'long'`
      }
      await silent()
      await until(
        async () =>
          (
            await sql`select from jobs.job where name = 'long' and heartbeat_on > now() - interval '20 seconds'`
          ).length === 1
      )
      await sql`update jobs.queue set monitor_claim_on = null, monitor_on = null where name = 'long'`
      await queue.tidy()
      assert.deepStrictEqual(await statesOf("long"), ["active"])
      await silent()
      await queue.tidy()
    })
    await until(() => attempts.length === 2)
    for (const { resolve } of attempts) resolve("done")
    await until(async () => (await statesOf("long")).join() === "completed")
  })

  it("goes on where the database's clock was ahead and is set back", async () => {
    const { queue } = await open()
    const worked: Array<string> = []
    await queue.serve<{ readonly key: string }>(traitsOf("ahead"), async ({ key }) => {
      worked.push(key)
      return "done"
    })
    await queue.everyMinute("each-minute", async () => {})
    await withSql(database.url, async (sql) => {
      await sql`
        insert into jobs.job (name, singleton_key, data, policy, state, expire_seconds, retry_limit, retry_delay, start_after, started_on) values
          ('ahead', 'waits', '{"key":"waits"}', 'exclusive', 'created', 1, 3, 0, now() + interval '2 years', null),
          ('ahead', 'lost', '{"key":"lost"}', 'exclusive', 'active', 1, 3, 0, now(), now() + interval '2 years')`
      await sql`
        insert into jobs.job (name, singleton_key, state, singleton_on, start_after, completed_on)
        values ('each-minute', 'each-minute', 'completed', now() + interval '1 hour', now(), now())`
      await sql`update jobs.version set cron_on = now() + interval '2 years'`
      await sql`update jobs.queue set monitor_on = now() + interval '2 years', maintain_on = now() + interval '2 years'`
      await queue.tidy()
      await until(() => worked.length > 0)
      assert.deepStrictEqual(worked, ["waits"])
      const [left] = await sql`
        select (select count(*)::int4 from jobs.version where cron_on > now()) as version,
          (select count(*)::int4 from jobs.queue where greatest(monitor_on, maintain_on) > now()) as queues,
          (select count(*)::int4 from jobs.job where started_on > now()) as lost,
          (select count(*)::int4 from jobs.job where singleton_on > now() + interval '2 minutes') as minutes`
      assert.deepStrictEqual({ ...left }, { version: 0, queues: 0, lost: 0, minutes: 0 })
    })
  })

  it("does a job at once that is asked for on a machine whose clock is ahead", async () => {
    const { queue } = await open()
    await queue.serve(traitsOf("asked"), async () => "done")
    await withSql(database.url, async (sql) => {
      await sql`
        insert into jobs.job (name, singleton_key, data, policy, state, start_after, retry_delay_max)
        values ('asked', 'one', '{}', 'exclusive', 'retry', now() + interval '1 hour', 3600)`
    })
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 3_600_000 })
    onTestFinished(() => void vi.useRealTimers())
    await queue.run((sql) =>
      sql.begin((transaction) => queue.addNow(transaction, "asked", { key: "one", data: {} }))
    )
    vi.useRealTimers()
    await until(async () => (await statesOf("asked")).join() === "completed")
  })
})
