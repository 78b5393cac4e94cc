/** What do fifty nodes and a million accounts cost one PostgreSQL? Measured by bench/many-nodes.ts, in its own process. */
import type { Answer, Question } from "../Question.ts"
import { runProgram } from "../measure/start-process.ts"

export const fiftyNodes: Question = {
  name: "fifty-nodes",
  title: "50 nodes and 1,000,000 accounts on one PostgreSQL",
  ask: async ({ options }) => {
    const sizes = options.quick ? [10, 20_000, 2] : [50, 1_000_000, 10]
    const answer = JSON.parse(runProgram("many-nodes.ts", ...sizes.map(String))) as Answer
    const note =
      "The nodes are the real lease, ledger and journal without HTTP, all in one process (`node bench/many-nodes.ts`); each has its own connections to a PostgreSQL with fsync on."
    return { ...answer, notes: [note] }
  }
}
