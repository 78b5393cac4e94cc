/** What chat providers do differently from each other, read alike from whole and streamed answers. */
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { chatCounts, chatUsage } from "../../../src/formats/chat/usage.ts"
import { chatResponseToMessages } from "../../../src/formats/convert/chat-response-to-messages.ts"
import type { Json, JsonObject } from "../../../src/formats/json.ts"
import { contextFor } from "../../wire/models.ts"
import { answer, calls, chunk, finish, run, says, usage } from "./chat-streams.ts"

const whole = (message: JsonObject, finish_reason = "stop", more: JsonObject = {}) =>
  Result.getOrThrow(chatResponseToMessages({ choices: [{ message, finish_reason }], ...more }, contextFor()))

const billed = {
  input_tokens: 10,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
  output_tokens: 5
}

const called = (name: string, input: Json, more: JsonObject = {}): JsonObject => ({
  ...more,
  type: "function",
  function: { name, arguments: input }
})

const bothCalls = [
  ["tool_use", "f", `{"x":1}`],
  ["tool_use", "g", `{"y":2}`]
]

describe("a chat answer of any provider", () => {
  it("is billed by its usage in the choice that ends it, or under a member of the provider's own", () => {
    const ends: ReadonlyArray<JsonObject> = [
      finish("stop", { usage }),
      { ...finish("stop"), x_groq: { id: "req_1", usage: { queue_time: 0.1, ...usage } } }
    ]
    for (const end of ends) {
      const { codec } = run([says("t"), end, "[DONE]"])
      assert.deepStrictEqual(codec.usage, { inputTokens: 10, outputTokens: 5 })
      assert.deepStrictEqual(answer(says("t"), end).usage, billed)
    }
    const body = { choices: [{ message: { content: "t" }, finish_reason: "stop", usage }] }
    assert.deepStrictEqual(chatUsage(body), { inputTokens: 10, outputTokens: 5 })
    assert.deepStrictEqual(
      Result.getOrThrow(chatResponseToMessages(body, contextFor())).usage as unknown,
      billed
    )
  })

  it("C74b never has more of its input cached than there is", () => {
    const counts = chatCounts({
      prompt_tokens: 10,
      completion_tokens: 1,
      prompt_tokens_details: { cached_tokens: 8, cache_write_tokens: 8 }
    })
    assert.deepInclude(counts, { inputTokens: 10, cacheReadTokens: 8, cacheWriteTokens: 2 })
    const absurd = chatCounts({ prompt_tokens: 10, completion_tokens: 1, cached_tokens: 11 })
    assert.deepInclude(absurd, { inputTokens: 10, cacheReadTokens: 10, cacheWriteTokens: 0 })
  })

  it("keeps calls apart that have neither ids nor places, by their names and by arguments that are whole", () => {
    const one = called("f", `{"x":1}`)
    const other = called("g", `{"y":2}`)
    assert.deepStrictEqual(answer(calls(one, other), finish("stop")).blocks, bothCalls)
    assert.deepStrictEqual(answer(calls(one), calls(other), finish("stop")).blocks, bothCalls)
    const same = answer(
      calls(called("f", `{"x":1}`, { index: 0, id: "" })),
      calls(called("f", `{"x":2}`, { index: 0, id: "" })),
      finish("stop")
    )
    assert.deepStrictEqual(same.blocks, [
      ["tool_use", "f", `{"x":1}`],
      ["tool_use", "f", `{"x":2}`]
    ])
  })

  it("takes pieces of calls without places by their ids, or in the order the calls began", () => {
    const begun = calls(called("f", "", { id: "a" }), called("g", "", { id: "b" }))
    const bare = (input: string, more: JsonObject = {}) => ({ ...more, function: { arguments: input } })
    const inOrder = answer(
      begun,
      calls(bare(`{"x"`), bare(`{"y"`)),
      calls(bare(":1}"), bare(":2}")),
      finish("stop")
    )
    assert.deepStrictEqual(inOrder.blocks, bothCalls)
    const byId = answer(
      begun,
      calls(bare(`{"y":2}`, { id: "b" })),
      calls(bare(`{"x":1}`, { id: "a" })),
      finish("stop")
    )
    assert.deepStrictEqual(byId.blocks, bothCalls)
  })

  it("keeps a call together whose pieces all repeat its name", () => {
    const pieces = [`{"x"`, ":1}", ""].map((piece) => calls(called("f", piece, { index: 0 })))
    assert.deepStrictEqual(answer(...pieces, finish("stop")).blocks, [["tool_use", "f", `{"x":1}`]])
  })

  it("may hold arguments as an object", () => {
    const call = called("f", { x: 1 }, { index: 0, id: "a" })
    assert.deepStrictEqual(answer(calls(call), finish("stop")).blocks, [["tool_use", "f", `{"x":1}`]])
    assert.deepStrictEqual(whole({ tool_calls: [call] }).content as unknown, [
      { type: "tool_use", id: "a", name: "f", input: { x: 1 } }
    ])
    const emptyFirst = answer(
      calls(called("f", {}, { index: 0, id: "a" })),
      calls({ index: 0, function: { arguments: `{"x":1}` } }),
      finish("stop")
    )
    assert.deepStrictEqual(emptyFirst.blocks, [["tool_use", "f", `{"x":1}`]])
  })

  it("tells what it said aloud as text", () => {
    const spoken = answer(
      chunk({ audio: { id: "audio_1", transcript: "Xin " } }),
      chunk({ audio: { data: "AAAA" } }),
      chunk({ audio: { transcript: "chào" } }),
      finish("stop")
    )
    assert.deepStrictEqual(spoken.blocks, [["text", "Xin chào"]])
    assert.deepStrictEqual(
      whole({ content: null, audio: { data: "AAAA", transcript: "Xin chào" } }).content as unknown,
      [{ type: "text", text: "Xin chào" }]
    )
  })

  it("tells thoughts once, also where only their details have them", () => {
    const details = [{ type: "reasoning.text", text: "h" }, { type: "reasoning.summary", summary: "m" }, {}]
    for (const told of [{}, { reasoning: null }, { reasoning: "hm" }, { reasoning_content: "hm" }]) {
      const message = { ...told, reasoning_details: details }
      assert.deepStrictEqual(answer(chunk(message), finish("stop")).blocks, [["thinking", "hm"]])
      assert.deepInclude((whole(message).content as ReadonlyArray<JsonObject>)[0], { thinking: "hm" })
    }
  })

  it("that a filter of Google's stopped is a refusal, and a call that Google could not read a failure", () => {
    assert.strictEqual(answer(finish("content_filter: RECITATION")).end.stop_reason, "refusal")
    assert.strictEqual(whole({ content: null }, "content_filter: SAFETY").stop_reason, "refusal")
    const malformed = "function_call_filter: MALFORMED_FUNCTION_CALL"
    assert.isDefined(run([finish(malformed), "[DONE]"]).codec.failure)
    assert.throws(() => whole({ content: null }, malformed))
  })

  it("is not disturbed by data without anything in it, nor by space around its end", () => {
    const { codec } = run([says("t"), "", "  ", finish("stop"), " [DONE] "])
    assert.isUndefined(codec.failure)
    assert.isTrue(codec.finished)
  })
})
