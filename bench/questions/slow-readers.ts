/** Do clients that read nothing slow others, or fill the memory? */
import { setTimeout as delay } from "node:timers/promises"
import { atMost, type Question } from "../Question.ts"
import { Generator } from "../load/Generator.ts"
import { targetOf } from "../measure/contenders.ts"
import { residentBytes } from "../measure/read-process.ts"
import { shown } from "../measure/statistics.ts"
import { chatPath, stampedBody } from "./bodies.ts"

const readers = 50
const settleMs = 1_000

export const slowReaders: Question = {
  name: "slow-readers",
  title: "Clients that read nothing",
  ask: async (bench) => {
    const ours = await bench.ours()
    const others = {
      ...targetOf(ours, chatPath, stampedBody(64, 20)),
      stamped: true,
      connections: 16,
      seconds: Math.max(2, bench.options.seconds)
    }
    await bench.generator.load(others)
    const before = await bench.generator.load(others)
    const idleBytes = residentBytes(ours.pid!)
    const holder = new Generator()
    const held = await holder.hold({
      ...targetOf(ours, chatPath, stampedBody(10_000_000, 0)),
      connections: readers,
      readsNothing: true
    })
    await delay(settleMs)
    const kilobytesEach = (residentBytes(ours.pid!) - idleBytes) / 1000 / held.open
    const meanwhile = await bench.generator.load(others)
    await holder.release()
    holder.close()
    return {
      tables: [
        {
          title: `16 streams with an event each 20 ms, beside ${held.open} clients that read nothing of an endless stream; ms`,
          columns: ["", "event delay p50", "p99", "p99.9", "memory for each that reads nothing, KB"],
          rows: [
            [
              "alone",
              shown(before.eventDelay.p50),
              shown(before.eventDelay.p99),
              shown(before.eventDelay.p999),
              "–"
            ],
            [
              "beside them",
              shown(meanwhile.eventDelay.p50),
              shown(meanwhile.eventDelay.p99),
              shown(meanwhile.eventDelay.p999),
              shown(kilobytesEach)
            ]
          ]
        }
      ],
      budgets: [
        atMost(
          "One slow reader never slows another: delay of an event beside 50 that read nothing, p99, added",
          meanwhile.eventDelay.p99 - before.eventDelay.p99,
          1,
          "ms"
        )
      ]
    }
  }
}
