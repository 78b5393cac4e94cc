/** What chat providers do differently from each other, read alike from whole and streamed answers. */
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { chatCounts, chatUsage } from "../../../../src/formats/chat/usage.ts"
import { chatResponseToMessages } from "../../../../src/formats/convert/chat-to-messages/answer.ts"
import type { Json, JsonObject } from "../../../../src/formats/json/json.ts"
import { untoldUsage } from "../../../../src/formats/messages/usage.ts"
import { contextFor } from "../../../wire/models.ts"
import { answer, begins, calls, chunk, finish, run, says, usage } from "../chat-streams.ts"

const whole = (message: JsonObject, finish_reason = "stop", more: JsonObject = {}) =>
  Result.getOrThrow(chatResponseToMessages({ choices: [{ message, finish_reason }], ...more }, contextFor()))

const billed = {
  ...untoldUsage,
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

  it("may tell what a call is called with once more, whole behind its pieces", () => {
    const begun = [calls(called("f", "", { index: 0, id: "a" })), calls(called("", `{"x"`, { index: 0 }))]
    const again = calls(called("f", `{"x":1}`, { index: 0, id: "a" }))
    const told = [...begun, calls(called("", ":1}", { index: 0 }))]
    assert.deepStrictEqual(answer(...told, again, finish("stop")).blocks, [["tool_use", "f", `{"x":1}`]])
    const other = calls(called("g", `{"y":2}`, { index: 1, id: "b" }))
    assert.deepStrictEqual(answer(...told, other, again, other, finish("stop")).blocks, bothCalls)
    const nested = [
      ...begun,
      calls(called("", `:{"x"`, { index: 0 })),
      calls(called("", ":1}}", { index: 0 }))
    ]
    assert.deepStrictEqual(answer(...nested, finish("stop")).blocks, [["tool_use", "f", `{"x":{"x":1}}`]])
  })

  it("may tell all of itself once more at its end, or there alone", () => {
    const call = begins(0, "call_1", "get_weather", "{}")
    const message = { role: "assistant", content: "Hi", reasoning_content: "Hm", tool_calls: [call] }
    const end = {
      object: "chat.completion",
      choices: [{ index: 0, message, finish_reason: "tool_calls" }],
      usage
    }
    const pieces = [chunk({ reasoning_content: "Hm" }), says("H"), says("i"), calls(call)]
    const blocks = [
      ["thinking", "Hm"],
      ["text", "Hi"],
      ["tool_use", "get_weather", "{}"]
    ]
    for (const told of [[...pieces, end], [end]]) {
      const { blocks: given, end: ended, usage: counted } = answer(...told)
      assert.deepStrictEqual(given, blocks)
      assert.strictEqual(ended.stop_reason, "tool_use")
      assert.strictEqual(counted.output_tokens, usage.completion_tokens)
    }
  })

  it("may hold arguments as an object", () => {
    const call = called("f", { x: 1 }, { index: 0, id: "a" })
    assert.deepStrictEqual(answer(calls(call), finish("stop")).blocks, [["tool_use", "f", `{"x":1}`]])
    assert.deepStrictEqual(whole({ tool_calls: [call] }).content as unknown, [
      { type: "tool_use", id: "a", name: "f", input: { x: 1 }, caller: { type: "direct" } }
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

  it("keeps its count when one of zeros follows, and believes zeros that stand alone", () => {
    const zeros = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }
    const counted = run([says("t"), finish("stop", { usage }), { choices: [], usage: zeros }, "[DONE]"])
    assert.deepStrictEqual(counted.codec.usage, { inputTokens: 10, outputTokens: 5 })
    assert.deepStrictEqual(counted.events.at(-2)!.usage as unknown, billed)
    const early = run([{ ...says("t"), usage: zeros }, { ...finish("stop"), usage }, "[DONE]"])
    assert.deepStrictEqual(early.codec.usage, { inputTokens: 10, outputTokens: 5 })
    const alone = run([says("t"), { ...finish("stop"), usage: zeros }, "[DONE]"])
    assert.deepStrictEqual(alone.codec.usage, { inputTokens: 0, outputTokens: 0 })
  })

  it("may count its tokens under the Messages protocol's names", () => {
    const counts = { usage: { input_tokens: 10, output_tokens: 5, total_tokens: 15 } }
    assert.deepStrictEqual(chatUsage(counts), { inputTokens: 10, outputTokens: 5 })
    assert.deepStrictEqual(whole({ content: "t" }, "stop", counts).usage as unknown, billed)
  })

  it("may hold its thoughts as a list, beside the content or in it", () => {
    const parts = [{ type: "text", text: "h" }, { text: "m" }, null]
    for (const message of [
      { reasoning_content: parts },
      { reasoning: parts },
      { content: [{ type: "reasoning", summary: [{ type: "summary_text", text: "hm" }] }] }
    ]) {
      assert.deepStrictEqual(answer(chunk(message), says("t"), finish("stop")).blocks, [
        ["thinking", "hm"],
        ["text", "t"]
      ])
      assert.deepInclude((whole(message).content as ReadonlyArray<JsonObject>)[0], { thinking: "hm" })
    }
  })

  it("may hold its text as a list, of parts and of plain texts", () => {
    const content = ["Xin ", { type: "text", text: "chào" }, null]
    assert.deepStrictEqual(answer(chunk({ content }), finish("stop")).blocks, [["text", "Xin chào"]])
    assert.deepStrictEqual(whole({ content }).content as unknown, [{ type: "text", text: "Xin chào" }])
  })

  it("that an error whose kind stands beside it ended is told as what it is", () => {
    const exhausted = { code: "Some resource has been exhausted", error: "Too many tokens per minute" }
    const invalid = { code: "Client specified an invalid argument", error: "Bad image" }
    assert.strictEqual(run([says("t"), exhausted]).codec.failure?.type, "rate_limit_error")
    assert.deepInclude(run([says("t"), invalid]).codec.failure, {
      type: "invalid_request_error",
      message: "Bad image"
    })
  })

  it.each([
    ["max_tokens", "max_tokens"],
    ["MAX_TOKENS", "max_tokens"],
    ["SAFETY", "refusal"],
    ["RECITATION", "refusal"],
    ["PROHIBITED_CONTENT", "refusal"],
    ["blocklist", "refusal"],
    ["SPII", "refusal"],
    ["content_filtered", "refusal"],
    ["guardrail_intervened", "refusal"],
    ["refusal", "refusal"],
    ["end_turn", "end_turn"],
    ["STOP", "end_turn"],
    ["eos", "end_turn"]
  ])("that ends with %s, a word of another protocol, stopped for %s", (word, reason) => {
    assert.strictEqual(answer(says("t"), finish(word)).end.stop_reason, reason)
    assert.strictEqual(whole({ content: "t" }, word).stop_reason, reason)
  })

  it.each(["abort", "MALFORMED_FUNCTION_CALL", "malformed_function_call", "malformed_tool_use"])(
    "that its upstream gave up by %s has broken off",
    (word) => {
      assert.strictEqual(run([says("t"), finish(word), "[DONE]"]).codec.failure?.type, "api_error")
      assert.throws(() => whole({ content: "t" }, word))
    }
  )

  it("is not disturbed by data without anything in it, nor by space around its end", () => {
    const { codec } = run([says("t"), "", "  ", finish("stop"), " [DONE] "])
    assert.isUndefined(codec.failure)
    assert.isTrue(codec.finished)
  })
})
