import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { messagesResponseToChat } from "../../../../src/formats/convert/messages-to-chat/answer.ts"
import type { Json, JsonObject } from "../../../../src/formats/json/json.ts"
import { contextFor } from "../../../wire/models.ts"

const converted = (content: ReadonlyArray<Json>, stop_reason: Json, more: JsonObject = {}) =>
  Result.getOrThrow(
    messagesResponseToChat(
      { content, stop_reason, usage: { input_tokens: 3, output_tokens: 2 }, ...more },
      contextFor("claude-x")
    )
  )

const choiceOf = (body: JsonObject) =>
  (body.choices as ReadonlyArray<{ readonly message: JsonObject; readonly finish_reason: Json }>)[0]!

const text = { type: "text", text: "x" }

describe("a Messages answer, as a chat answer", () => {
  it.each([
    ["end_turn", "stop"],
    ["stop_sequence", "stop"],
    ["pause_turn", "stop"],
    ["max_tokens", "length"],
    ["model_context_window_exceeded", "length"],
    ["refusal", "content_filter"],
    ["tool_use", "tool_calls"],
    ["something_new", "stop"],
    [null, "stop"]
  ])("C72 C75 that ended with %j ended with %s", (stop_reason, finish_reason) => {
    const choice = choiceOf(converted([text], stop_reason))
    assert.strictEqual(choice.finish_reason, finish_reason)
    assert.deepStrictEqual(choice.message, { role: "assistant", content: "x", refusal: null })
  })

  it("holds text and calls side by side, each call with its arguments as text", () => {
    const use = (id: string, input: JsonObject) => ({ type: "tool_use", id, name: "f", input })
    const content = [text, use("a", { city: "Huế", n: [1, null] }), use("b", {})]
    const { finish_reason, message } = choiceOf(converted(content, "tool_use"))
    assert.strictEqual(choiceOf(converted(content, "end_turn")).finish_reason, "tool_calls")
    const call = (id: string, input: string) => ({
      id,
      type: "function",
      function: { name: "f", arguments: input }
    })
    assert.strictEqual(finish_reason, "tool_calls")
    assert.strictEqual(message.content, "x")
    assert.deepStrictEqual(message.tool_calls as unknown, [
      call("a", `{"city":"Huế","n":[1,null]}`),
      call("b", "{}")
    ])
  })

  it("C74 counts cached input as a part of the prompt", () => {
    const usage = {
      input_tokens: 10,
      output_tokens: 20,
      cache_read_input_tokens: 5,
      cache_creation_input_tokens: 3
    }
    const body = converted([text], "end_turn", { usage })
    assert.deepInclude(body, { object: "chat.completion", model: "claude-x", created: 1_750_000_000 })
    assert.deepInclude(body.usage, {
      prompt_tokens: 18,
      completion_tokens: 20,
      total_tokens: 38,
      prompt_tokens_details: { cached_tokens: 5, cache_write_tokens: 3 }
    })
  })

  it("of nothing has no content", () => {
    const { finish_reason, message } = choiceOf(converted([], "end_turn"))
    assert.deepStrictEqual([finish_reason, message.content], ["stop", null])
  })
})
