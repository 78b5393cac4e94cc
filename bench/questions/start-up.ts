/** How long does a start take, and what does the gateway take when idle? */
import { setTimeout as delay } from "node:timers/promises"
import type { Question } from "../Question.ts"
import { cpuMs, postgresBytes, postgresCpuMs, residentBytes } from "../measure/read-process.ts"
import { figureOf, shown, shownFigure } from "../measure/statistics.ts"

/** Threads give memory back that they have no use for within the first of these. */
const settleMs = 25_000
const restMs = 5_000

export const startUp: Question = {
  name: "start-up",
  title: "Start and idle",
  ask: async (bench) => {
    const starts: Array<number> = []
    let idle: ReadonlyArray<string> = []
    for (let round = 0; round < Math.min(3, bench.options.rounds); round++) {
      const tollgate = await bench.startTollgate({})
      starts.push(tollgate.started.startedInMs)
      if (round === 0) {
        const { pid } = tollgate.started
        await delay(settleMs)
        const before = cpuMs(pid) + postgresCpuMs(pid)
        await delay(restMs)
        const busy = (cpuMs(pid) + postgresCpuMs(pid) - before) / restMs
        idle = [shown(residentBytes(pid) / 1e6), shown(postgresBytes(pid) / 1e6), `${shown(busy * 100)} %`]
      }
      await tollgate.stop()
    }
    return {
      tables: [
        {
          title:
            "One gateway thread, an empty data folder (the database is created first), then half a minute of rest",
          columns: ["start, ms", "memory, MB", "PostgreSQL's memory, MB", "CPU of one core when idle"],
          rows: [[shownFigure(figureOf(starts)), ...idle]]
        }
      ]
    }
  }
}
