/** What does a stream of 64 events cost, and what does it add to the first event and to each? */
import { atMost, type Budget, type Question, ratioAtMost, type Table } from "../Question.ts"
import { targetOf } from "../measure/contenders.ts"
import { shown } from "../measure/statistics.ts"
import { added, costPlot, costTable, cpuRatio, medianOf, type Results, roundsOf } from "../measure/tables.ts"
import { threadTable } from "../measure/thread-table.ts"
import { chatBody, chatPath } from "./bodies.ts"
import { stampedStreams } from "./stamped-streams.ts"

export const streams: Question = {
  name: "streams",
  title: "Streams of 64 events",
  ask: async (bench) => {
    const unpacedBody = chatBody({ stream: true, prompt: "[sim: tokens=64]" })
    const unpaced = await bench.rounds(await bench.sides(await bench.simulator()), (side) =>
      targetOf(side, chatPath, unpacedBody)
    )
    const byThread = await threadTable(
      bench,
      "The gateway's threads under that load",
      targetOf(await bench.ours(), chatPath, unpacedBody),
      [64]
    )
    const stamped = (await bench.sides(await bench.leanUpstream())).filter(({ name }) => name !== "Portkey")
    const hurried = await stampedStreams(bench, stamped, { connections: 1, intervalMs: 0 })
    const alone = await stampedStreams(bench, stamped, { connections: 1, intervalMs: 5 })
    const many = await stampedStreams(bench, stamped, { connections: 200, intervalMs: 20, ratePerSecond: 50 })
    const ours = roundsOf(unpaced, "Tollgate")!
    return {
      tables: [
        costTable("As fast as they come, 64 connections", unpaced),
        byThread,
        delayTable("One connection, as fast as they come", hurried),
        delayTable("One connection, an event every 5 ms", alone),
        delayTable("50 begun each second, an event every 20 ms (about 64 at a time)", many)
      ],
      plots: [
        costPlot("stream", "Stream of 64 events", unpaced),
        costPlot("stream-paced", "64 events, 20 ms apart", many)
      ],
      budgets: [
        ratioAtMost(
          "Stream of 64 events: CPU per call against the bare relay",
          cpuRatio(ours, roundsOf(unpaced, "bare relay")!),
          1.5
        ),
        ratioAtMost(
          "Stream of 64 events, 20 ms apart: CPU per call against the bare relay",
          cpuRatio(roundsOf(many, "Tollgate")!, roundsOf(many, "bare relay")!),
          1.5
        ),
        firstContent("Stream of 64 events, one connection", hurried),
        firstContent("Stream of 64 events, one connection, an event every 5 ms", alone)
      ],
      notes: [
        "Events of the paced streams carry the time they were sent, so that the delay of each is told on its own; " +
          "the first content is what a user sees first."
      ]
    }
  }
}

const firstContent = (what: string, results: Results): Budget =>
  atMost(
    `${what}: time added to the first content, p50`,
    added(roundsOf(results, "Tollgate")!, roundsOf(results, "direct")!, "p50", "firstByte"),
    0.5,
    "ms"
  )

const delayTable = (title: string, results: Results): Table => {
  const [[, base] = [undefined, []]] = [...results]
  return {
    title: `${title}: ms`,
    columns: [
      "",
      "first content p50",
      "p99",
      "added p50",
      "delay of an event p50",
      "p99",
      "p99.9",
      "added p50",
      "added p99",
      "CPU per call, µs"
    ],
    rows: [...results].map(([side, rounds]) => [
      side.name,
      shown(medianOf(rounds, ({ load }) => load.firstByte.p50)),
      shown(medianOf(rounds, ({ load }) => load.firstByte.p99)),
      shown(added(rounds, base, "p50", "firstByte")),
      shown(medianOf(rounds, ({ load }) => load.eventDelay.p50)),
      shown(medianOf(rounds, ({ load }) => load.eventDelay.p99)),
      shown(medianOf(rounds, ({ load }) => load.eventDelay.p999)),
      shown(added(rounds, base, "p50", "eventDelay")),
      shown(added(rounds, base, "p99", "eventDelay")),
      shown(medianOf(rounds, (round) => round.cpuMicros))
    ])
  }
}
