/** What do plain calls with 50 KB and 500 KB of prompt cost? */
import type { Question } from "../Question.ts"
import { targetOf } from "../measure/contenders.ts"
import { costPlot, costTable } from "../measure/tables.ts"
import { chatBody, chatPath } from "./bodies.ts"

export const largePrompts: Question = {
  name: "large-prompts",
  title: "Plain calls with prompts of 50 KB and 500 KB",
  ask: async (bench) => {
    const sides = await bench.sides(await bench.simulator())
    const run = (bytes: number) => {
      const body = chatBody({ bytes })
      return bench.rounds(sides, (side) => targetOf(side, chatPath, body), { connections: 8 })
    }
    const small = await run(50_000)
    const large = await run(500_000)
    return {
      tables: [costTable("50 KB, 8 connections", small), costTable("500 KB, 8 connections", large)],
      plots: [
        costPlot("prompt-50-kb", "Prompt of 50 KB", small),
        costPlot("prompt-500-kb", "Prompt of 500 KB", large)
      ]
    }
  }
}
