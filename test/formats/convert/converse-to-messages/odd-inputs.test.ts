/** Calls of a Converse model with what is no object, told alike whole and as a stream. */
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { answerTool } from "../../../../src/formats/bedrock/answer-tool.ts"
import { meterAnswer } from "../../../../src/formats/meter/meter-answer.ts"
import { pairs } from "../../../../src/formats/pairs.ts"
import { encodeEventStreamMessage } from "../../../../src/formats/bedrock/event-stream.ts"
import type { TextEndpoint } from "../../../../src/domain/call.ts"
import type { Json, JsonObject } from "../../../../src/formats/json/json.ts"
import { parseExactJson } from "../../../../src/formats/json/parse-exact-json.ts"
import { clients } from "../../../wire/clients.ts"
import { runCodec } from "../../../wire/stream-runner.ts"

const usage = { inputTokens: 3, outputTokens: 4, totalTokens: 7 }
const toolUse = { toolUseId: "t", name: "f" }
const endpoints = ["messages", "chat_completions", "responses"] as const

const answerWith = (input: Json): JsonObject => {
  const message = { role: "assistant", content: [{ toolUse: { ...toolUse, input } }] }
  return { output: { message }, stopReason: "tool_use", usage }
}

const readWhole = (endpoint: TextEndpoint, input: Json, context = clients[endpoint].context) => {
  const told = pairs[endpoint].converse.answer(answerWith(input), Buffer.alloc(0), context)
  return clients[endpoint].readWhole(Buffer.from(Result.getOrThrow(told)).toString())
}

const whole = (endpoint: TextEndpoint, input: Json): string => calledWith(readWhole(endpoint, input))

const codecAfter = (
  endpoint: TextEndpoint,
  pieces: ReadonlyArray<string>,
  context = clients[endpoint].context
) => {
  const events: ReadonlyArray<readonly [string, JsonObject]> = [
    ["messageStart", { role: "assistant" }],
    ["contentBlockStart", { contentBlockIndex: 0, start: { toolUse } }],
    ...pieces.map(
      (input) => ["contentBlockDelta", { contentBlockIndex: 0, delta: { toolUse: { input } } }] as const
    ),
    ["contentBlockStop", { contentBlockIndex: 0 }],
    ["messageStop", { stopReason: "tool_use" }],
    ["metadata", { usage }]
  ]
  const bytes = events.map(([type, event]) =>
    encodeEventStreamMessage({
      headers: {
        ":message-type": { type: "string", value: "event" },
        ":event-type": { type: "string", value: type }
      },
      body: Buffer.from(JSON.stringify(event))
    })
  )
  const codec = pairs[endpoint].converse.stream(context)
  return { codec, text: runCodec(codec, bytes, clients[endpoint].family) }
}

const streamed = async (endpoint: TextEndpoint, ...pieces: ReadonlyArray<string>): Promise<string> =>
  calledWith(await clients[endpoint].read(codecAfter(endpoint, pieces).text))

const calledWith = ({ answer }: Awaited<ReturnType<(typeof clients)["messages"]["read"]>>): string =>
  JSON.stringify(answer.tools)

describe("a call of a Converse model", () => {
  it.each(["chat_completions", "responses"] as const)("with a list is told as one (%s)", async (endpoint) => {
    assert.strictEqual(whole(endpoint, [1, 2]), await streamed(endpoint, "[1", ",2]"))
    assert.notInclude(whole(endpoint, [1, 2]), "INVALID_JSON")
  })

  it("with a number of twenty digits is told in an object to Messages clients", () => {
    const [input] = parseExactJson("[12345678901234567890]") as ReadonlyArray<Json>
    assert.include(whole("messages", input!), '{"INVALID_JSON":"12345678901234567890"}')
  })

  it.each(endpoints)("with a list is weighed as one (%s)", (endpoint) => {
    const readable = pairs[endpoint].converse.readable!(answerWith([1, 2]), clients[endpoint].context)
    const { codec } = codecAfter(endpoint, ["[1,2]"])
    assert.deepStrictEqual(meterAnswer(Result.getOrThrow(readable)), codec.meter)
  })

  it.each(endpoints)("with a list is an answer as it stands (%s)", async (endpoint) => {
    const context = { ...clients[endpoint].context, toolNames: new Map([["f", answerTool]]) }
    const { text } = codecAfter(endpoint, ["[1", ",2]"], context)
    assert.strictEqual((await clients[endpoint].read(text)).answer.text, "[1,2]")
    assert.strictEqual(readWhole(endpoint, [1, 2], context).answer.text, "[1,2]")
  })

  it.each(endpoints)("with null has no arguments (%s)", async (endpoint) => {
    for (const pieces of [["null"], [" n", "ull", "\n"], [""]])
      assert.strictEqual(await streamed(endpoint, ...pieces), whole(endpoint, {}))
    for (const nothing of [null, "null", " "])
      assert.strictEqual(whole(endpoint, nothing), whole(endpoint, {}))
    assert.strictEqual(await streamed(endpoint, " ", '{"x":1}'), whole(endpoint, { x: 1 }))
  })
})
