import { assert, describe, it } from "@effect/vitest"
import { pairs } from "../../../../src/formats/pairs.ts"
import type { Json, JsonObject } from "../../../../src/formats/json/json.ts"
import { contextFor } from "../../../wire/models.ts"
import { runCodec } from "../../../wire/stream-runner.ts"
import { chunk, says, calls, begins, finish, usage, write, run, answer } from "../chat-streams.ts"

describe("a chat stream, as a Messages stream", () => {
  it("C05 C06 the answer's blocks say why it stopped, not the upstream's word", () => {
    assert.strictEqual(answer(calls(begins(0, "a", "f", "{}")), finish("stop")).end.stop_reason, "tool_use")
    assert.strictEqual(answer(says("t"), finish("tool_calls")).end.stop_reason, "end_turn")
    assert.deepStrictEqual(answer(calls(begins(0, "a", "")), finish("tool_calls")).blocks, [])
  })

  it("C07 C09 reasoning is a thinking block with a signature, closed before the text", () => {
    const { blocks, events } = answer(
      chunk({ role: "assistant", content: null, reasoning_content: "h" }),
      chunk({ reasoning_content: "m", content: null }),
      chunk({ reasoning_content: null, content: "t" }),
      finish("stop")
    )
    assert.deepStrictEqual(blocks, [
      ["thinking", "hm"],
      ["text", "t"]
    ])
    const signature = events.findIndex(
      (event) => (event.delta as JsonObject | undefined)?.type === "signature_delta"
    )
    assert.isNotEmpty((events[signature]!.delta as JsonObject).signature as string)
    assert.strictEqual(events[signature + 1]!.type, "content_block_stop")
  })

  it("C08 C10 each change of kind is a new block, reasoning after a call too", () => {
    const { blocks } = answer(
      chunk({ reasoning: "h" }),
      says("a"),
      calls(begins(0, "t", "f", "{}")),
      chunk({ reasoning: "i" }),
      says("b"),
      finish("stop")
    )
    assert.deepStrictEqual(blocks, [
      ["thinking", "h"],
      ["text", "a"],
      ["tool_use", "f", "{}"],
      ["thinking", "i"],
      ["text", "b"]
    ])
  })

  it("C13 C15 nothing follows the end, whatever the upstream still sends", () => {
    const { codec, events } = run([
      says("t"),
      finish("stop"),
      "[DONE]",
      calls({ index: 0, id: "late" }),
      { choices: [], usage }
    ])
    assert.strictEqual(events.filter((event) => event.type === "message_delta").length, 1)
    assert.isUndefined(codec.push(Buffer.from(write([says("more")]))))
    assert.isUndefined(codec.end())
  })

  it("C16 C17 any chunk may carry usage, and null is none; the last count stands", () => {
    const seen = answer(
      { ...says("t"), usage: null },
      { ...says("u"), usage: { ...usage, completion_tokens: 1, total_tokens: 11 } },
      { ...finish("stop"), usage: null },
      { choices: [{ delta: {} }], usage }
    )
    assert.deepInclude(seen.usage, {
      input_tokens: 10,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
      output_tokens: 5
    })
  })

  it("C18 C23 an error, an early end and rubbish are failures, after what came before them", () => {
    const failing: ReadonlyArray<ReadonlyArray<Json>> = [
      [{ choices: [], error: { message: "boom", code: 500 } }],
      [],
      ["[DONE]"],
      ["{broken"],
      ["17"],
      [finish("error")],
      [finish("insufficient_system_resource")]
    ]
    for (const rest of failing) {
      const { codec, events } = run([says("par"), ...rest])
      assert.strictEqual(codec.failure?.type, "api_error")
      assert.isFalse(codec.finished)
      assert.deepInclude(events.find((event) => event.type === "content_block_delta")?.delta as JsonObject, {
        text: "par"
      })
      assert.strictEqual(events.at(-1)?.type, "error")
      assert.notInclude(JSON.stringify(events), "message_stop")
    }
  })

  it("C19 the start shows the estimate, the end the upstream's count", () => {
    const { events, usage: last } = answer(says("t"), finish("stop"), { choices: [], usage })
    assert.deepInclude((events[0]!.message as JsonObject).usage, { input_tokens: 42 })
    assert.strictEqual(last.input_tokens, 10)
  })

  it.each([
    ["C20", finish("stop", { stop_reason: "END" }), { stop_reason: "stop_sequence", stop_sequence: "END" }],
    ["C20", finish("stop", { stop_reason: 128 }), { stop_reason: "end_turn", stop_sequence: null }],
    ["C21", finish("content_filter"), { stop_reason: "refusal", stop_sequence: null }],
    ["C22", finish("length"), { stop_reason: "max_tokens", stop_sequence: null }]
  ])("%s %j", (_, last, expected) => {
    assert.deepStrictEqual(answer(says("t"), last).end, { ...expected, stop_details: null })
  })

  it("C24 only content counts as content", () => {
    const codec = pairs.messages.chat_completions.stream(contextFor())
    const push = (one: Json) => codec.push(Buffer.from(write([one])))
    push(chunk({ role: "assistant", content: "" }))
    push({ choices: [], usage: null })
    push(calls(begins(0, null, "f")))
    assert.isFalse(codec.contentSeen)
    push(calls({ index: 0, id: "a" }))
    assert.isTrue(codec.contentSeen)
  })

  it("refusals are text and end as refusals", () => {
    const { blocks, end } = answer(chunk({ refusal: "I " }), chunk({ refusal: "won't" }), finish("stop"))
    assert.deepStrictEqual(blocks, [["text", "I won't"]])
    assert.deepInclude(end, { stop_reason: "refusal" })
    assert.deepInclude(end.stop_details, { explanation: "I won't" })
  })

  it("content in parts is read, thinking among them", () => {
    const parts = [
      { type: "thinking", thinking: [{ type: "text", text: "h" }] },
      { type: "text", text: "t" }
    ]
    assert.deepStrictEqual(answer(says(parts), finish("stop")).blocks, [
      ["thinking", "h"],
      ["text", "t"]
    ])
  })

  it("C92 comments and comments in data are no events", () => {
    const bytes = `: keep-alive\n\n${write([": keepalive", says("t"), finish("stop"), "[DONE]"])}`
    assert.notInclude(
      runCodec(pairs.messages.chat_completions.stream(contextFor()), [Buffer.from(bytes)], "messages"),
      `"error"`
    )
  })

  it("names come back as the client gave them, and the output is metered", () => {
    const { codec, events } = run(
      [calls(begins(0, "a", "f_1", `{"x":1}`)), finish("tool_calls")],
      new Map([["f_1", "f.x"]])
    )
    assert.include(JSON.stringify(events), `"name":"f.x"`)
    assert.isAbove(codec.meter.events, 0)
    assert.strictEqual(codec.meter.toolCalls, 1)
    assert.strictEqual(codec.meter.digits, 2)
  })
})
