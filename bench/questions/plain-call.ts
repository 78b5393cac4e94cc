/** What does a plain call cost, everything on and its charge committed? */
import { type Answer, atMost, type Budget, type Question, ratioAtMost } from "../Question.ts"
import { type Contender, targetOf } from "../measure/contenders.ts"
import {
  added,
  costPlot,
  costTable,
  cpuRatio,
  latencyTable,
  medianOf,
  type Results,
  roundsOf
} from "../measure/tables.ts"
import { threadTable } from "../measure/thread-table.ts"
import { chatPath, leanBody } from "./bodies.ts"

export const plainCall: Question = {
  name: "plain-call",
  title: "Plain call of 400 bytes",
  ask: async (bench) => {
    const sides = await bench.sides(await bench.leanUpstream())
    const job = (side: Contender) => targetOf(side, chatPath, leanBody())
    const busy = await bench.rounds(sides, job)
    const crowded = await bench.rounds(sides, job, { connections: 256 })
    const alone = await bench.rounds(sides, job, { connections: 1 })
    const byThread = await threadTable(
      bench,
      "The gateway's threads under that load",
      job(await bench.ours()),
      [64, 256]
    )
    const scheduled = await bench.rounds(sides, job, { ratePerSecond: scheduledRate(busy) })
    return {
      tables: [
        costTable("64 connections, as fast as they go", busy),
        costTable("256 connections, as fast as they go", crowded),
        byThread,
        latencyTable("One connection, ms", alone),
        latencyTable(`On a schedule of ${scheduledRate(busy)} calls/s, from when each was due, ms`, scheduled)
      ],
      plots: [costPlot("plain-call", "Plain call of 400 bytes", busy)],
      budgets: budgets(busy, crowded, alone)
    }
  }
}

/** Half of what the slowest can do, so that nobody's queue grows. */
const scheduledRate = (results: Results): number => {
  const slowest = Math.min(
    ...[...results.values()].map((rounds) => medianOf(rounds, (round) => round.perSecond))
  )
  return Math.max(50, Math.floor(slowest / 2 / 50) * 50)
}

const budgets = (busy: Results, crowded: Results, alone: Results): Answer["budgets"] => {
  const ours = roundsOf(busy, "Tollgate")!
  const relay = roundsOf(busy, "bare relay")!
  const portkey = roundsOf(busy, "Portkey")
  const found: Array<Budget> = [
    ratioAtMost("Plain call: CPU per call against the bare relay", cpuRatio(ours, relay), 2.5)
  ]
  if (portkey !== undefined) {
    const speed = (results: Results, name: string) =>
      medianOf(roundsOf(results, name)!, (round) => round.perSecond)
    const best = (name: string) => Math.max(speed(busy, name), speed(crowded, name))
    const times = (load: string, value: number): Budget => ({
      promise: `Plain call: throughput against Portkey, ${load}`,
      value,
      limit: 6,
      sense: "at least",
      unit: "×",
      isRatio: true
    })
    found.push(
      ratioAtMost("Plain call: CPU per call against Portkey", cpuRatio(ours, portkey), 1 / 6),
      times("64 connections", speed(busy, "Tollgate") / speed(busy, "Portkey")),
      times("256 connections", speed(crowded, "Tollgate") / speed(crowded, "Portkey")),
      times("each at the better of the two", best("Tollgate") / best("Portkey"))
    )
  }
  const oursAlone = roundsOf(alone, "Tollgate")!
  const directAlone = roundsOf(alone, "direct")!
  for (const [which, limit] of [
    ["p50", 1],
    ["p99", 3]
  ] as const) {
    found.push(
      atMost(
        `Plain call, one connection, commit included: latency added to the direct call, ${which}`,
        added(oursAlone, directAlone, which),
        limit,
        "ms"
      )
    )
  }
  return found
}
