/**
 * Many nodes and a million accounts on one PostgreSQL: `node bench/many-nodes.ts [NODES] [ACCOUNTS] [SECONDS]` prints an
 * answer as JSON. The nodes are real but for HTTP, all in this process.
 */
import { Effect, Layer, Logger, ManagedRuntime } from "effect"
import { setTimeout as delay } from "node:timers/promises"
import { makeCallId } from "../src/domain/ids.ts"
import type { KeyIdentity } from "../src/ledger/bridge/protocol.ts"
import { Database, type Sql } from "../src/storage/Database.ts"
import { DatabaseUrl } from "../src/storage/DatabaseUrl.ts"
import { migrate } from "../src/storage/Migrations.ts"
import { ServerPair } from "../test/chaos/ServerPair.ts"
import { openSql } from "../test/storage/with-sql.ts"
import { type Answer, atMost, type Budget, type Table } from "./Question.ts"
import { median, shown, whole } from "./measure/statistics.ts"
import { customerOf, fillAccounts, openAccount } from "./nodes/fill-accounts.ts"
import { connectionsByName, type Pace, paceOf, readRows, readServer } from "./nodes/ServerReading.ts"
import { callCosts, callHolds, SimulatedNode } from "./nodes/SimulatedNode.ts"

const [nodesCount = 50, accountsCount = 1_000_000, seconds = 5] = process.argv.slice(2).map(Number)
const shortCount = 20
/** A caller's own pause between two calls. */
const pauseMs = 2
const say = (line: string) => process.stderr.write(`${line}\n`)

const server = await ServerPair.start({ connectionsMax: 4 * nodesCount + 50 })
const sql = openSql(server.url) as unknown as Sql & { end(): Promise<void> }
const shared = ManagedRuntime.make(Database.layer.pipe(Layer.provide(DatabaseUrl.layerOf(server.url))))
let nodes: ReadonlyArray<SimulatedNode> = []
let opened = 0

const startNodes = async (count: number) => {
  const database = Layer.succeed(Database, await shared.runPromise(Database))
  return Promise.all(Array.from({ length: count }, () => SimulatedNode.start(server.url, database)))
}

interface Caller {
  readonly node: SimulatedNode
  readonly choose: () => KeyIdentity
}

/** Everybody calls again and again; answers how often it was so answered. */
const callFor = async (ms: number, callers: ReadonlyArray<Caller>): Promise<Record<string, number>> => {
  const untilMs = performance.now() + ms
  const answers: Record<string, number> = {}
  const caller = ({ choose, node }: Caller) =>
    Effect.whileLoop({
      while: () => performance.now() < untilMs,
      body: () => Effect.delay(node.call(choose()), pauseMs),
      step: (answer) => {
        answers[answer] = (answers[answer] ?? 0) + 1
      }
    })
  await Effect.runPromise(Effect.forEach(callers, caller, { concurrency: "unbounded", discard: true }))
  return answers
}

/** What the server does meanwhile, each second. */
const during = async <A>(work: () => Promise<A>): Promise<Pace & { readonly done: A }> => {
  const before = await readServer(sql, server.pid)
  const done = await work()
  return { ...paceOf(before, await readServer(sql, server.pid)), done }
}

const count = (answers: Record<string, number>) =>
  Object.entries(answers)
    .map(([answer, times]) => `${answer} ${whole(times)}`)
    .join(", ") || "–"

/** One caller on each node for each of some wallets. */
const onAllNodes = (customers: ReadonlyArray<KeyIdentity>): ReadonlyArray<Caller> =>
  nodes.flatMap((node) => customers.map((customer) => ({ node, choose: () => customer })))

const openAccounts = (each: number, amount: bigint) =>
  Promise.all(Array.from({ length: each }, () => openAccount(sql, `more${opened++}`, amount)))

const askConnections = async (): Promise<Table> => {
  const found = await connectionsByName(sql)
  const total = found.reduce((sum, { count }) => sum + count, 0)
  return {
    title: `Connections of ${nodesCount} nodes`,
    columns: ["", "connections"],
    rows: [
      ...found.map(({ count, name }) => [
        name === "tollgate"
          ? "pool for everything else, here one for all nodes; in life up to 10 each"
          : name,
        whole(count)
      ]),
      ["together", whole(total)]
    ]
  }
}

/** What the short wallets of one kind cost, beyond what nodes cost at rest. */
const askShort = async (name: string, rest: Pace, customers: ReadonlyArray<KeyIdentity>) => {
  // What there is has been found out by then.
  await callFor(3_000, onAllNodes(customers))
  const pace = await during(() => callFor(seconds * 1_000, onAllNodes(customers)))
  const each = (value: number) => value / customers.length
  const cpuMs = each(pace.cpuMs - rest.cpuMs)
  const row = [name, shown(cpuMs), shown(each(pace.transactions - rest.transactions)), count(pace.done)]
  const budget: Budget = atMost(
    `A wallet that ${name}, callers on ${nodesCount} nodes: PostgreSQL's CPU a second`,
    cpuMs,
    10,
    "ms"
  )
  return { row, budget }
}

/** All of these wallets are held by a call on the first node, which goes on. */
const holdAll = async (customers: ReadonlyArray<KeyIdentity>) => {
  for (const customer of customers) {
    const { _tag } = await Effect.runPromise(nodes[0]!.admit(customer, makeCallId(Date.now())))
    if (_tag !== "Admitted") throw new Error(`not admitted: ${_tag}`)
  }
}

