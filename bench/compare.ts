/**
 * Is a change worth it? This checkout against another in many short rounds by turns:
 * `node bench/compare.ts <other checkout> [plain|stream|paced|convert|agent-50|agent-500] [rounds] [seconds] [connections]`.
 */
import { Bench } from "./Bench.ts"
import { targetOf } from "./measure/contenders.ts"
import { median, shown, shownFigure, figureOf } from "./measure/statistics.ts"
import { costTable } from "./measure/tables.ts"
import { bodies, chatPath } from "./questions/bodies.ts"
import { renderTable } from "./report/render-report.ts"

const [checkout, kind = "plain", rounds = "10", seconds = "2", connections = "64"] = process.argv.slice(2)
const body = bodies[kind]
if (checkout === undefined || body === undefined) {
  console.error(
    `node bench/compare.ts <other checkout> [${Object.keys(bodies).join("|")}] [rounds] [seconds] [connections]`
  )
  process.exit(2)
}
const bench = new Bench({ quick: true, rounds: Number(rounds), seconds: Number(seconds) })
try {
  const sides = [
    await (await bench.startTollgate({ checkout })).contender(16, "other checkout"),
    await (await bench.startTollgate({})).contender(16, "this checkout")
  ]
  const results = await bench.rounds(sides, (side) => targetOf(side, chatPath, body), {
    connections: Number(connections)
  })
  const [before, after] = sides.map((side) => results.get(side)!)
  const gains = after!.map((round, index) => (1 - round.cpuMicros / before![index]!.cpuMicros) * 100)
  console.log(renderTable(costTable(kind, results)))
  console.log(
    `\nCPU per call saved: ${shown(median(gains))} %, in single turns ${shownFigure(figureOf(gains))} %`
  )
} finally {
  await bench.stop()
}
process.exit()
