/**
 * What does a commit cost PostgreSQL? The statement of this checkout against another's, in many short rounds by turns on one
 * database, which is migrated by this one: `node bench/commit-cost.ts <other checkout> [calls in a commit] [accounts] [rounds]`
 * prints the CPU time of the server's process for each.
 */
import { randomUUID } from "node:crypto"
import { readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import postgres from "postgres"
import type { CallRecord } from "../src/domain/call.ts"
import type { AccountId, KeyId } from "../src/domain/ids.ts"
import { beginSession } from "../src/ledger/journal/sql-journal.ts"
import type { commitCalls, NamedParts } from "../src/storage/calls/commit-calls.ts"
import type { NodeSession } from "../src/storage/EscrowStore.ts"
import { registerNode } from "../src/storage/NodeStore.ts"
import { type Connection, openConnection } from "../src/storage/postgres/Connection.ts"
import { startTestDatabase } from "../test/storage/start-database.ts"
import { plainRecord } from "./measure/plain-record.ts"
import { figureOf, median, shown, shownFigure } from "./measure/statistics.ts"
import { root } from "./measure/start-process.ts"

const [checkout, calls = "1", accounts = "64", rounds = "12"] = process.argv.slice(2)
if (checkout === undefined) {
  console.error("node bench/commit-cost.ts <other checkout> [calls in a commit] [accounts] [rounds]")
  process.exit(2)
}
const callsCount = Number(calls)
const accountsCount = Number(accounts)
/** So that a round is some tenths of a second. */
const commitsInRound = Math.ceil(400 / (1 + callsCount / 8))
/** Plans are made and pages filled in these. */
const warmUps = 2

interface Side {
  readonly name: string
  readonly connection: Connection
  readonly pid: number
  readonly session: NodeSession
  readonly commit: typeof commitCalls
  readonly named: NamedParts
  readonly micros: Array<number>
}

const database = await startTestDatabase()

const fill = async (): Promise<void> => {
  const sql = postgres(database.url, { max: 1, onnotice: () => {} })
  await sql`insert into accounts (id, email) select 'acc_' || i, i || '@example.com' from generate_series(1, ${accountsCount}) i`
  await sql`insert into wallets (account_id, booked_micro_vnd) select 'acc_' || i, 1000000000000 from generate_series(1, ${accountsCount}) i`
  await sql.unsafe("vacuum analyze")
  await sql.end()
}

const openSide = async (name: string, folder: string): Promise<Side> => {
  const connection = openConnection(database.url, { name: "tollgate commit-cost" })
  const { sql } = connection
  const node = await registerNode(sql, randomUUID(), [])
  const session = await beginSession(sql, node)
  const [{ pid }] = await sql<[{ pid: number }]>`select pg_backend_pid() as pid`
  const module = (await import(join(resolve(folder), "src", "storage", "commit-calls.ts"))) as {
    readonly commitCalls: typeof commitCalls
  }
  return {
    name,
    connection,
    pid,
    session: { nodeId: node.id, slot: node.slot, session },
    commit: module.commitCalls,
    named: new Set(),
    micros: []
  }
}

let made = 0
const newCall = (): CallRecord => {
  const account = 1 + (made++ % accountsCount)
  return plainRecord(
    { accountId: `acc_${account}` as AccountId, keyId: `key_${account}` as KeyId },
    Date.now()
  )
}

const round = async ({ commit, connection, micros, named, pid, session }: Side, counts: boolean) => {
  const before = processMicros(pid)
  for (let index = 0; index < commitsInRound; index++) {
    const records = Array.from({ length: callsCount }, newCall)
    const charged = new Set(records.map(({ accountId }) => accountId))
    const escrows = [...charged].map((accountId) => ({ accountId, amount: 10n ** 12n, isExact: false }))
    if (!(await commit(connection.sql, session, { records, escrows }, named)))
      throw new Error("the node was taken for gone")
  }
  if (counts) micros.push((processMicros(pid) - before) / commitsInRound)
}

/** On a core, by the scheduler's own clock: ticks are too coarse for a round. */
const processMicros = (pid: number): number =>
  Number(readFileSync(`/proc/${pid}/schedstat`, "utf8").split(" ")[0]) / 1_000

try {
  await fill()
  const sides = [await openSide("other checkout", checkout), await openSide("this checkout", root)]
  for (let turn = -warmUps; turn < Number(rounds); turn++) {
    for (const side of turn % 2 === 0 ? sides : sides.toReversed()) await round(side, turn >= 0)
  }
  for (const { micros, name } of sides) console.log(`${name}: ${shownFigure(figureOf(micros))} µs a commit`)
  const [before, after] = sides.map(({ micros }) => micros)
  const saved = after!.map((micros, index) => (1 - micros / before![index]!) * 100)
  console.log(`saved: ${shown(median(saved))} %, in single turns ${shownFigure(figureOf(saved))} %`)
  await Promise.all(sides.map(({ connection }) => connection.close()))
} finally {
  await database.stop()
}
process.exit()
