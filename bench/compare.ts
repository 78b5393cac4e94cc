/**
 * Is a change worth it? This checkout against another in many short rounds by turns, each of them started anew several times,
 * now the one first, now the other: two processes of the same code differ by up to a tenth for as long as they run.
 * `node bench/compare.ts <other checkout> [plain|stream|paced|convert|agent-50|agent-500] [rounds] [seconds] [connections] [starts]`.
 */
import { Bench } from "./Bench.ts"
import { type Contender, targetOf } from "./measure/contenders.ts"
import type { Round } from "./measure/measure-round.ts"
import { figureOf, median, shown, shownFigure } from "./measure/statistics.ts"
import { costTable } from "./measure/tables.ts"
import { bodies, chatPath } from "./questions/bodies.ts"
import { renderTable } from "./report/render-report.ts"

const [checkout, kind = "plain", rounds = "10", seconds = "2", connections = "64", starts = "3"] =
  process.argv.slice(2)
const body = bodies[kind]
if (checkout === undefined || body === undefined) {
  console.error(
    `node bench/compare.ts <other checkout> [${Object.keys(bodies).join("|")}] [rounds] [seconds] [connections] [starts]`
  )
  process.exit(2)
}
const bench = new Bench({
  quick: true,
  rounds: Math.max(1, Math.round(Number(rounds) / Number(starts))),
  seconds: Number(seconds)
})

/** The rounds of the other checkout and of this one, of processes that run for these alone. */
const measureOnce = async (isOtherFirst: boolean) => {
  const started = [{ checkout, name: "other checkout" }, { name: "this checkout" }]
  if (!isOtherFirst) started.reverse()
  const gateways = []
  const sides = new Map<string, Contender>()
  for (const { name, ...options } of started) {
    const gateway = await bench.startTollgate(options)
    gateways.push(gateway)
    sides.set(name, await gateway.contender(16, name))
  }
  const results = await bench.rounds([...sides.values()], (side) => targetOf(side, chatPath, body), {
    connections: Number(connections)
  })
  for (const gateway of gateways) await bench.end(gateway)
  const [other, own] = [sides.get("other checkout")!, sides.get("this checkout")!]
  return { sides: [other, own], before: results.get(other)!, after: results.get(own)! } as const
}

const savedIn = (before: ReadonlyArray<Round>, after: ReadonlyArray<Round>): ReadonlyArray<number> =>
  after.map((round, index) => (1 - round.cpuMicros / before[index]!.cpuMicros) * 100)

try {
  const all = []
  for (let start = 0; start < Number(starts); start++) all.push(await measureOnce(start % 2 === 0))
  const [before, after] = all[0]!.sides
  const results = new Map([
    [before, all.flatMap((each) => each.before)],
    [after, all.flatMap((each) => each.after)]
  ])
  console.log(renderTable(costTable(kind, results)))
  const saved = all.map((each) => savedIn(each.before, each.after))
  console.log(
    `\nCPU per call saved: ${shown(median(saved.flat()))} %, in single turns ${shownFigure(figureOf(saved.flat()))} %, ` +
      `by start ${saved.map((each) => shown(median(each))).join(", ")} %`
  )
} finally {
  await bench.stop()
}
process.exit()
