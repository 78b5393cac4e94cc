/** What does conversion cost, each way and to Bedrock, against the same call without it? */
import type { Bench } from "../Bench.ts"
import type { Question } from "../Question.ts"
import { type Contender, targetOf } from "../measure/contenders.ts"
import { costTable, type Results } from "../measure/tables.ts"
import { chatBody, chatPath, messagesBody, messagesPath } from "./bodies.ts"

interface Way {
  readonly name: string
  readonly path: string
  readonly body: (stream: boolean) => string
}

const claude = "claude-sonnet-4-6"
const prompt = "[sim: tokens=64]"
const ways: ReadonlyArray<Way> = [
  { name: "chat → GPT (same protocol)", path: chatPath, body: (stream) => chatBody({ stream, prompt }) },
  { name: "chat → Claude", path: chatPath, body: (stream) => chatBody({ stream, prompt, model: claude }) },
  {
    name: "chat → Claude on Bedrock",
    path: chatPath,
    body: (stream) => chatBody({ stream, prompt, model: `svc/${claude}` })
  },
  {
    name: "Messages → Claude (same protocol)",
    path: messagesPath,
    body: (stream) => messagesBody({ stream, prompt })
  },
  {
    name: "Messages → GPT",
    path: messagesPath,
    body: (stream) => messagesBody({ stream, prompt, model: "gpt-5.5" })
  },
  {
    name: "Messages → Claude on Bedrock",
    path: messagesPath,
    body: (stream) => messagesBody({ stream, prompt, model: `svc/${claude}` })
  },
  {
    name: "Messages → Nova on Bedrock",
    path: messagesPath,
    body: (stream) => messagesBody({ stream, prompt, model: "svc/nova-pro" })
  }
]

export const conversion: Question = {
  name: "conversion",
  title: "Conversion between protocols, and Bedrock",
  ask: async (bench) => ({
    tables: [
      costTable("Plain, 64 tokens of answer, 32 connections", await run(bench, false)),
      costTable("Streams of 64 tokens, 32 connections", await run(bench, true))
    ]
  })
}

const run = async (bench: Bench, stream: boolean): Promise<Results> => {
  const ours = await bench.ours()
  const sides = new Map<Contender, Way>(ways.map((way) => [{ ...ours, name: way.name }, way]))
  return bench.rounds(
    [...sides.keys()],
    (side) => targetOf(side, sides.get(side)!.path, sides.get(side)!.body(stream)),
    { connections: 32 }
  )
}
