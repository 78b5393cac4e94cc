/** bench/README.md out of results.json. */
import { readFileSync } from "node:fs"
import { type Budget, isMet, type Recorded, type Results, type Table } from "../Question.ts"
import { shown } from "../measure/statistics.ts"

/** Written by hand after profiling: what no measurement says by itself. */
const costs = readFileSync(new URL("../costs.md", import.meta.url), "utf8")

export const renderReport = ({ machine, recorded }: Results): string =>
  [
    "# Load tests",
    introduction,
    `**Machine**: ${machine}`,
    method,
    "## Budgets",
    budgetTable(recorded),
    "## Where the time goes",
    costs.trim(),
    ...recorded.flatMap((each) => [
      `## ${each.title}`,
      `\`npm run bench -- ${each.name}\`, ${each.date.slice(0, 10)}, ${each.rounds} rounds of ${each.seconds} s.`,
      ...each.answer.tables.map(renderTable),
      ...(each.answer.plots ?? []).map(({ name, title }) => `![${title}](plots/${name}.svg)`),
      ...(each.answer.notes ?? [])
    ])
  ].join("\n\n") + "\n"

const introduction = `How fast the gateway is, and beside what. This page is written by the suite:

\`\`\`sh
npm run bench                  # everything, about half an hour
npm run bench -- plain-call    # one question; the others keep their last figures
npm run bench -- --quick       # short rounds, to see that the suite works
npm run bench -- --check       # exit status 1 when a ratio budget is missed
\`\`\``

const method = `**Method**. Everything runs on the one machine and shares its cores, unpinned: the load generator (\`load/\`, bare sockets,
its own process; how busy it was stands in the tables), the upstream (for the question of the plain call and for paced streams \`yardsticks/lean-upstream.ts\`, which
answers the same bytes again and again and stamps its events; else the simulator), the gateway, and its PostgreSQL. The gateway is the real program with everything on: keys, wallets, holds,
metering, one log line a call (to /dev/null), metrics, and every charge committed to its own PostgreSQL (fsync on) before the
answer's end. The yardsticks are the direct call to the upstream, the *bare relay* (\`yardsticks/bare-relay.ts\`: uWebSockets.js
and undici, JSON parsed once, no keys, no money, no log) and npm's \`@portkey-ai/gateway\` 1.15.2, which has neither keys nor money (with \`@hono/node-server\` 1.13.8 under it: on
1.19 its streams fail with 500).

Each side is warmed up for twenty seconds, then measured in short rounds by turns (A B C, C B A, …), each after half a second that does not count. A figure is the median of the rounds, with the
least and the most in brackets; ratios and added times are taken within each turn, and their median is shown. CPU time is user
and system time of the whole process with all its threads, divided by the calls; PostgreSQL's is told apart. On a schedule, latency counts from
when a call was due, so that calls which wait for a slow one count too (no coordinated omission); the schedule ticks each millisecond.`

const budgetTable = (recorded: ReadonlyArray<Recorded>): string =>
  renderTable({
    title: "",
    columns: ["promise", "limit", "measured", ""],
    rows: recorded.flatMap(({ answer }) =>
      (answer.budgets ?? []).map((budget) => [
        budget.promise,
        `${budget.sense} ${shown(budget.limit)} ${budget.unit}`,
        `${shown(budget.value)} ${budget.unit}`,
        verdict(budget)
      ])
    )
  })

const verdict = (budget: Budget): string => (isMet(budget) ? "met" : "**missed**")

export const renderTable = ({ columns, rows, title }: Table): string =>
  [
    ...(title === "" ? [] : [`${title}:`, ""]),
    `| ${columns.join(" | ")} |`,
    `| ${columns.map((_, index) => (index === 0 ? "---" : "---:")).join(" | ")} |`,
    ...rows.map((row) => `| ${row.join(" | ")} |`)
  ].join("\n")
