/** What does an event of a converted stream cost, against one that the same provider's own client gets as it is? */
import type { Bench } from "../Bench.ts"
import { type Budget, type Question, ratioAtMost, type Table } from "../Question.ts"
import { type Contender, targetOf } from "../measure/contenders.ts"
import { figure } from "../measure/measure-round.ts"
import { shown, shownFigure, whole } from "../measure/statistics.ts"
import { cpuRatio, type Results } from "../measure/tables.ts"
import { chatBody, chatPath, messagesBody, messagesPath, responsesBody, responsesPath } from "./bodies.ts"

/** So many that the call around them counts for little. */
const events = 1_000
const asked = { stream: true, prompt: `[sim: tokens=${events}]` }

const paths = { chat: chatPath, Messages: messagesPath, Responses: responsesPath } as const
const bodies = { chat: chatBody, Messages: messagesBody, Responses: responsesBody } as const
type Client = keyof typeof paths

interface Way {
  readonly client: Client
  readonly to: string
  readonly model: string
}

const deepSeek = { to: "DeepSeek (chat)", model: "deepseek-v4-pro" }
const gpt = { to: "GPT (Responses)", model: "gpt-5.5" }
const claude = { to: "Claude (Messages)", model: "claude-sonnet-4-6" }
const claudeOnBedrock = { to: "Claude on Bedrock", model: "svc/claude-sonnet-4-6" }
const nova = { to: "Nova on Bedrock", model: "svc/nova-pro" }

/** The way without conversion, and those that are weighed against it. */
const groups: ReadonlyArray<readonly [Way, ReadonlyArray<Way>]> = [
  [
    { client: "chat", ...deepSeek },
    [
      { client: "Messages", ...deepSeek },
      { client: "Responses", ...deepSeek }
    ]
  ],
  [{ client: "Responses", ...gpt }, [{ client: "Messages", ...gpt }]],
  [
    { client: "Messages", ...claude },
    [
      { client: "chat", ...claude },
      { client: "Responses", ...claude },
      { client: "Messages", ...claudeOnBedrock },
      { client: "chat", ...claudeOnBedrock },
      { client: "Messages", ...nova },
      { client: "chat", ...nova }
    ]
  ]
]

export const convertedStreams: Question = {
  name: "converted-streams",
  title: "Converted streams, per event",
  ask: async (bench) => {
    const rows: Array<ReadonlyArray<string>> = []
    const ratios = new Map<string, number>()
    for (const [unchanged, converted] of groups) {
      const results = await run(bench, [unchanged, ...converted])
      const [[, base] = [undefined, []]] = [...results]
      for (const [side, rounds] of results) {
        const isUnchanged = rounds === base
        const micros = figure(rounds, (round) => round.cpuMicros / events)
        if (!isUnchanged) ratios.set(side.name, cpuRatio(rounds, base))
        rows.push([
          side.name,
          shownFigure(micros),
          isUnchanged ? "as it is" : `${shown(cpuRatio(rounds, base))} ×`
        ])
      }
    }
    const table: Table = {
      title: `Streams of ${whole(events)} events, 8 connections, as fast as they come`,
      columns: ["", "CPU per event, µs", "against the stream as it is"],
      rows
    }
    const worst = Math.max(
      ...[...ratios].flatMap(([name, ratio]) => (name.includes("Bedrock") ? [] : [ratio]))
    )
    const budget: Budget = ratioAtMost(
      "Converted stream: CPU per event against the same provider's stream as it is, the worst way",
      worst,
      2
    )
    return {
      tables: [table],
      budgets: [budget],
      notes: [
        "Bedrock's frames have checksums, and Claude's events stand there in base64; they are weighed against Claude's own stream."
      ]
    }
  }
}

const run = async (bench: Bench, ways: ReadonlyArray<Way>): Promise<Results> => {
  const ours = await bench.ours()
  const sides = new Map<Contender, Way>(
    ways.map((way) => [{ ...ours, name: `${way.client} → ${way.to}` }, way])
  )
  return bench.rounds(
    [...sides.keys()],
    (side) => {
      const { client, model } = sides.get(side)!
      return targetOf(side, paths[client], bodies[client]({ ...asked, model }))
    },
    { connections: 8 }
  )
}
