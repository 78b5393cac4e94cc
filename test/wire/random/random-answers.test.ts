/** Answers by chance of every provider's protocol, as the clients of the others are told of them. */
import { assert, describe, it } from "@effect/vitest"
import { readAnswer } from "../../../src/compute/read-answer.ts"
import type { TextEndpoint } from "../../../src/domain/call.ts"
import { pairOf, type Way } from "../../../src/formats/pairs.ts"
import type { Stop, Turn } from "../../../src/simulator/turn/Turn.ts"
import { joinPieces } from "../../../src/simulator/turn/vocabulary.ts"
import { seeds } from "../../Random.ts"
import { limitsOf } from "../../tokens/limits.ts"
import { modelNamed } from "../../catalogue.ts"
import { clients } from "../clients.ts"
import { inPieces, runCodec } from "../stream-runner.ts"
import { turnOf, written } from "./turns.ts"
import { Words } from "./Words.ts"

const models = {
  messages: "claude-sonnet-4-6",
  chat_completions: "deepseek-v4-pro",
  responses: "gpt-5.5",
  converse: "svc/nova-2-lite",
  invoke: "svc/claude-sonnet-4-6"
} as const

const ways = (Object.keys(clients) as ReadonlyArray<TextEndpoint>).flatMap((endpoint) =>
  (Object.keys(models) as ReadonlyArray<keyof typeof models>)
    .filter((protocol) => protocol !== endpoint)
    .map((protocol) => ({ endpoint, protocol }) as Way)
)

const whole = (way: Way, turn: Turn) => {
  const model = modelNamed(models[way.protocol])
  const bytes = Buffer.from(written[way.protocol].whole(turn))
  const { context, readWhole } = clients[way.endpoint]
  const read = readAnswer({ way, model, bytes, context, limits: limitsOf(model) })
  return { ...readWhole(Buffer.from(read.bytes).toString()), usage: read.usage }
}

const streamed = async (way: Way, turn: Turn, size: number) => {
  const { context, family, read } = clients[way.endpoint]
  const codec = pairOf(way).stream(context)
  const told = await read(runCodec(codec, inPieces(written[way.protocol].stream(turn), size), family))
  return { ...told, usage: codec.usage }
}

const saidIn = (turn: Turn) => ({
  thinking: turn.thinking === undefined ? "" : joinPieces(turn.thinking.pieces),
  tools: turn.calls.map(({ arguments: input, name }) => ({
    name,
    input: JSON.parse(joinPieces(input)) as unknown
  })),
  input: turn.usage!.input + turn.usage!.cacheRead + turn.usage!.cacheWrite,
  output: turn.usage!.output
})

/** Of the others, what each protocol has a word for. */
const ends: Readonly<Record<TextEndpoint, Partial<Record<Stop, string>>>> = {
  messages: { end: "end_turn", length: "max_tokens", tool_use: "tool_use", refusal: "refusal" },
  chat_completions: { end: "stop", length: "length", tool_use: "tool_calls" },
  responses: { end: "completed", length: "incomplete", tool_use: "completed" }
}

describe.each(ways)("an answer of $protocol for a client of $endpoint", (way) => {
  it.each(seeds(20))("is the same whole and as a stream, by chance of %i", async (seed) => {
    const words = new Words(seed)
    const turn = turnOf(words)
    const one = whole(way, turn)
    const other = await streamed(way, turn, 1 + words.below(80))
    assert.deepStrictEqual(other, one)
    const { text, ...said } = one.answer
    assert.deepStrictEqual(said, saidIn(turn))
    assert.strictEqual(one.end, ends[way.endpoint][turn.stop] ?? one.end)
    if (turn.stop === "refusal") return
    // A text of nothing but white space is left out by most.
    const told = joinPieces(turn.text)
    if (text !== "" || told.trim() !== "") assert.strictEqual(text, told)
  })
})
