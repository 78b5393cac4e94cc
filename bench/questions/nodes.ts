/** What do more nodes on one PostgreSQL cost it, under the same load? */
import type { Bench } from "../Bench.ts"
import { type Budget, type Question, ratioAtMost, type Table } from "../Question.ts"
import { Cluster } from "../measure/Cluster.ts"
import { type Contender, targetOf } from "../measure/contenders.ts"
import { figure, type Round } from "../measure/measure-round.ts"
import { median, shown, shownFigure, whole } from "../measure/statistics.ts"
import { medianOf } from "../measure/tables.ts"
import { chatPath, leanBody } from "./bodies.ts"

const counts = [1, 2, 3]
const accounts = 64
/** What three nodes can do on two cores beside everything else, so that no queue grows. */
const ratePerSecond = 1_500

export const nodes: Question = {
  name: "nodes",
  title: "1, 2 and 3 nodes on one PostgreSQL",
  ask: async (bench) => {
    const sides = new Map<Contender, Cluster>()
    for (const count of counts) {
      const cluster = await startCluster(bench, count)
      sides.set(await cluster.contender(accounts, count === 1 ? "1 node" : `${count} nodes`), cluster)
    }
    const scheduled = await ask(bench, sides, { ratePerSecond })
    const hurried = await ask(bench, sides, {})
    for (const cluster of sides.values()) await cluster.stop()
    return {
      tables: [
        table(`64 connections over all nodes, ${whole(ratePerSecond)} calls/s`, scheduled),
        table("64 connections over all nodes, as fast as they go", hurried)
      ],
      budgets: [budget("on the same schedule", scheduled), budget("as fast as they go", hurried)],
      notes: [
        `Plain calls of ${accounts} accounts in turn, each of which comes to every node. Nodes of all three sides live on the one machine; those that are not asked are idle.`
      ]
    }
  }
}

const startCluster = async (bench: Bench, count: number): Promise<Cluster> => {
  const simulatorUrl = (await bench.simulator()).found
  const leanUrl = (await bench.leanUpstream()).found
  return bench.own(Cluster.start(count, { simulatorUrl, leanUrl }))
}

interface Asked {
  readonly side: Contender
  readonly rounds: ReadonlyArray<Round>
  /** Calls that one commit wrote, all rounds together. */
  readonly callsPerCommit: number
}

const ask = async (
  bench: Bench,
  sides: ReadonlyMap<Contender, Cluster>,
  load: { readonly ratePerSecond?: number }
): Promise<ReadonlyArray<Asked>> => {
  const read = () => Promise.all([...sides.values()].map((cluster) => cluster.commits()))
  const before = await read()
  const job = (side: Contender) => targetOf(side, chatPath, leanBody())
  const results = await bench.rounds([...sides.keys()], job, load)
  const after = await read()
  return [...results].map(([side, rounds], index) => ({
    side,
    rounds,
    callsPerCommit:
      (after[index]!.committedCalls - before[index]!.committedCalls) /
      (after[index]!.commits - before[index]!.commits)
  }))
}

const table = (title: string, asked: ReadonlyArray<Asked>): Table => ({
  title,
  columns: [
    "",
    "calls/s",
    "PostgreSQL per call, µs",
    "against 1 node",
    "calls in a commit",
    "CPU of all nodes per call, µs",
    "p50, ms",
    "p99, ms"
  ],
  rows: asked.map(({ callsPerCommit, rounds, side }) => [
    side.name,
    shown(medianOf(rounds, (round) => round.perSecond)),
    shownFigure(figure(rounds, (round) => round.postgresMicros)),
    `${shown(ratio(rounds, asked[0]!.rounds))} ×`,
    shown(callsPerCommit),
    shownFigure(figure(rounds, (round) => round.cpuMicros)),
    shown(medianOf(rounds, (round) => round.load.latency.p50)),
    shown(medianOf(rounds, (round) => round.load.latency.p99))
  ])
})

/** PostgreSQL's CPU time of a call against another side's, from round to round. */
const ratio = (rounds: ReadonlyArray<Round>, base: ReadonlyArray<Round>): number =>
  median(rounds.map((round, index) => round.postgresMicros / base[index]!.postgresMicros))

const budget = (load: string, asked: ReadonlyArray<Asked>): Budget =>
  ratioAtMost(
    `3 nodes: PostgreSQL's CPU per call against one node, ${load}`,
    ratio(asked.at(-1)!.rounds, asked[0]!.rounds),
    1.5
  )
