/** How do we stand beside gateways that are not npm's, in other languages? Asked where one of their programs is named. */
import { type Contender, targetOf } from "../measure/contenders.ts"
import { startLiteLlm, startLiteLlmRs } from "../measure/other-gateways.ts"
import { costTable, latencyTable } from "../measure/tables.ts"
import type { Bench } from "../Bench.ts"
import type { Question } from "../Question.ts"
import { chatPath, leanBody, stampedBody } from "./bodies.ts"

export const otherGateways: Question = {
  name: "other-gateways",
  title: "Beside other gateways",
  ask: async (bench) => {
    const others = await startOthers(bench)
    if (others.length === 0) return undefined
    const upstream = await bench.leanUpstream()
    const sides = [
      { name: "direct", url: upstream.found, headers: others[0]!.headers, pid: undefined },
      await bench.ours(),
      ...others
    ]
    const plain = (side: Contender) => targetOf(side, chatPath, leanBody())
    const streamed = (side: Contender) => targetOf(side, chatPath, stampedBody(64, 0))
    return {
      tables: [
        costTable(
          "Plain calls of 400 bytes, 64 connections, as fast as they go",
          await bench.rounds(sides, plain)
        ),
        latencyTable("Plain calls, one connection, ms", await bench.rounds(sides, plain, { connections: 1 })),
        costTable(
          "Streams of 64 events, 64 connections, as fast as they come",
          await bench.rounds(sides, streamed)
        )
      ],
      notes: [
        "[litellm-rs](https://crates.io/crates/litellm-rs) 0.9.0 is Rust. Its keys are in PostgreSQL, what they have spent in memory, and, where that is said, a row for each plain call, " +
          "which it writes before the answer; one worker, no guardrails. LiteLLM's proxy 1.108.7 is Python, with one worker and a master key, without its database. " +
          "Tollgate has one gateway thread, and each charge is committed before the answer's end."
      ]
    }
  }
}

const startOthers = async (bench: Bench): Promise<ReadonlyArray<Contender>> => {
  const { BENCH_LITELLM, BENCH_LITELLM_RS } = process.env
  const upstreamUrl = (await bench.leanUpstream()).found
  const started = [
    BENCH_LITELLM_RS && startLiteLlmRs(BENCH_LITELLM_RS, upstreamUrl, await bench.tollgate(), false),
    BENCH_LITELLM_RS && startLiteLlmRs(BENCH_LITELLM_RS, upstreamUrl, await bench.tollgate(), true),
    BENCH_LITELLM && startLiteLlm(BENCH_LITELLM, upstreamUrl)
  ]
  const contenders: Array<Contender> = []
  for (const starting of started) if (starting) contenders.push((await bench.own(starting)).contender)
  return contenders
}