const askAll = async (): Promise<Answer> => {
  nodes = await startNodes(nodesCount)
  await Promise.all(nodes.map((node) => node.untilServing()))
  say("at rest")
  const rest = await during(() => delay(seconds * 1_000))
  say("calls of all accounts")
  const spread = nodes.map((node) => ({ node, choose: random }))
  // Each session plans its first statements anew.
  await callFor(3_000, spread)
  const rich = await during(() => callFor(seconds * 1_000, spread))
  const calls = Object.values(rich.done).reduce((sum, times) => sum + times, 0) / seconds
  const connections = await askConnections()
  say("short wallets")
  const empty = await askShort(
    "has too little for a call",
    rest,
    await openAccounts(shortCount, callHolds / 2n)
  )
  const heldOnes = await openAccounts(shortCount, callHolds + callHolds / 2n)
  await holdAll(heldOnes)
  const held = await askShort("is held by a call on one node", rest, heldOnes)
  say("tight wallets")
  const tightOnes = await openAccounts(4, 3n * callHolds + 100_000n * callCosts)
  const tight = await during(() => callFor(seconds * 1_000, onAllNodes(tightOnes)))
  const scarceOnes = await openAccounts(4, callHolds + 300n * callCosts)
  const scarce = await during(() => callFor(seconds * 1_000, onAllNodes(scarceOnes)))
  say("fail-over")
  const failOver = await askFailOver()
  return {
    tables: [
      connections,
      {
        title: `PostgreSQL with ${nodesCount} nodes and ${whole(accountsCount)} accounts`,
        columns: ["", "CPU a second, ms", "transactions a second", "answers"],
        rows: [
          ["nodes at rest", shown(rest.cpuMs), shown(rest.transactions), "–"],
          [
            `calls of any account on any node, ${shown(calls)}/s`,
            shown(rich.cpuMs),
            shown(rich.transactions),
            count(rich.done)
          ],
          [
            "4 wallets that pay for many calls, callers on all nodes",
            shown(tight.cpuMs),
            shown(tight.transactions),
            count(tight.done)
          ],
          [
            "4 wallets that pay for some calls, callers on all nodes",
            shown(scarce.cpuMs),
            shown(scarce.transactions),
            count(scarce.done)
          ]
        ]
      },
      {
        title: `A wallet that is short, one caller on each of ${nodesCount} nodes (${shortCount} such wallets at once)`,
        columns: ["a wallet that", "PostgreSQL's CPU a second, ms", "transactions a second", "answers"],
        rows: [empty.row, held.row]
      },
      failOver.table
    ],
    budgets: [empty.budget, held.budget, ...failOver.budgets]
  }
}

const random = () => customerOf(Math.floor(Math.random() * accountsCount))

/** Ms after `sinceMs` at which each node had called. */
const callOnEach = (sinceMs: number): Promise<ReadonlyArray<number>> =>
  Promise.all(
    nodes.map(async (node) => {
      await node.untilServing()
      await Effect.runPromise(node.call(random()))
      return performance.now() - sinceMs
    })
  )

/** The server dies and comes back, with calls open on all nodes; then all nodes die at once, and others take their places. */
const askFailOver = async () => {
  const open = nodes.flatMap((node) => Array.from({ length: 10 }, () => ({ node, customer: random() })))
  for (const { customer, node } of open) {
    await Effect.runPromise(node.admit(customer, makeCallId(Date.now())))
  }
  // What it has counted so far is forgotten with it.
  await server.restart("SIGQUIT", 500)
  const back = await callOnEach(performance.now())
  const byThese = await readRows(sql)
  await Promise.all(nodes.map((node) => node.die()))
  const beganMs = performance.now()
  nodes = await startNodes(nodesCount)
  const begun = await callOnEach(beganMs)
  const byAll = await readRows(sql)
  const row = (what: string, ms: ReadonlyArray<number>, scanned: number, byIndex: number) => [
    what,
    shown(median(ms)),
    shown(Math.max(...ms)),
    whole(scanned),
    shown(byIndex / nodesCount)
  ]
  const table: Table = {
    title: `Fail-over, with ${open.length} calls open`,
    columns: [
      "until the first call on each node",
      "ms (middle)",
      "ms (last)",
      "rows of large tables read by going through all",
      "rows read by index, a node"
    ],
    rows: [
      row("PostgreSQL dies and is back", back, byThese.scanned, byThese.byIndex),
      row(
        "all nodes die, as many others begin",
        begun,
        byAll.scanned - byThese.scanned,
        byAll.byIndex - byThese.byIndex
      )
    ]
  }
  const budget: Budget = {
    promise: "First claims after a fail-over of all nodes: rows of large tables read by scans",
    value: byAll.scanned,
    limit: 0,
    sense: "at most",
    unit: "rows",
    isRatio: true
  }
  return { table, budgets: [budget] }
}

try {
  say(`${whole(accountsCount)} accounts are made`)
  await Effect.runPromise(migrate().pipe(Effect.provide([DatabaseUrl.layerOf(server.url), Logger.layer([])])))
  await fillAccounts(sql, accountsCount)
  const answer = await askAll()
  process.stdout.write(`${JSON.stringify(answer)}\n`)
} finally {
  await Promise.all(nodes.map((node) => node.die()))
  await shared.dispose()
  await sql.end()
  await server.stop()
}
process.exit()
