/** Thoughts that a chat client was given and sends back: to the model of another family they are not sent. */
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import type { JsonObject } from "../../../../src/formats/json/json.ts"
import { pairs } from "../../../../src/formats/pairs.ts"
import { convertRequest } from "../../../wire/convert-request.ts"
import { contextFor } from "../../../wire/models.ts"
import { run } from "../messages-streams.ts"

const thought = { type: "thinking", thinking: "hm", signature: "SIG" }
const hidden = { type: "redacted_thinking", data: "DATA" }

const answer = {
  type: "message",
  role: "assistant",
  content: [thought, hidden, { type: "text", text: "so" }],
  stop_reason: "end_turn",
  usage: { input_tokens: 3, output_tokens: 2 }
}

/** What a chat client is given of the answer of a model of this family, whole and streamed. */
const given = (family: string): ReadonlyArray<JsonObject> => {
  const context = contextFor("m", { family })
  const made = pairs.chat_completions.messages.answer(answer, Buffer.alloc(0), context)
  const { message } = JSON.parse(Buffer.from(Result.getOrThrow(made)).toString()).choices[0]
  const { deltas } = run(
    [
      { type: "message_start", message: { id: "msg_1", usage: answer.usage } },
      ...[thought, hidden].flatMap((content_block, index) => [
        { type: "content_block_start", index, content_block },
        { type: "content_block_stop", index }
      ]),
      { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 2 } },
      { type: "message_stop" }
    ],
    { family }
  )
  const streamed = deltas.flatMap((delta) => (delta.thinking_blocks ?? []) as ReadonlyArray<JsonObject>)
  const signs = (blocks: ReadonlyArray<JsonObject>) => blocks.map(({ data, signature }) => signature ?? data)
  assert.deepStrictEqual(signs(streamed), signs(message.thinking_blocks as ReadonlyArray<JsonObject>))
  return message.thinking_blocks as ReadonlyArray<JsonObject>
}

/** The model's turn as it goes up again. */
const returned = (model: string, thinking_blocks: ReadonlyArray<JsonObject>): unknown => {
  const messages = [
    { role: "user", content: "q" },
    { role: "assistant", content: "so", thinking_blocks },
    { role: "user", content: "go on" }
  ]
  const { body } = Result.getOrThrow(convertRequest("chat_completions", model, { messages }))
  return (body.messages as ReadonlyArray<JsonObject>)[1]!.content
}

const text = { type: "text", text: "so" }

describe("the thoughts that a chat client sends back", () => {
  it("are Claude's own as it signed them", () => {
    assert.deepStrictEqual(given("claude"), [thought, hidden])
    for (const model of ["claude-sonnet-4-6", "svc/claude-sonnet-4-6"])
      assert.deepStrictEqual(returned(model, given("claude")), [thought, hidden, text])
  })

  it("come back to another family as it signed them, too", () => {
    assert.deepStrictEqual(returned("minimax-m3", given("minimax")), [thought, hidden, text])
    assert.deepStrictEqual(returned("svc/nova-2-lite", given("nova")), [
      { reasoningContent: { reasoningText: { text: "hm" } } },
      { text: "so" }
    ])
  })

  it("are left out for who did not think them", () => {
    for (const family of ["minimax", "nova"])
      assert.deepStrictEqual(returned("claude-sonnet-4-6", given(family)), [text])
    assert.deepStrictEqual(returned("minimax-m3", given("claude")), [text])
    assert.deepStrictEqual(returned("svc/nova-2-lite", given("minimax")), [{ text: "so" }])
  })
})
