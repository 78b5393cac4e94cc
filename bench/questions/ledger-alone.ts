/** How many calls a second can the ledger admit and settle by itself? Measured by bench/ledger.ts, in its own process. */
import type { Budget, Question } from "../Question.ts"
import { runProgram } from "../measure/start-process.ts"

/** What the design promises of the cases that the program prints. */
const promises = [
  { start: "10,000 wallets", promise: "Ledger alone: settled calls a second", limit: 20_000 },
  {
    start: "one wallet, 64 callers",
    promise: "Ledger alone, one wallet with 64 callers: calls a second",
    limit: 10_000
  }
]

export const ledgerAlone: Question = {
  name: "ledger-alone",
  title: "The ledger alone",
  ask: async () => {
    const lines = runProgram("ledger.ts")
      .split("\n")
      .filter((line) => line.includes(" settled calls/s"))
    return {
      tables: [
        {
          title: "Asked as gateway threads ask, every charge committed (`node bench/ledger.ts`)",
          columns: ["", "settled calls"],
          rows: lines.map((line) => line.split(/: (.*)/).slice(0, 2))
        }
      ],
      budgets: promises.map(({ limit, promise, start }): Budget => {
        const line = lines.find((line) => line.startsWith(start))
        const value = Number(/: (\d+) settled calls\/s/.exec(line ?? "")?.[1] ?? NaN)
        return { promise, value, limit, sense: "at least", unit: "calls/s", isRatio: false }
      })
    }
  }
}
