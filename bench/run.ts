/**
 * The load-test suite: `npm run bench [-- NAME…] [--quick] [--check]`. Asks the questions, prints the answers and
 * writes README.md, results.json and plots/ (not with --quick). `--check`: fails when a ratio budget is missed.
 */
import { parseArgs } from "node:util"
import { Bench } from "./Bench.ts"
import { isMet, type Recorded } from "./Question.ts"
import { questions } from "./questions/all.ts"
import { renderTable } from "./report/render-report.ts"
import { record } from "./report/results.ts"
import { shown } from "./measure/statistics.ts"

const { positionals: names, values } = parseArgs({
  allowPositionals: true,
  options: {
    help: { type: "boolean", default: false },
    quick: { type: "boolean", default: false },
    check: { type: "boolean", default: false },
    rounds: { type: "string" },
    seconds: { type: "string" }
  }
})
const order = questions.map(({ name }) => name)
if (values.help) {
  console.log(
    `npm run bench [-- NAME…] [--quick] [--check] [--rounds N] [--seconds N]\nNAME: ${order.join(", ")}`
  )
  process.exit(0)
}
const unknown = names.filter((name) => !order.includes(name))
if (unknown.length > 0) {
  console.error(`There is no question ${unknown.join(", ")}; there are ${order.join(", ")}`)
  process.exit(2)
}

const { quick } = values
const rounds = Number(values.rounds ?? (quick ? 2 : 7))
const seconds = Number(values.seconds ?? (quick ? 1 : 3))
const bench = new Bench({ quick, rounds, seconds })
const recorded: Array<Recorded> = []
try {
  for (const { ask, name, title } of questions) {
    if (names.length > 0 && !names.includes(name)) continue
    console.log(`\n## ${title}`)
    const answer = await ask(bench)
    if (answer === undefined) {
      console.log("\nLeft out: what it asks for is not there")
      continue
    }
    recorded.push({ name, title, date: new Date().toISOString(), rounds, seconds, answer })
    for (const text of [...answer.tables.map(renderTable), ...(answer.notes ?? [])]) console.log(`\n${text}`)
    for (const budget of answer.budgets ?? []) {
      const { limit, promise, sense, unit, value } = budget
      console.log(
        `${isMet(budget) ? "met" : "MISSED"}: ${promise}: ${shown(value)} ${unit}, ${sense} ${shown(limit)}`
      )
    }
    if (!quick) record(recorded, order)
  }
} finally {
  await bench.stop()
}

const missed = recorded
  .flatMap(({ answer }) => answer.budgets ?? [])
  .filter((budget) => budget.isRatio && !isMet(budget))
process.exit(values.check && missed.length > 0 ? 1 : 0)
