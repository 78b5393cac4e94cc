/** Is one wallet with many callers slower than as many wallets? */
import { type Question, ratioAtMost } from "../Question.ts"
import { targetOf } from "../measure/contenders.ts"
import { costTable, cpuRatio } from "../measure/tables.ts"
import { chatBody, chatPath } from "./bodies.ts"

export const hotWallet: Question = {
  name: "hot-wallet",
  title: "One wallet with 64 callers",
  ask: async (bench) => {
    const tollgate = await bench.tollgate()
    const one = await tollgate.contender(1, "one wallet")
    const many = await tollgate.contender(64, "64 wallets")
    const results = await bench.rounds([one, many], (side) => targetOf(side, chatPath, chatBody()))
    return {
      tables: [costTable("64 connections, as fast as they go", results)],
      budgets: [
        ratioAtMost(
          "One wallet with 64 callers: CPU per call against 64 wallets",
          cpuRatio(results.get(one)!, results.get(many)!),
          1.1
        )
      ]
    }
  }
}
