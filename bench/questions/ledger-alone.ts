/** How many calls a second can the ledger admit and settle by itself? Measured by bench/ledger.ts, in its own process. */
import { execFileSync } from "node:child_process"
import { existsSync } from "node:fs"
import { join } from "node:path"
import type { Answer, Question } from "../Question.ts"
import { node, root } from "../measure/start-process.ts"

const program = join(root, "bench", "ledger.ts")

export const ledgerAlone: Question = {
  name: "ledger-alone",
  title: "The ledger alone",
  ask: async () => {
    if (!existsSync(program)) return { tables: [], notes: ["bench/ledger.ts is missing: not measured."] }
    const output = execFileSync(node, [program], {
      cwd: root,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "inherit"]
    })
    const lines = output.trim().split("\n")
    // A last line of JSON is an answer of this suite's kind; what stands above it is for people.
    const answer = lines.at(-1)!.startsWith("{") ? (JSON.parse(lines.pop()!) as Partial<Answer>) : {}
    return {
      tables: answer.tables ?? [],
      budgets: answer.budgets,
      notes: [`\`node bench/ledger.ts\`:\n\n\`\`\`\n${lines.join("\n")}\n\`\`\``]
    }
  }
}
