/** A PostgreSQL of the test's own is frozen, stopped, started and cut off, while calls are being charged. */
import { assert } from "@effect/vitest"
import { Effect, Exit, Logger, Scope } from "effect"
import { chmodSync, mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, afterEach, beforeAll, beforeEach, describe, it } from "vitest"
import { type RunningPostgres, startEmbeddedPostgres } from "../../src/storage/EmbeddedPostgres.ts"
import { migrateDatabase } from "../storage/migrate-database.ts"
import { withSql } from "../storage/with-sql.ts"
import { DatabaseProxy } from "./DatabaseProxy.ts"
import { callRecord, type Customer, newCallId } from "./call-record.ts"
import { auditOf, balanceOf, newCustomer, startLedger, type TestLedger } from "./start-ledger.ts"
import { delay } from "../delay.ts"
import { until } from "../until.ts"

const scope = Scope.makeUnsafe()
let folder: string
let server: RunningPostgres
let proxy: DatabaseProxy
let ledger: TestLedger
let customer: Customer
let thawAll = () => {}
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "tollgate-away-"))
  // PostgreSQL runs as another user where this one is root.
  chmodSync(folder, 0o755)
  server = await Effect.runPromise(
    startEmbeddedPostgres({ dataDir: folder }).pipe(Scope.provide(scope), Effect.provide(Logger.layer([])))
  )
  await migrateDatabase(server.url)
})
afterAll(async () => {
  await Effect.runPromise(Scope.close(scope, Exit.void))
  rmSync(folder, { recursive: true, force: true })
})
beforeEach(async () => {
  customer = await newCustomer(server.url, 1_000n)
  proxy = new DatabaseProxy(server.url)
  ledger = await startLedger(server.url, { nodeUrl: await proxy.start() })
})
afterEach(async () => {
  // A test that failed in between must not leave it frozen.
  thawAll()
  await ledger.stop()
  await proxy.stop()
  assert.deepStrictEqual((await auditOf(server.url)).violations, [])
})

const admitted = async (cost: bigint) => {
  const callId = newCallId()
  assert.strictEqual(await ledger.admit(customer, callId, cost), cost)
  return callRecord(customer, callId, cost)
}
/** The server and the processes it has made: freezing the first alone would leave sessions running. */
const processes = async () =>
  withSql(server.url, async (sql) => {
    const rows = await sql<Array<{ pid: number }>>`
      select pid from pg_stat_activity where pid <> pg_backend_pid()`
    return [await Effect.runPromise(server.pid), ...rows.map(({ pid }) => pid)]
  })
const freeze = async () => {
  const frozen = await processes()
  for (const pid of frozen) process.kill(pid, "SIGSTOP")
  thawAll = () => {
    thawAll = () => {}
    for (const pid of frozen) process.kill(pid, "SIGCONT")
  }
  return () => thawAll()
}
const admits = (): Promise<bigint | string> => ledger.admit(customer, newCallId(), 1n)
const spoolFiles = (): ReadonlyArray<string> => {
  try {
    return readdirSync(join(ledger.dataDir, "spool"))
  } catch {
    return []
  }
}

describe("while the database is frozen", () => {
  it("a reply waits 10 s for its commit and is then spooled, new calls are refused, and service resumes", async () => {
    const before = await admitted(10n)
    const thaw = await freeze()
    const askedMs = Date.now()
    await ledger.settle(before).finally(() => {
      if (ledger.journal.state.spooledCalls === 0) thaw()
    })
    const waitedMs = Date.now() - askedMs
    assert.strictEqual(ledger.journal.state.spooledCalls, 1)
    assert.isAtLeast(waitedMs, 10_000)
    assert.lengthOf(spoolFiles(), 1)
    assert.isFalse(ledger.journal.state.available)
    assert.strictEqual(await admits(), "Unavailable")
    thaw()
    await ledger.untilAvailable()
    assert.strictEqual(await admits(), 1n)
    assert.strictEqual(await balanceOf(server.url, customer.accountId), 990n)
    assert.strictEqual(ledger.journal.queued(), 0)
    // What is committed need not be replayed at the next start.
    await ledger.close()
    assert.deepStrictEqual(spoolFiles(), [])
  })
})

