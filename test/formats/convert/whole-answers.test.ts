/** An answer by chance is the same for its client whether it is told whole or as a stream, in all that the client can see. */
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import type { TextEndpoint } from "../../../src/domain/call.ts"
import { answerTool } from "../../../src/formats/bedrock/answer-tool.ts"
import type { ConversionContext } from "../../../src/formats/convert/conversion.ts"
import { type JsonObject, objectOf, objectsOf } from "../../../src/formats/json/json.ts"
import { pairOf, type Way } from "../../../src/formats/pairs.ts"
import { eachSeed, type Random } from "../../Random.ts"
import { clients } from "../../wire/clients.ts"
import { responsesStreamFault } from "../../wire/responses/legal-responses.ts"
import { readClient } from "../../wire/responses/read-client.ts"
import { inPieces, readFrames, runCodec } from "../../wire/stream-runner.ts"
import { accumulate } from "../bedrock-fixtures.ts"
import type { Chances } from "./random-answers/Chances.ts"
import { RandomChat } from "./random-answers/RandomChat.ts"
import { RandomConverse } from "./random-answers/RandomConverse.ts"
import { RandomMessages } from "./random-answers/RandomMessages.ts"
import { RandomResponses } from "./random-answers/RandomResponses.ts"

const ways: ReadonlyArray<Way & { readonly by: new (random: Random) => Chances }> = [
  { endpoint: "messages", protocol: "converse", by: RandomConverse },
  { endpoint: "chat_completions", protocol: "converse", by: RandomConverse },
  { endpoint: "responses", protocol: "converse", by: RandomConverse },
  { endpoint: "chat_completions", protocol: "messages", by: RandomMessages },
  { endpoint: "responses", protocol: "messages", by: RandomMessages },
  { endpoint: "messages", protocol: "chat_completions", by: RandomChat },
  { endpoint: "responses", protocol: "chat_completions", by: RandomChat },
  { endpoint: "messages", protocol: "responses", by: RandomResponses },
  { endpoint: "chat_completions", protocol: "responses", by: RandomResponses }
]

/** What a call asks of its answer. */
const asked = (endpoint: TextEndpoint, random: Random): ConversionContext => ({
  ...clients[endpoint].context,
  outputEstimate: 9,
  family: random.pick(["claude", "nova"]),
  thinking: random.pick(["shown", "omitted", "none"]),
  oneCall: random.chance(0.2),
  onlyStop: random.pick([null, "END"]),
  toolNames: new Map([["t.u", "their own"], ...(random.chance(0.3) ? [["answer", answerTool] as const] : [])])
})

const whole = (way: Way, context: ConversionContext, answer: JsonObject) =>
  Result.map(pairOf(way).answer(answer, Buffer.from(JSON.stringify(answer)), context), (body) =>
    shown(way.endpoint, JSON.parse(Buffer.from(body).toString()) as JsonObject)
  )

const streamed = async (way: Way, context: ConversionContext, pieces: ReadonlyArray<Buffer>) => {
  const codec = pairOf(way).stream(context)
  const text = runCodec(codec, pieces, clients[way.endpoint].family)
  if (codec.failure !== undefined) return Result.fail(codec.failure)
  return Result.succeed(shown(way.endpoint, await readers[way.endpoint](text)))
}

const readers: Readonly<Record<TextEndpoint, (text: string) => JsonObject | Promise<JsonObject>>> = {
  messages: async (text) => {
    const message = await accumulate(readFrames(text) as ReadonlyArray<JsonObject>)
    return JSON.parse(JSON.stringify(message)) as JsonObject
  },
  chat_completions: (text) => readClient("chat", "text/event-stream", text).final!,
  responses: (text) => {
    const { events, final } = readClient("responses", "text/event-stream", text)
    assert.isUndefined(responsesStreamFault(events))
    return final!
  }
}

/** What does not tell how it was told. */
const shown = (endpoint: TextEndpoint, final: JsonObject): JsonObject => {
  if (endpoint === "messages") {
    const { content, stop_reason, stop_sequence, usage } = final
    return { content, stop_reason, stop_sequence, usage } as JsonObject
  }
  if (endpoint === "responses") {
    const { completed_at: _, ...rest } = final
    return rest
  }
  const [choice] = objectsOf(final.choices)
  const { content, reasoning_content, refusal, tool_calls } = objectOf(choice?.message)
  return {
    content: content ?? "",
    reasoning_content: reasoning_content ?? "",
    refusal: refusal ?? "",
    tool_calls: objectsOf(tool_calls).map(({ index: _, ...call }) => call),
    finish_reason: choice?.finish_reason ?? null,
    usage: final.usage ?? null
  }
}

describe.each(ways)("an answer of $protocol for a client of $endpoint", ({ by, ...way }) => {
  it("is the same whole and as a stream", () =>
    eachSeed(30, async (random) => {
      const chances = new by(random)
      for (let turn = 0; turn < 4; turn++) {
        const answer = chances.answer()
        const context = asked(way.endpoint, random)
        const other = await streamed(way, context, inPieces(answer.stream, 1 + random.below(200)))
        assert.deepStrictEqual(other, whole(way, context, answer.whole), JSON.stringify(answer.whole))
      }
    }))
})
