/** Does a call cost more with 100,000 wallets than with 1,000? */
import type { Bench } from "../Bench.ts"
import { type Question, ratioAtMost } from "../Question.ts"
import { type Contender, targetOf } from "../measure/contenders.ts"
import { measureRound } from "../measure/measure-round.ts"
import { residentBytes } from "../measure/read-process.ts"
import { median, shown, whole } from "../measure/statistics.ts"
import { costTable } from "../measure/tables.ts"
import { chatBody, chatPath } from "./bodies.ts"

const few = 1_000

export const manyWallets: Question = {
  name: "many-wallets",
  title: "100,000 wallets against 1,000",
  ask: async (bench) => {
    const many = bench.options.quick ? 10_000 : 100_000
    const tollgate = await bench.startTollgate({})
    const idleBytes = residentBytes(tollgate.started.pid)
    const sides = [
      await tollgate.contender(few, `${whole(few)} wallets`),
      await tollgate.contender(many, `${whole(many)} wallets`)
    ]
    const firsts = [await callEach(bench, sides[0]!, few), await callEach(bench, sides[1]!, many)]
    const bytes = residentBytes(tollgate.started.pid) - idleBytes
    const results = await bench.rounds(sides, job)
    await tollgate.stop()
    const total = (side: Contender) =>
      results
        .get(side)!
        .map((round) => round.cpuMicros + (Number.isFinite(round.postgresMicros) ? round.postgresMicros : 0))
    const [small, large] = [total(sides[0]!), total(sides[1]!)]
    return {
      tables: [
        {
          title: "The first call of each wallet: its key is found and its wallet claimed in the database",
          columns: ["", "calls/s", "CPU per call, µs", "PostgreSQL per call, µs"],
          rows: firsts.map((round, index) => [
            sides[index]!.name,
            shown(round.perSecond),
            shown(round.cpuMicros),
            shown(round.postgresMicros)
          ])
        },
        costTable("Every later call, wallets taken in turn, 64 connections", results)
      ],
      budgets: [
        ratioAtMost(
          `CPU per call (PostgreSQL's too) with ${whole(many)} wallets against 1,000`,
          median(large.map((value, index) => value / small[index]!)),
          1.1
        )
      ],
      notes: [`Memory of the gateway after all these calls, beyond idle: ${shown(bytes / 1e6)} MB.`]
    }
  }
}

const job = (side: Contender) => targetOf(side, chatPath, chatBody())

const callEach = (bench: Bench, side: Contender, count: number) =>
  measureRound(bench.generator, side, { ...job(side), connections: 64, seconds: 600, requests: count })