describe("when connections are cut", () => {
  it("in the middle of commits, every call is charged exactly once", async () => {
    // More than can be spent before the third cut: whether a look finds a commit is chance.
    const balance = 1_000_000n
    customer = await newCustomer(server.url, balance)
    const running = { calls: true }
    const cuts = { made: 0 }
    /** Waits for a commit and cuts it, then lets the ledger get up again. */
    const cutting = withSql(server.url, async (sql) => {
      while (running.calls && cuts.made < 3) {
        const found = await sql`select pg_terminate_backend(pid) from pg_stat_activity
          where application_name = 'tollgate journal' and state = 'active' and query like '%inserted as%'`
        cuts.made += found.length
        if (found.length > 0) await ledger.untilAvailable()
      }
    })
    let charged = 0n
    const caller = async () => {
      while (cuts.made < 3) {
        const callId = newCallId()
        if ((await ledger.admit(customer, callId, 1n)) !== 1n) {
          await delay(10)
          continue
        }
        charged += 1n
        await ledger.settle(callRecord(customer, callId, 1n))
      }
    }
    await Promise.all(Array.from({ length: 20 }, caller)).finally(() => (running.calls = false))
    await cutting
    assert.strictEqual(await balanceOf(server.url, customer.accountId), balance - charged)
  })

  it("after a commit whose answer never came, the call is charged exactly once", async () => {
    // The first commit of a session also asks how the statement is to be understood.
    await ledger.settle(await admitted(1n))
    const record = await admitted(9n)
    const sent = new Promise<void>((resolve) => {
      proxy.onRequest = (bytes) => {
        if (!bytes.includes(record.callId)) return
        proxy.dropsAnswers = true
        resolve()
      }
    })
    const settled = ledger.settle(record)
    await sent
    const isStored = () =>
      withSql(server.url, (sql) => sql`select 1 from calls where id = ${record.callId}`).then(
        (rows) => rows.length === 1
      )
    await until(isStored)
    assert.strictEqual(ledger.journal.state.committedCalls, 1)
    proxy.onRequest = () => {}
    proxy.dropsAnswers = false
    proxy.cut()
    await settled
    assert.strictEqual(ledger.journal.state.committedCalls, 2)
    assert.strictEqual(await balanceOf(server.url, customer.accountId), 990n)
    await ledger.untilAvailable()
    assert.strictEqual(await ledger.admit(customer, newCallId(), 1n, 2_000n), 990n)
  })

  it("the log says once that the database is away, and once that it is back", async () => {
    let tries = 0
    proxy.onConnection = () => tries++
    proxy.refuses = true
    proxy.cut()
    await ledger.untilAvailable(false)
    await until(() => tries >= 3)
    proxy.onConnection = () => {}
    proxy.refuses = false
    await ledger.untilAvailable()
    await admitted(1n)
    const told = ledger.said.filter((line) => line.startsWith("Database "))
    assert.deepStrictEqual(
      told.map((line) => line.slice(0, 13)),
      ["Database away", "Database back"]
    )
  })

  it("calls under way still extend from what the wallet had in memory, and are charged later", async () => {
    const record = await admitted(10n)
    proxy.refuses = true
    proxy.cut()
    await ledger.untilAvailable(false)
    assert.strictEqual(await admits(), "Unavailable")
    assert.strictEqual(await ledger.extend(customer.accountId, record.callId, 1n, 5n), 5n)
    const settled = ledger.settle(record)
    proxy.refuses = false
    await settled
    assert.strictEqual(ledger.journal.state.spooledCalls, 0)
    assert.strictEqual(await balanceOf(server.url, customer.accountId), 990n)
  })
})

describe("when the node ends while the database is away", () => {
  const endAway = async () => {
    const record = await admitted(10n)
    proxy.refuses = true
    proxy.cut()
    await ledger.untilAvailable(false)
    const settled = ledger.settle(record)
    await ledger.close()
    return { record, settled }
  }

  it("a clean stop spools what waits, and the next start charges it once", async () => {
    await endAway()
    assert.lengthOf(spoolFiles(), 1)
    assert.strictEqual(await balanceOf(server.url, customer.accountId), 1_000n)
    ledger = await startLedger(server.url, { dataDir: ledger.dataDir })
    assert.strictEqual(await balanceOf(server.url, customer.accountId), 990n)
    assert.lengthOf(spoolFiles(), 0)
  })

  it("a spool that was charged already is replayed without harm", async () => {
    const { record } = await endAway()
    const other = await startLedger(server.url)
    await new Promise<void>((resolve) => other.journal.append(record, () => resolve()))
    await other.stop()
    ledger = await startLedger(server.url, { dataDir: ledger.dataDir })
    assert.strictEqual(await balanceOf(server.url, customer.accountId), 990n)
    assert.lengthOf(spoolFiles(), 0)
  })

  it("a clean stop writes what waits where the database answers again meanwhile", async () => {
    const ended = endAway()
    await until(() => spoolFiles().length === 1)
    proxy.refuses = false
    await ended
    assert.strictEqual(await balanceOf(server.url, customer.accountId), 990n)
    assert.lengthOf(spoolFiles(), 0)
  })

  it("a clean stop with the database there leaves no spool", async () => {
    const record = await admitted(10n)
    void ledger.settle(record)
    await ledger.close()
    assert.strictEqual(await balanceOf(server.url, customer.accountId), 990n)
    assert.lengthOf(spoolFiles(), 0)
  })
})

describe("what the database will never take", () => {
  it("is set aside, and holds up nobody else", async () => {
    const name = { modelRequested: "nul \u0000 in a name" }
    const poison = [0, 1, 2].map(() => Object.assign(callRecord(customer, newCallId(), 0n), name))
    const records = await Promise.all(Array.from({ length: 30 }, () => admitted(2n)))
    const all = records.flatMap((record, index) =>
      index % 10 === 5 ? [record, poison[Math.floor(index / 10)]!] : [record]
    )
    await Promise.all(all.map((record) => ledger.settle(record)))
    assert.strictEqual(ledger.journal.state.refusedRows, 3)
    assert.strictEqual(await balanceOf(server.url, customer.accountId), 940n)
    assert.deepStrictEqual([...spoolFiles()].sort(), poison.map(({ callId }) => `${callId}.refused`).sort())
    assert.isTrue(ledger.journal.state.available)
  })
})

describe("a database that dies", () => {
  it("is started again, and every call is charged once", async () => {
    const records = await Promise.all(Array.from({ length: 20 }, () => admitted(5n)))
    process.kill(await Effect.runPromise(server.pid), "SIGKILL")
    await ledger.untilAvailable(false)
    await Promise.all(records.map((record) => ledger.settle(record)))
    await ledger.untilAvailable()
    assert.strictEqual(await balanceOf(server.url, customer.accountId), 900n)
    assert.strictEqual(await admits(), 1n)
  })
})
