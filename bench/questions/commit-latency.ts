/** How long does a commit take, and how many calls share one, as the load grows? */
import type { Question } from "../Question.ts"
import { targetOf } from "../measure/contenders.ts"
import { measureRound } from "../measure/measure-round.ts"
import { readMetrics } from "../measure/read-metrics.ts"
import { shown } from "../measure/statistics.ts"
import { chatBody, chatPath } from "./bodies.ts"

const loads = [1, 4, 16, 64, 256]

export const commitLatency: Question = {
  name: "commit-latency",
  title: "Group commit under growing load",
  ask: async (bench) => {
    const ours = await bench.ours()
    await bench.warmUp(ours, { ...targetOf(ours, chatPath, chatBody()), connections: 64 })
    const rows: Array<ReadonlyArray<string>> = []
    for (const connections of loads) {
      const before = await readMetrics(ours.url)
      const round = await measureRound(bench.generator, ours, {
        ...targetOf(ours, chatPath, chatBody()),
        connections,
        seconds: bench.options.seconds
      })
      const after = await readMetrics(ours.url)
      const commits = after.commits - before.commits
      rows.push([
        String(connections),
        shown(round.perSecond),
        shown(((after.commitSeconds - before.commitSeconds) * 1000) / commits),
        shown((after.committedCalls - before.committedCalls) / commits),
        shown(round.load.latency.p50),
        shown(round.load.latency.p99),
        shown(round.cpuMicros),
        shown(round.postgresMicros)
      ])
    }
    return {
      tables: [
        {
          title: "Plain calls; a commit's time is taken by the journal, to a millisecond each",
          columns: [
            "connections",
            "calls/s",
            "commit, ms",
            "calls in a commit",
            "call p50, ms",
            "call p99, ms",
            "CPU per call, µs",
            "PostgreSQL per call, µs"
          ],
          rows
        }
      ]
    }
  }
}
