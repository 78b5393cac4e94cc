/** What do more gateway threads bring on this machine? */
import type { Question } from "../Question.ts"
import { targetOf } from "../measure/contenders.ts"
import { costTable, medianOf } from "../measure/tables.ts"
import { chatBody, chatPath } from "./bodies.ts"

export const threads: Question = {
  name: "threads",
  title: "1, 2 and 4 gateway threads",
  ask: async (bench) => {
    const counts = [1, 2, 4]
    const gateways = []
    for (const threads of counts) gateways.push(await bench.startTollgate({ threads }))
    const sides = []
    for (const [index, gateway] of gateways.entries()) {
      sides.push(await gateway.contender(64, `${counts[index]} thread${index === 0 ? "" : "s"}`))
    }
    const results = await bench.rounds(sides, (side) => targetOf(side, chatPath, chatBody()), {
      connections: 128
    })
    for (const gateway of gateways) await gateway.stop()
    return {
      tables: [costTable("Plain calls, 128 connections, as fast as they go", results)],
      plots: [
        {
          name: "threads",
          title: "Gateway threads",
          unit: "calls/s",
          bars: sides.map((side) => ({
            label: side.name,
            value: medianOf(results.get(side)!, (round) => round.perSecond)
          }))
        }
      ],
      notes: [
        "Load generator, upstream and PostgreSQL share the machine's cores with the gateway: threads beyond the cores " +
          "that are left can not help."
      ]
    }
  }
}
