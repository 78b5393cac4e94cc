/** Answers of chat upstreams that say the same things in other shapes than OpenAI does. */
import { assert, describe, it } from "@effect/vitest"
import { markReasoning } from "../../../../src/formats/convert/reasoning-marks.ts"
import { Result } from "effect"
import { chatResponseToMessages } from "../../../../src/formats/convert/chat-to-messages/answer.ts"
import type { Json, JsonObject } from "../../../../src/formats/json/json.ts"
import { contextFor } from "../../../wire/models.ts"
import { answer, begins, calls, chunk, finish, goesOn, run, says } from "../chat-streams.ts"

const whole = (message: JsonObject, finish_reason = "stop") =>
  Result.getOrThrow(chatResponseToMessages({ choices: [{ message, finish_reason }] }, contextFor("a-model")))

const signaturesOf = (events: ReadonlyArray<JsonObject>) =>
  events
    .map((event) => (event.delta as JsonObject | undefined)?.signature)
    .filter((signature) => signature !== undefined)

/** As a Messages client gets what the upstream signed. */
const signed = (signature: string) => markReasoning("example", "thought", signature)

describe("an answer of a chat upstream", () => {
  it("may hold its reasoning as an object, with a signature or without", () => {
    const { blocks, events } = answer(
      chunk({ role: "assistant", reasoning_content: { text: "let me " } }),
      chunk({ reasoning_content: { text: "look" } }),
      chunk({ reasoning_content: { signature: "sig" } }),
      calls(begins(0, "a", "f")),
      calls({ index: 0, id: null, function: { name: "", arguments: `{"x":1}` } }),
      finish("tool_calls")
    )
    assert.deepStrictEqual(blocks, [
      ["thinking", "let me look"],
      ["tool_use", "f", `{"x":1}`]
    ])
    assert.deepStrictEqual(signaturesOf(events), [signed("sig")])
    const unsigned = answer(chunk({ reasoning_content: { text: "hm" } }), says("t"), finish("stop"))
    assert.deepStrictEqual(signaturesOf(unsigned.events), [signed("")])
    const signedOnly = answer(chunk({ reasoning_content: { signature: "s" } }), says("t"), finish("stop"))
    assert.deepStrictEqual(signedOnly.blocks, [
      ["thinking", ""],
      ["text", "t"]
    ])
    assert.deepStrictEqual(
      whole({ content: "t", reasoning_content: { text: "hm", signature: "s" } }).content,
      [
        { type: "thinking", thinking: "hm", signature: signed("s") },
        { type: "text", text: "t" }
      ]
    )
  })

  it("may hold blocks of thinking beside the same text or instead of it, and no thought is told twice", () => {
    const blocks: ReadonlyArray<JsonObject> = [
      { type: "thinking", thinking: "one", signature: "s1" },
      { type: "redacted_thinking", data: "OPAQUE" },
      { type: "thinking", thinking: "two" }
    ]
    const held = [
      { ...blocks[0], signature: signed("s1") },
      { ...blocks[1], data: markReasoning("example", "redacted", "OPAQUE") },
      { ...blocks[2], signature: signed("") }
    ]
    for (const more of [{}, { reasoning_content: "onetwo" }] satisfies ReadonlyArray<JsonObject>) {
      assert.deepStrictEqual(whole({ content: null, thinking_blocks: blocks, ...more }).content, held)
    }
    const block = (thinking: string, signature: string) => [{ type: "thinking", thinking, signature }]
    for (const name of ["reasoning_content", "nothing"]) {
      const streamed = answer(
        chunk({ [name]: "hm", thinking_blocks: block("hm", "") }),
        chunk({ [name]: "", thinking_blocks: block("", "sig") }),
        says("t"),
        finish("stop")
      )
      assert.deepStrictEqual(streamed.blocks, [
        ["thinking", "hm"],
        ["text", "t"]
      ])
      assert.deepStrictEqual(signaturesOf(streamed.events), [signed("sig")])
    }
    const repeated = answer(
      chunk({ reasoning_content: "h" }),
      chunk({ reasoning_content: "m" }),
      chunk({ thinking_blocks: block("hm", "sig") }),
      finish("stop")
    )
    assert.deepStrictEqual(repeated.blocks, [["thinking", "hm"]])
    assert.deepStrictEqual(signaturesOf(repeated.events), [signed("sig")])
    for (const rubbish of [null, "x", {}, [], [null, 1, {}]] satisfies ReadonlyArray<Json>) {
      assert.deepStrictEqual(whole({ content: "t", thinking_blocks: rubbish }).content, [
        { type: "text", text: "t" }
      ])
    }
  })

  it("C81 keeps thoughts apart that are signed apart, and redacted ones among them, streamed as whole", () => {
    const thought = (thinking: string, signature: string) =>
      chunk({ reasoning_content: thinking, thinking_blocks: [{ type: "thinking", thinking, signature }] })
    const redacted = { type: "redacted_thinking", data: "OPAQUE" }
    const { blocks, events } = answer(
      thought("one", ""),
      thought("", "s1"),
      chunk({ thinking_blocks: [redacted] }),
      thought("t", ""),
      thought("wo", ""),
      thought("", "s2"),
      thought("three", "s3"),
      thought("", "s4"),
      says("t"),
      finish("stop")
    )
    assert.deepStrictEqual(blocks, [
      ["thinking", "one"],
      ["redacted_thinking", ""],
      ["thinking", "two"],
      ["thinking", "three"],
      ["thinking", ""],
      ["text", "t"]
    ])
    assert.deepStrictEqual(signaturesOf(events), ["s1", "s2", "s3", "s4"].map(signed))
    assert.deepInclude(
      events.map((event) => event.content_block),
      { ...redacted, data: markReasoning("example", "redacted", "OPAQUE") }
    )
    const repeated = answer(thought("a", "s"), thought("b", "s"), says("t"), finish("stop"))
    assert.deepStrictEqual(repeated.blocks[0], ["thinking", "ab"])
    const same = answer(thought("a", "s"), thought("a", "s"), finish("stop"))
    assert.deepStrictEqual(same.blocks[0], ["thinking", "aa"])
  })

  it("may refuse in a part of its content", () => {
    const content = [{ type: "refusal", refusal: "I can't." }]
    const { content: held, stop_reason } = whole({ content })
    assert.deepStrictEqual([held, stop_reason], [[{ type: "text", text: "I can't." }], "refusal"])
    assert.strictEqual(answer(chunk({ content }), finish("stop")).end.stop_reason, "refusal")
  })

  it("keeps what it says before it refuses apart from the refusal, whole and streamed", () => {
    const { blocks } = answer(
      says("Sure."),
      chunk({ refusal: "I " }),
      chunk({ refusal: "can't." }),
      finish("stop")
    )
    assert.deepStrictEqual(blocks, [
      ["text", "Sure."],
      ["text", "I can't."]
    ])
    assert.deepStrictEqual(whole({ content: "Sure.", refusal: "I can't." }).content as unknown, [
      { type: "text", text: "Sure." },
      { type: "text", text: "I can't." }
    ])
  })

  it("explains a refusal only where that is why it stopped", () => {
    assert.isObject(whole({ refusal: "no" }).stop_details)
    assert.isNull(whole({ refusal: "n" }, "length").stop_details)
    const cut = answer(chunk({ refusal: "n" }), finish("length")).end
    assert.deepStrictEqual(cut, { stop_reason: "max_tokens", stop_sequence: null, stop_details: null })
  })

  it("is the first of several by its number, not by its place", () => {
    const choices = [1, 0].map((index) => ({
      index,
      message: { content: `${index}` },
      finish_reason: "stop"
    }))
    const { content } = Result.getOrThrow(chatResponseToMessages({ choices }, contextFor()))
    assert.deepStrictEqual(content, [{ type: "text", text: "0" }])
  })

  it("may end in an error that is a chunk of its own kind", () => {
    const error = { object: "error", message: "too many requests", type: "TooManyRequests", code: 429 }
    const { codec, events } = run([says("t"), error])
    assert.strictEqual(codec.failure?.type, "rate_limit_error")
    assert.strictEqual((events.at(-1)!.error as JsonObject).message, "too many requests")
  })

  it("keeps every piece of a call that follows reasoning, however little comes with it", () => {
    const { blocks } = answer(
      chunk({ role: "assistant", content: "", reasoning_content: "hm", tool_calls: [] }),
      chunk({ content: "", tool_calls: [] }),
      calls(begins(0, "a", "f")),
      calls(goesOn(0, `{"x"`, { name: null })),
      calls(goesOn(0, ":1}")),
      chunk({ content: null, tool_calls: [] }),
      finish("tool_calls")
    )
    assert.deepStrictEqual(blocks, [
      ["thinking", "hm"],
      ["tool_use", "f", `{"x":1}`]
    ])
  })
})
