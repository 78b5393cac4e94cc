/** What do the calls of coding agents cost: long histories with tools, answers of 200 events, as they are and converted? */
import type { Bench } from "../Bench.ts"
import { type Budget, type Question, ratioAtMost, type Table } from "../Question.ts"
import { type Contender, targetOf } from "../measure/contenders.ts"
import { figure, type Round } from "../measure/measure-round.ts"
import { shown, shownFigure } from "../measure/statistics.ts"
import { cpuRatio, medianOf } from "../measure/tables.ts"
import { type AgentBody, chatAgent, messagesAgent, responsesAgent } from "./agent-bodies.ts"
import { agentEvents, chatPath, leanAgent, leanModel, messagesPath, responsesPath } from "./bodies.ts"

const asks = `[sim: tokens=${agentEvents}] Go on.`

interface Client {
  readonly name: string
  readonly path: string
  readonly body: (options: AgentBody) => string
}

const claudeCode: Client = { name: "Claude Code", path: messagesPath, body: messagesAgent }
const codex: Client = { name: "Codex", path: responsesPath, body: responsesAgent }
const opencode: Client = { name: "opencode", path: chatPath, body: chatAgent }

interface Way {
  readonly client: Client
  readonly to: string
  readonly model: string
  readonly isConverted: boolean
}

const ways: ReadonlyArray<Way> = [
  { client: claudeCode, to: "Claude", model: "claude-sonnet-4-6", isConverted: false },
  { client: codex, to: "GPT", model: "gpt-5.5", isConverted: false },
  { client: opencode, to: "DeepSeek", model: "deepseek-v4-pro", isConverted: false },
  { client: claudeCode, to: "GPT (Responses)", model: "gpt-5.5", isConverted: true },
  { client: claudeCode, to: "DeepSeek (chat)", model: "deepseek-v4-pro", isConverted: true },
  { client: codex, to: "Claude (Messages)", model: "claude-sonnet-4-6", isConverted: true },
  { client: opencode, to: "Claude (Messages)", model: "claude-sonnet-4-6", isConverted: true }
]

const limit = 2
/** As many at a time as codec workers are kept busy by. */
const sizes = [
  { kilobytes: 50, connections: 64 },
  { kilobytes: 500, connections: 16 }
]

export const agents: Question = {
  name: "agents",
  title: "Calls of coding agents",
  ask: async (bench) => {
    const secure = await bench.secureSides()
    const tables: Array<Table> = []
    const budgets: Array<Budget> = []
    for (const { connections, kilobytes } of sizes) {
      const load = { bytes: kilobytes * 1_000, connections }
      const weighed = [...(await weigh(bench, load)), ...(await weighOverTls(bench, secure, load))]
      tables.push(tableOf(`Prompts of ${kilobytes} KB, ${connections} connections`, weighed))
      budgets.push(budgetOf(`Agents' prompts of ${kilobytes} KB`, weighed))
    }
    return {
      tables,
      budgets,
      notes: [
        `Each prompt has instructions, eight tools and thirty turns with calls of tools; each answer is streamed in some ${agentEvents} events. ` +
          "The relay parses the same body and passes on the provider's own stream. The history is the same in each call, as an agent sends it again: what its long texts weigh is remembered. Prompts of 500 KB are made ready in place, one in a turn of the event loop; twelve more, of different customers, wait for the next turns, and the others go to codec workers."
      ]
    }
  }
}

interface Load {
  /** Of a prompt. */
  readonly bytes: number
  readonly connections: number
}

interface Weighed {
  readonly name: string
  readonly way: Way | undefined
  readonly rounds: ReadonlyArray<Round>
  /** The relay's, with the same client's calls. */
  readonly base: ReadonlyArray<Round>
}

/** By client: the relay, and every way that its calls may go. */
const weigh = async (bench: Bench, { bytes, connections }: Load): Promise<ReadonlyArray<Weighed>> => {
  const relay = await bench.bareRelay(await bench.simulator())
  const ours = await bench.ours()
  const weighed: Array<Weighed> = []
  for (const client of [claudeCode, codex, opencode]) {
    const mine = ways.filter((way) => way.client === client)
    const relaySide = { ...relay, name: `${client.name}, bare relay` }
    const sides = new Map<Contender, Way>([
      [relaySide, mine[0]!],
      ...mine.map((way) => [{ ...ours, name: `${client.name} → ${way.to}` }, way] as const)
    ])
    const results = await bench.rounds(
      [...sides.keys()],
      (side) => {
        const { model } = sides.get(side)!
        return targetOf(side, client.path, client.body({ model, bytes, asks }))
      },
      { connections }
    )
    const base = results.get(relaySide)!
    for (const [side, rounds] of results)
      weighed.push({ name: side.name, way: side === relaySide ? undefined : sides.get(side), rounds, base })
  }
  return weighed
}

const weighOverTls = async (
  bench: Bench,
  { ours, relay }: Awaited<ReturnType<Bench["secureSides"]>>,
  { bytes, connections }: Load
): Promise<ReadonlyArray<Weighed>> => {
  const body = leanAgent(bytes)
  const results = await bench.rounds([relay, ours], (side) => targetOf(side, chatPath, body), { connections })
  const base = results.get(relay)!
  const way: Way = { client: opencode, to: "Mistral, TLS", model: leanModel, isConverted: false }
  return [
    { name: "opencode, bare relay, TLS", way: undefined, rounds: base, base },
    { name: "opencode → Mistral, TLS", way, rounds: results.get(ours)!, base }
  ]
}

const tableOf = (title: string, weighed: ReadonlyArray<Weighed>): Table => ({
  title,
  columns: [
    "",
    "CPU per call, µs",
    "against the relay",
    "PostgreSQL per call, µs",
    "first content p50, ms",
    "p50, ms"
  ],
  rows: weighed.map(({ base, name, rounds, way }) => [
    name,
    shownFigure(figure(rounds, (round) => round.cpuMicros)),
    way === undefined ? "" : `${shown(cpuRatio(rounds, base))} ×`,
    way === undefined ? "–" : shownFigure(figure(rounds, (round) => round.postgresMicros)),
    shown(medianOf(rounds, ({ load: { firstByte } }) => firstByte.p50)),
    shown(medianOf(rounds, ({ load: { latency } }) => latency.p50))
  ])
})

const budgetOf = (what: string, weighed: ReadonlyArray<Weighed>): Budget =>
  ratioAtMost(
    `${what}, same protocol, answers of ${agentEvents} events: CPU per call against the bare relay, the worst client`,
    Math.max(
      ...weighed.flatMap(({ base, rounds, way }) =>
        way?.isConverted === false ? [cpuRatio(rounds, base)] : []
      )
    ),
    limit
  )
