import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { chatResponseToMessages } from "../../../../src/formats/convert/chat-to-messages/answer.ts"
import { readMark } from "../../../../src/formats/convert/reasoning-marks.ts"
import type { Json, JsonObject } from "../../../../src/formats/json/json.ts"
import { contextFor } from "../../../wire/models.ts"
import { chunk, says, calls, begins, finish, usage, answer } from "../chat-streams.ts"

describe("a chat answer, as a Messages answer", () => {
  const message = (message: JsonObject, finish_reason = "stop", more: JsonObject = {}) =>
    chatResponseToMessages({ choices: [{ message, finish_reason }], ...more }, contextFor("claude-x"))

  it("C28 arguments that are no object are kept in one, and none are an empty one", () => {
    const deep = `{"a":${"[".repeat(10_000)}${"]".repeat(10_000)}}`
    for (const [text, input] of [
      ["", {}],
      [" ", {}],
      ["null", {}],
      ...[`{"a":`, `{"a":1}}`, "[1]", deep].map((text) => [text, { INVALID_JSON: text }] as const)
    ] as const) {
      const body = Result.getOrThrow(message({ tool_calls: [begins(0, "a", "f", text)] }, "length"))
      assert.deepStrictEqual(body.content, [
        { type: "tool_use", id: "a", name: "f", input, caller: { type: "direct" } }
      ])
      assert.strictEqual(body.stop_reason, "max_tokens")
    }
  })

  it.each([
    ["stop", "end_turn"],
    ["length", "max_tokens"],
    ["content_filter", "refusal"],
    ["tool_calls", "end_turn"],
    ["function_call", "end_turn"],
    [null, "end_turn"]
  ])("C06 C21 C22 text that ended with %j ended with %s", (finish_reason, stop_reason) => {
    const choices = [{ message: { content: "x" }, finish_reason }]
    const body = Result.getOrThrow(chatResponseToMessages({ choices }, contextFor()))
    assert.deepInclude(body, { content: [{ type: "text", text: "x" }], stop_reason, stop_sequence: null })
  })

  it("C81 keeps thoughts that are not shown beside one that is", () => {
    const thinking_blocks = [{ type: "redacted_thinking", data: "x" }]
    const { content } = Result.getOrThrow(message({ reasoning_content: "hm", thinking_blocks, content: "t" }))
    assert.deepStrictEqual(
      (content as ReadonlyArray<JsonObject>).map(({ data, text, thinking, type }) => [
        type,
        text ?? thinking ?? readMark(data)?.payload
      ]),
      [
        ["thinking", "hm"],
        ["redacted_thinking", "x"],
        ["text", "t"]
      ]
    )
  })

  it("C78 holds what the stream of the same answer holds", () => {
    const whole = Result.getOrThrow(
      message(
        { reasoning_content: "hm", content: "t", tool_calls: [begins(0, "a", "f", `{"x":1}`)] },
        "tool_calls",
        { usage: { ...usage, prompt_tokens_details: { cached_tokens: 4 } } }
      )
    )
    const streamed = answer(
      chunk({ reasoning_content: "hm" }),
      says("t"),
      calls(begins(0, "a", "f", `{"x":1}`)),
      finish("tool_calls"),
      { choices: [], usage: { ...usage, prompt_tokens_details: { cached_tokens: 4 } } }
    )
    const held = (whole.content as ReadonlyArray<JsonObject>).map((block) =>
      block.type === "tool_use"
        ? [block.type, block.name, JSON.stringify(block.input)]
        : [block.type, block.text ?? block.thinking]
    )
    assert.deepStrictEqual(held, streamed.blocks)
    assert.strictEqual(whole.stop_reason, streamed.end.stop_reason)
    assert.deepStrictEqual(whole.usage, streamed.usage)
  })

  it("C74b cached input is counted apart and never below zero", () => {
    const counted = (details: JsonObject) =>
      Result.getOrThrow(message({ content: "t" }, "stop", { usage: { ...usage, ...details } }))
        .usage as JsonObject
    assert.deepInclude(counted({ prompt_tokens_details: { cached_tokens: 8 } }), {
      input_tokens: 2,
      cache_read_input_tokens: 8
    })
    assert.deepInclude(counted({ prompt_cache_hit_tokens: 3 }), {
      input_tokens: 7,
      cache_read_input_tokens: 3
    })
    assert.deepInclude(counted({ prompt_tokens_details: { cached_tokens: 80 } }), {
      input_tokens: 0,
      cache_read_input_tokens: 10
    })
  })

  it("reasoning that the completion leaves out is in the total", () => {
    const counted = { prompt_tokens: 307, completion_tokens: 26, total_tokens: 560 }
    assert.deepInclude(Result.getOrThrow(message({ content: "t" }, "stop", { usage: counted })).usage, {
      output_tokens: 253
    })
  })

  it("gives calls ids that Claude takes back, whole and streamed", () => {
    const given = ["functions.f:0", "call_0-b", "call_0-b"].map((id, place) => begins(place, id, "f", "{}"))
    const ids = ["functions_f_0", "call_0-b", "call_0-b_2"]
    const body = Result.getOrThrow(message({ tool_calls: given }))
    const { events } = answer(...given.map((one) => calls(one)), finish("tool_calls"))
    const blocks = events.map(({ content_block }) => content_block as JsonObject).filter(Boolean)
    for (const content of [body.content as ReadonlyArray<JsonObject>, blocks])
      assert.deepStrictEqual(
        content.map(({ id }) => id),
        ids
      )
  })

  it("tells how much of the output was thinking, where the upstream does", () => {
    const details = (reasoning_tokens: Json) => {
      const counted = { ...usage, completion_tokens_details: { reasoning_tokens } }
      return (Result.getOrThrow(message({ content: "t" }, "stop", { usage: counted })).usage as JsonObject)
        .output_tokens_details
    }
    assert.deepStrictEqual(details(3), { thinking_tokens: 3 })
    assert.deepStrictEqual(details(300), { thinking_tokens: usage.completion_tokens })
    assert.isNull(details(0))
    assert.isNull(details(null))
  })

  it("an error under a good status, and what is no answer, are failures", () => {
    const bodies: ReadonlyArray<JsonObject> = [
      { error: { message: "x" } },
      {},
      { choices: null },
      { choices: [], usage },
      { choices: [{ finish_reason: "error" }] }
    ]
    for (const body of bodies) {
      assert.isTrue(Result.isFailure(chatResponseToMessages(body, contextFor())))
    }
  })
})
