/** The suite's memory, results.json: the last answer to every question. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { cpus, totalmem, type as system } from "node:os"
import { join } from "node:path"
import type { Recorded, Results } from "../Question.ts"
import { root } from "../measure/start-process.ts"
import { barChart } from "./bar-chart.ts"
import { renderReport } from "./render-report.ts"

const folder = join(root, "bench")
const path = join(folder, "results.json")

const machine = (): string =>
  `${cpus().length} × ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 1e9)} GB, ${system()}, ` +
  `Node ${readFileSync(join(root, "node_modules", "node", "package.json"), "utf8").match(/"version": "([^"]+)"/)?.[1]}.`

/** Takes new answers in place of old ones and writes the report. `order`: the names of all questions. */
export const record = (fresh: ReadonlyArray<Recorded>, order: ReadonlyArray<string>): void => {
  const known = new Map([...read(), ...fresh].map((each) => [each.name, each]))
  const results: Results = { machine: machine(), recorded: order.flatMap((name) => known.get(name) ?? []) }
  mkdirSync(join(folder, "plots"), { recursive: true })
  for (const plot of results.recorded.flatMap(({ answer }) => answer.plots ?? [])) {
    writeFileSync(join(folder, "plots", `${plot.name}.svg`), barChart(plot))
  }
  writeFileSync(path, `${JSON.stringify(results, undefined, 2)}\n`)
  writeFileSync(join(folder, "README.md"), renderReport(results))
}

const read = (): ReadonlyArray<Recorded> => {
  try {
    return (JSON.parse(readFileSync(path, "utf8")) as Results).recorded
  } catch {
    return []
  }
}
