/**
 * The ledger alone, asked over a message channel as gateway threads ask it, with every charge committed to PostgreSQL:
 * `node bench/ledger.ts [seconds]` prints settled calls per second for many wallets and for one hot wallet.
 */
import { Effect, Layer, Logger, ManagedRuntime } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as delay } from "node:timers/promises"
import { MessageChannel } from "node:worker_threads"
import postgres from "postgres"
import * as Journal from "../src/ledger/journal/Journal.ts"
import { Ledger } from "../src/ledger/node/Ledger.ts"
import { LedgerClient } from "../src/ledger/bridge/LedgerClient.ts"
import type { KeyIdentity } from "../src/ledger/bridge/protocol.ts"
import { sqlJournal } from "../src/ledger/journal/sql-journal.ts"
import * as Lease from "../src/ledger/node/Lease.ts"
import { sqlLease } from "../src/ledger/node/LeaseStore.ts"
import { NodeEvents } from "../src/ledger/node/NodeEvents.ts"
import { NodeLife } from "../src/ledger/NodeLife.ts"
import { FileTokens } from "../src/ledger/node/NodeTokens.ts"
import { Database } from "../src/storage/Database.ts"
import { DatabaseUrl } from "../src/storage/DatabaseUrl.ts"
import { LedgerServer } from "../src/ledger/node/LedgerServer.ts"
import { KeyDirectory } from "../src/ledger/bridge/KeyDirectory.ts"
import { noReports } from "../test/ledger/no-reports.ts"
import { KeyLookups } from "../src/ledger/bridge/KeyLookups.ts"
import { startTestDatabase } from "../test/storage/start-database.ts"
import { plainRecord } from "./measure/plain-record.ts"
import { customerOf } from "./nodes/fill-accounts.ts"

const seconds = Number(process.argv[2] ?? 5)
const walletsCount = 10_000
const print = (line: string) => process.stdout.write(`${line}\n`)

const fill = async (url: string) => {
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  await sql`insert into accounts (id, email) select 'acc_' || i, i || '@example.com' from generate_series(0, ${walletsCount}) i`
  await sql`insert into wallets (account_id, booked_micro_vnd)
    select 'acc_' || i, 1000000000000000 from generate_series(0, ${walletsCount}) i`
  await sql`insert into keys (id, account_id, name, slot, secret_hash, hint)
    select 'key_' || i, 'acc_' || i, 'bench', 0, sha256(i::text::bytea), '' from generate_series(0, ${walletsCount}) i`
  await sql`insert into ledger_entries (account_id, source, source_id, amount_micro_vnd)
    select 'acc_' || i, 'credit', 'bench ' || i, 1000000000000000 from generate_series(0, ${walletsCount}) i`
  await sql.unsafe("vacuum analyze")
  await sql.end()
}

const hold = { minimum: 400n * 8_300n, wanted: 2_448n * 8_300n }

const callOnce = (client: LedgerClient, identity: KeyIdentity) =>
  Effect.gen(function* () {
    const record = plainRecord(identity, Date.now())
    const call = { id: record.callId, fromAllowance: 0n }
    const answer = yield* client.admitUnsafe(identity, call, hold)
    if (answer._tag !== "Admitted") return yield* Effect.die(new Error(`refused: ${answer._tag}`))
    yield* client.settle(record, call)
  })

const measure = async (
  client: LedgerClient,
  journal: Journal.Journal["Service"],
  name: string,
  callers: number,
  choose: () => KeyIdentity
) => {
  const before = { ...journal.state, cpu: process.cpuUsage(), ms: performance.now() }
  const untilMs = performance.now() + seconds * 1_000
  const caller = Effect.whileLoop({
    while: () => performance.now() < untilMs,
    body: () => callOnce(client, choose()),
    step: () => {}
  })
  await Effect.runPromise(
    Effect.forEach(Array.from({ length: callers }), () => caller, { concurrency: "unbounded", discard: true })
  )
  const elapsed = (performance.now() - before.ms) / 1_000
  const cpu = process.cpuUsage(before.cpu)
  const calls = journal.state.committedCalls - before.committedCalls
  const commits = journal.state.commits - before.commits
  const commitMs = (journal.state.commitMsTotal - before.commitMsTotal) / commits
  print(
    `${name}: ${Math.round(calls / elapsed)} settled calls/s, ${Math.round(calls / commits)} calls and ` +
      `${commitMs.toFixed(1)} ms a commit, ${((cpu.user + cpu.system) / calls).toFixed(1)} µs CPU of this process a call`
  )
}

const database = await startTestDatabase()
const dataDir = mkdtempSync(join(tmpdir(), "tollgate-bench-"))
try {
  await fill(database.url)
  const runtime = ManagedRuntime.make(
    LedgerServer.layer.pipe(
      Layer.provide([Layer.succeed(KeyDirectory, new KeyLookups()), noReports]),
      Layer.provideMerge(Lease.layer({ connector: sqlLease(database.url), tokens: new FileTokens(dataDir) })),
      Layer.provideMerge(NodeEvents.layer),
      Layer.provideMerge(Ledger.layer),
      Layer.provideMerge(Journal.layer({ connector: sqlJournal(database.url), dataDir })),
      Layer.provideMerge(NodeLife.layer),
      Layer.provide(Database.layer),
      Layer.provide(DatabaseUrl.layerOf(database.url)),
      Layer.provide(Logger.layer([]))
    )
  )
  const [server, journal, ledger] = await runtime.runPromise(
    Effect.all([LedgerServer, Journal.Journal, Ledger])
  )
  while (!journal.state.available || ledger.deadline.hasPassed) await delay(5)
  const { port1, port2 } = new MessageChannel()
  const link = server.connect(port1)
  const client = new LedgerClient(port2, link.allowances, link.deadline)
  let next = 0
  const many = () => customerOf(next++ % walletsCount)
  await measure(client, journal, "warm-up", 2_000, many)
  await measure(client, journal, "10,000 wallets, 2,000 callers", 2_000, many)
  await measure(client, journal, "one wallet, 64 callers", 64, () => customerOf(walletsCount))
  await measure(client, journal, "one wallet, 512 callers", 512, () => customerOf(walletsCount))
  link.dispose()
  port2.close()
  await runtime.dispose()
} finally {
  rmSync(dataDir, { recursive: true, force: true })
  await database.stop()
}
