/** Calls of a Converse model with what is no object, told alike whole and as a stream. */
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { pairs } from "../../../../src/formats/pairs.ts"
import { encodeEventStreamMessage } from "../../../../src/formats/bedrock/event-stream.ts"
import type { TextEndpoint } from "../../../../src/domain/call.ts"
import type { Json, JsonObject } from "../../../../src/formats/json/json.ts"
import { clients } from "../../../wire/clients.ts"
import { runCodec } from "../../../wire/stream-runner.ts"

const usage = { inputTokens: 3, outputTokens: 4, totalTokens: 7 }
const toolUse = { toolUseId: "t", name: "f" }

const whole = (endpoint: TextEndpoint, input: Json): string => {
  const message = { role: "assistant", content: [{ toolUse: { ...toolUse, input } }] }
  const answer: JsonObject = { output: { message }, stopReason: "tool_use", usage }
  const told = pairs[endpoint].converse.answer(answer, Buffer.alloc(0), clients[endpoint].context)
  return calledWith(clients[endpoint].readWhole(Buffer.from(Result.getOrThrow(told)).toString()))
}

const streamed = async (endpoint: TextEndpoint, ...pieces: ReadonlyArray<string>): Promise<string> => {
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
  const codec = pairs[endpoint].converse.stream(clients[endpoint].context)
  return calledWith(await clients[endpoint].read(runCodec(codec, bytes, clients[endpoint].family)))
}

const calledWith = ({ answer }: Awaited<ReturnType<(typeof clients)["messages"]["read"]>>): string =>
  JSON.stringify(answer.tools)

describe("a call of a Converse model", () => {
  it.each(["chat_completions", "responses"] as const)("with a list is told as one (%s)", async (endpoint) => {
    assert.strictEqual(whole(endpoint, [1, 2]), await streamed(endpoint, "[1", ",2]"))
    assert.notInclude(whole(endpoint, [1, 2]), "INVALID_JSON")
  })

  it.each(["messages", "chat_completions", "responses"] as const)(
    "with null has no arguments (%s)",
    async (endpoint) => {
      for (const pieces of [["null"], [" n", "ull", "\n"], [""]])
        assert.strictEqual(await streamed(endpoint, ...pieces), whole(endpoint, {}))
      assert.strictEqual(whole(endpoint, null), whole(endpoint, {}))
      assert.strictEqual(await streamed(endpoint, " ", '{"x":1}'), whole(endpoint, { x: 1 }))
    }
  )
})
