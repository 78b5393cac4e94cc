/** What does it cost that providers are reached over TLS, beside a relay over TLS and beside the same without it? */
import { atMost, type Budget, type Question, ratioAtMost, type Table } from "../Question.ts"
import { type Contender, targetOf } from "../measure/contenders.ts"
import { shown } from "../measure/statistics.ts"
import { added, costPlot, costTable, cpuRatio, medianOf, type Results } from "../measure/tables.ts"
import { chatPath, leanBody } from "./bodies.ts"
import { stampedStreams } from "./stamped-streams.ts"

interface Sides {
  readonly plainRelay: Contender
  readonly plainOurs: Contender
  readonly relay: Contender
  readonly ours: Contender
}

export const tls: Question = {
  name: "tls",
  title: "Providers over TLS",
  ask: async (bench) => {
    const upstream = await bench.leanUpstream()
    const sides: Sides = {
      plainRelay: await bench.bareRelay(upstream),
      plainOurs: await bench.ours(),
      ...(await bench.secureSides())
    }
    const ask = (body: string, connections: number) =>
      bench.rounds(Object.values(sides), (side) => ({ ...targetOf(side, chatPath, body), connections }))
    const plain = await ask(leanBody(), 64)
    const streams = await stampedStreams(bench, Object.values(sides), {
      connections: 200,
      intervalMs: 20,
      ratePerSecond: 50
    })
    const closing = await ask(leanBody({ prompt: "[bench: close]" }), 8)
    const alone = await stampedStreams(bench, Object.values(sides), { connections: 1, intervalMs: 5 })
    return {
      tables: [
        costTable("Plain calls, 64 connections, as fast as they go", plain),
        firstContentTable("50 streams begun each second, an event every 20 ms", streams),
        costTable(
          "Plain calls, 8 connections, to an upstream that closes its connection behind each",
          closing
        ),
        firstContentTable("One stream after another, an event every 5 ms", alone)
      ],
      plots: [costPlot("tls", "Plain call over TLS and without", plain)],
      budgets: [
        ratio("Plain call over TLS", plain, sides, 2.5),
        ratio("Stream of 64 events over TLS, 20 ms apart", streams, sides, 1.5),
        atMost(
          "Stream over TLS, one connection: time to the first content beside the relay's, p50",
          added(alone.get(sides.ours)!, alone.get(sides.relay)!, "p50", "firstByte"),
          0.5,
          "ms"
        )
      ],
      notes: [
        "All speak TLS 1.3 with the same upstream, whose certificate is of an authority of the suite's own. Where the upstream closes each " +
          "connection, every call makes one; sessions are resumed."
      ]
    }
  }
}

const ratio = (what: string, results: Results, { ours, relay }: Sides, limit: number): Budget =>
  ratioAtMost(
    `${what}: CPU per call against the bare relay over TLS`,
    cpuRatio(results.get(ours)!, results.get(relay)!),
    limit
  )

const firstContentTable = (title: string, results: Results): Table => ({
  title: `${title}: ms`,
  columns: ["", "first content p50", "p99", "delay of an event p50", "p99", "CPU per call, µs"],
  rows: [...results].map(([side, rounds]) => [
    side.name,
    shown(medianOf(rounds, ({ load }) => load.firstByte.p50)),
    shown(medianOf(rounds, ({ load }) => load.firstByte.p99)),
    shown(medianOf(rounds, ({ load }) => load.eventDelay.p50)),
    shown(medianOf(rounds, ({ load }) => load.eventDelay.p99)),
    shown(medianOf(rounds, (round) => round.cpuMicros))
  ])
})
