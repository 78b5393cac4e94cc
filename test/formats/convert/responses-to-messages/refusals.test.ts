/** A Responses upstream's message that refuses behind what it has said already, however much of it comes in pieces. */
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import type { JsonObject } from "../../../../src/formats/json/json.ts"
import { ResponsesStreamToMessages } from "../../../../src/formats/convert/responses-to-messages/ResponsesStreamToMessages.ts"
import { pairs } from "../../../../src/formats/pairs.ts"
import { contextFor } from "../../../wire/models.ts"
import { readWithAnthropic, readWithOpenAI } from "../../../wire/stream-answers.ts"
import { runCodec } from "../../../wire/stream-runner.ts"

const context = contextFor("gpt-5.5")
const content = [
  { type: "output_text", text: "Sure.", annotations: [] },
  { type: "refusal", refusal: "I can't." }
]
const item = (parts: ReadonlyArray<JsonObject>) => ({
  id: "msg_1",
  type: "message",
  role: "assistant",
  content: parts
})
const response: JsonObject = {
  id: "resp_1",
  status: "completed",
  output: [item(content)],
  usage: { input_tokens: 3, output_tokens: 2, total_tokens: 5 }
}

const piece = (type: string, delta: string): JsonObject => ({
  type: `response.${type}.delta`,
  output_index: 0,
  delta
})
const text = ["Su", "re."].map((delta) => piece("output_text", delta))
const refusal = ["I ", "can't."].map((delta) => piece("refusal", delta))
const added = { type: "response.output_item.added", output_index: 0, item: item([]) }
const done = { type: "response.output_item.done", output_index: 0, item: item(content) }

const whole = (endpoint: "messages" | "chat_completions") =>
  JSON.parse(
    Buffer.from(
      Result.getOrThrow(pairs[endpoint].responses.answer(response, Buffer.alloc(0), context))
    ).toString()
  )

const stream = (endpoint: "messages" | "chat_completions", events: ReadonlyArray<JsonObject>) => {
  const all = [{ type: "response.created", response: { ...response, output: [] } }, ...events]
  const told = [...all, { type: "response.completed", response }]
  const bytes = Buffer.from(
    told.map((event) => `event: ${String(event.type)}\ndata: ${JSON.stringify(event)}\n\n`).join("")
  )
  const family = endpoint === "messages" ? "messages" : "chat"
  return runCodec(pairs[endpoint].responses.stream(context), [bytes], family)
}

const blocks = [
  { type: "text", text: "Sure." },
  { type: "text", text: "I can't." }
]

describe("what was said before a refusal is told apart from it", () => {
  it("in a whole answer", () => {
    assert.deepStrictEqual(whole("messages").content, blocks)
    assert.strictEqual(whole("messages").stop_reason, "refusal")
    assert.deepInclude(whole("chat_completions").choices[0].message, {
      content: "Sure.",
      refusal: "I can't."
    })
  })

  it.each<readonly [string, ReadonlyArray<JsonObject>]>([
    ["piece by piece", [added, ...text, ...refusal, done]],
    ["with no word of where it begins or ends", [...text, ...refusal]],
    ["of which the refusal comes with its end alone", [added, ...text, done]],
    ["of which the rest comes with its end alone", [added, ...text, refusal[0]!, done]],
    ["whose items come whole", [added, done]],
    ["whose items come in its last event alone", []]
  ])("in a stream %s", async (_, events) => {
    const message = await readWithAnthropic(stream("messages", events))
    assert.deepStrictEqual(
      message.content.map((block): JsonObject => ({
        type: block.type,
        text: block.type === "text" && block.text
      })),
      blocks
    )
    assert.strictEqual(message.stop_reason, "refusal")
    assert.strictEqual(message.stop_details?.explanation, "I can't.")
    const { choices } = await readWithOpenAI(stream("chat_completions", events))
    assert.deepInclude(choices[0]!.message, { content: "Sure.", refusal: "I can't." })
  })
})

it("a message that refuses again and again behind a call is told at once", { timeout: 15_000 }, () => {
  const many = 200_000
  const stream = new ResponsesStreamToMessages(context)
  const call = { type: "function_call", call_id: "a", name: "f", arguments: "" }
  stream.push({ ...added, output_index: 1, item: call })
  stream.push(added)
  const told = Array.from({ length: many }, (_, at) =>
    stream.push({ ...(at % 2 === 0 ? text[0]! : refusal[0]!), output_index: 0 })
  )
  const end = stream.push({ type: "response.completed", response: { status: "completed" } })
  const begun = [...told.flat(), ...end].filter(({ type }) => type === "content_block_start")
  assert.lengthOf(begun, many)
})
