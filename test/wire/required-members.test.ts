/**
 * Every answer that is written here has the members that the official SDKs' types say it has. The compiler holds the lists
 * against those types, so that a newer SDK names what is missing.
 */
import type Anthropic from "@anthropic-ai/sdk"
import { assert, describe, it } from "@effect/vitest"
import type OpenAI from "openai"
import type { Response as OpenAIResponse } from "openai/resources/responses/responses"
import { readAnswer } from "../../src/compute/read-answer.ts"
import type { TextEndpoint } from "../../src/domain/call.ts"
import type { Way } from "../../src/formats/pairs.ts"
import { ownStreams } from "../fixtures/read-fixtures.ts"
import { limitsOf } from "../tokens/limits.ts"
import { modelNamed } from "../catalogue.ts"
import { isRelayed, ownWays, type OwnWay } from "./own-ways.ts"
import { readFrames, runCodec } from "./stream-runner.ts"

/** The members of a type that are not optional. */
type RequiredOf<T> = { [K in keyof T as object extends Pick<T, K> ? never : K]: true }
const namesIn = (members: object): ReadonlyArray<string> => Object.keys(members)

const message = namesIn({
  id: true,
  container: true,
  content: true,
  diagnostics: true,
  model: true,
  role: true,
  stop_details: true,
  stop_reason: true,
  stop_sequence: true,
  type: true,
  usage: true
} satisfies RequiredOf<Anthropic.Message>)

const call = namesIn({
  id: true,
  caller: true,
  input: true,
  name: true,
  type: true
} satisfies RequiredOf<Anthropic.ToolUseBlock>)

const usage = namesIn({
  cache_creation: true,
  cache_creation_input_tokens: true,
  cache_read_input_tokens: true,
  inference_geo: true,
  input_tokens: true,
  output_tokens: true,
  output_tokens_details: true,
  server_tool_use: true,
  service_tier: true,
  speed: true
} satisfies RequiredOf<Anthropic.Usage>)

const completion = namesIn({
  id: true,
  choices: true,
  created: true,
  model: true,
  object: true
} satisfies RequiredOf<OpenAI.ChatCompletion>)

const response = namesIn({
  id: true,
  access_programs: true,
  created_at: true,
  error: true,
  incomplete_details: true,
  instructions: true,
  metadata: true,
  model: true,
  object: true,
  output: true,
  parallel_tool_calls: true,
  temperature: true,
  tool_choice: true,
  tools: true,
  top_p: true
} satisfies Omit<RequiredOf<OpenAIResponse>, "output_text">)

const required: Readonly<Record<TextEndpoint, ReadonlyArray<string>>> = {
  messages: message,
  chat_completions: completion,
  responses: response
}

const hasAll = (endpoint: TextEndpoint, answer: object) => {
  for (const name of required[endpoint]) assert.property(answer, name)
  if (endpoint !== "messages") return
  const { content, usage: told } = answer as Anthropic.Message
  for (const name of usage) assert.property(told, name)
  for (const block of content) callHasAll(block)
}

const callHasAll = ({ type, ...block }: Pick<Anthropic.ContentBlock, "type">) => {
  if (type !== "tool_use") return
  for (const name of call) assert.property({ type, ...block }, name)
  assert.deepInclude(block, { caller: { type: "direct" } })
}

type Framed = Readonly<{
  type?: string
  message?: object
  response?: object
  delta?: object
  content_block?: Anthropic.ContentBlock
}>

/** The answers that a stream tells, begun or whole, and what it says at a message's end. */
const streamed = ({ client, fixture, make }: OwnWay): ReadonlyArray<object> => {
  const frames = readFrames(runCodec(make(), [fixture.bytes], client.family)) as ReadonlyArray<Framed>
  for (const { content_block: block, delta, type } of frames) {
    if (type === "message_delta")
      assert.containsAllKeys(delta!, ["stop_reason", "stop_sequence", "stop_details"])
    if (block !== undefined) callHasAll(block)
  }
  return frames.flatMap(({ message: begun, response: told }) => begun ?? told ?? [])
}

const whole = ({ context, endpoint, fixture }: OwnWay): object => {
  const model = modelNamed(fixture.request.model)
  const bytes = Buffer.from(JSON.stringify(fixture.whole))
  const way = { endpoint, protocol: fixture.protocol } as Way
  const read = readAnswer({ way, model, bytes, context, limits: limitsOf(model) })
  return JSON.parse(Buffer.from(read.bytes).toString()) as object
}

const ways = ownWays(ownStreams().filter(({ fails }) => fails === undefined)).filter(
  // What Claude says on AWS stays as it is.
  (way) => !isRelayed(way) && !(way.endpoint === "messages" && way.fixture.protocol === "invoke")
)

describe("an answer that is written here has all members of its type", () => {
  it.each(ways)("streamed: $name", (way) => {
    for (const answer of streamed(way)) hasAll(way.endpoint, answer)
  })

  it.each(ways.filter(({ fixture }) => fixture.whole !== undefined))("whole: $name", (way) => {
    hasAll(way.endpoint, whole(way))
  })
})
