import { assert, describe, it } from "@effect/vitest"
import { markReasoning } from "../../../../src/formats/convert/reasoning-marks.ts"
import { pairs } from "../../../../src/formats/pairs.ts"
import type { Json, JsonObject } from "../../../../src/formats/json/json.ts"
import { contextFor } from "../../../wire/models.ts"
import { answer, begins, calls, chunk, finish, goesOn, run, says, write } from "../chat-streams.ts"

describe("the tool calls of a chat stream, as a Messages stream", () => {
  it("C01 calls whose pieces alternate come one after the other, whole", () => {
    const { blocks, end } = answer(
      calls(begins(0, "a", "f"), begins(1, "b", "g")),
      calls(goesOn(0, `{"x"`)),
      calls(goesOn(1, `{"y"`)),
      calls(goesOn(0, `:1}`)),
      calls(goesOn(1, `:2}`)),
      finish("tool_calls")
    )
    assert.deepStrictEqual(blocks, [
      ["tool_use", "f", `{"x":1}`],
      ["tool_use", "g", `{"y":2}`]
    ])
    assert.strictEqual(end.stop_reason, "tool_use")
  })

  it("a later call streams as soon as the one before it is whole", () => {
    const codec = pairs.messages.chat_completions.stream(contextFor())
    const push = (one: Json) => codec.push(Buffer.from(write([one])))?.toString() ?? ""
    push(calls(begins(0, "a", "f", `{"x":1}`)))
    assert.include(push(calls(begins(1, "b", "g", `{"y"`))), `"name":"g"`)
    assert.include(push(calls(goesOn(1, ":2}"))), `":2}"`)
  })

  it("C02 C03 C04 a call with all its arguments in one chunk, first or after text, loses nothing", () => {
    assert.deepStrictEqual(answer(calls(begins(0, "a", "f", `{"x":1}`)), finish("tool_calls")).blocks, [
      ["tool_use", "f", `{"x":1}`]
    ])
    assert.deepStrictEqual(
      answer(says("t"), calls(begins(0, "a", "f", `{"x":1}`)), finish("tool_calls")).blocks,
      [
        ["text", "t"],
        ["tool_use", "f", `{"x":1}`]
      ]
    )
  })

  it("C14 a call that begins behind a later one, which waits for its id, comes before it", () => {
    const { blocks } = answer(
      calls({ index: 1, function: { name: "g", arguments: "{}" } }),
      calls(begins(0, "a", "f", `{"x":1}`)),
      calls({ index: 1, id: "b", function: { arguments: "" } }),
      finish("tool_calls")
    )
    assert.deepStrictEqual(blocks, [
      ["tool_use", "f", `{"x":1}`],
      ["tool_use", "g", "{}"]
    ])
  })

  it("C11 a name or id that is null, empty or repeated changes nothing", () => {
    const { blocks } = answer(
      calls(begins(0, "a", "f")),
      calls({ index: 0, id: null, function: { name: null, arguments: `{"x"` } }),
      calls({ index: 0, id: "a", function: { name: "f", arguments: ":" } }),
      calls({ index: 0, id: "", function: { name: "", arguments: "1}" } }),
      finish("tool_calls")
    )
    assert.deepStrictEqual(blocks, [["tool_use", "f", `{"x":1}`]])
  })

  it("C12 a call waits for its id, and gets one when none comes", () => {
    const late = answer(
      calls(begins(0, null, "f", `{"x"`)),
      calls({ ...goesOn(0, ":1}"), id: "late" }),
      finish("tool_calls")
    )
    assert.deepInclude(
      (late.events.find((event) => event.type === "content_block_start") as JsonObject).content_block,
      { id: "late" }
    )
    const never = answer(calls(begins(0, null, "f", "{}")), finish("tool_calls"))
    assert.include(JSON.stringify(never.events), `"id":"toolu_`)
    assert.strictEqual(never.end.stop_reason, "tool_use")
  })

  it("C14 calls that wait together come in the upstream's order", () => {
    const { blocks } = answer(
      calls(begins(2, null, "c", "{}"), begins(0, null, "a", "{}"), begins(1, null, "b", "{}")),
      finish("tool_calls")
    )
    assert.deepStrictEqual(
      blocks.map((block) => block[1]),
      ["a", "b", "c"]
    )
  })

  it("calls that share an index or have none are told apart by their ids", () => {
    const { blocks } = answer(
      calls(begins(0, "a", "f", `{"x":1}`)),
      calls(begins(0, "b", "g", `{"y":2}`)),
      finish("stop")
    )
    assert.deepStrictEqual(blocks, [
      ["tool_use", "f", `{"x":1}`],
      ["tool_use", "g", `{"y":2}`]
    ])
    const { index: _, ...bare } = begins(0, "a", "f", "{}")
    const without = answer(calls(bare, { ...bare, id: "b" }), finish("stop"))
    assert.lengthOf(without.blocks, 2)
  })

  it("C25 the older function call is a tool call", () => {
    const { blocks, end } = answer(
      chunk({ function_call: { name: "f", arguments: `{"x"` } }),
      chunk({ function_call: { arguments: ":1}" } }),
      finish("function_call")
    )
    assert.deepStrictEqual(blocks, [["tool_use", "f", `{"x":1}`]])
    assert.strictEqual(end.stop_reason, "tool_use")
  })

  it("C26 C27 the pieces of arguments are the upstream's bytes, and none when there are none", () => {
    const pieces = ["", `{"`, `a":"\\u00e9 `, `ệ"`, "}"]
    const { blocks } = answer(
      calls(begins(0, "a", "f")),
      ...pieces.map((piece) => calls(goesOn(0, piece))),
      finish("tool_calls")
    )
    assert.deepStrictEqual(blocks, [["tool_use", "f", pieces.join("")]])
    assert.notInclude(
      JSON.stringify(answer(calls(begins(0, "a", "f")), finish("tool_calls")).events),
      "input_json_delta"
    )
  })

  it("a call without arguments does not hold up the text behind it", () => {
    const codec = pairs.messages.chat_completions.stream(contextFor())
    const push = (one: Json) => codec.push(Buffer.from(write([one])))?.toString() ?? ""
    push(calls(begins(0, "a", "f")))
    assert.include(push(says("t")), `"text":"t"`)
    const { blocks } = answer(calls(begins(0, "a", "f")), says("t"), finish("stop"))
    assert.deepStrictEqual(blocks, [
      ["tool_use", "f", ""],
      ["text", "t"]
    ])
  })

  it("a call without a name, an id or arguments is none, and holds up no text", () => {
    const nothing = { index: 0, id: null, type: "function", function: { name: "", arguments: "" } }
    const codec = pairs.messages.chat_completions.stream(contextFor())
    const push = (one: Json) => codec.push(Buffer.from(write([one])))?.toString() ?? ""
    assert.include(push(chunk({ content: "t", tool_calls: [nothing] })), `"text":"t"`)
    assert.include(push(chunk({ content: "u", tool_calls: [nothing] })), `"text":"u"`)
    const { blocks } = answer(
      chunk({ content: "t", tool_calls: [nothing] }),
      says("u"),
      calls(begins(0, "a", "f", "{}")),
      finish("tool_calls")
    )
    assert.deepStrictEqual(blocks, [
      ["text", "tu"],
      ["tool_use", "f", "{}"]
    ])
  })

  it("a call that begins while another is under way waits behind it, whatever its place", () => {
    const { blocks } = answer(
      calls(begins(1, "a", "f", `{"x"`)),
      calls(begins(0, "b", "g", `{"y":2}`)),
      calls(goesOn(1, ":1}")),
      finish("tool_calls")
    )
    assert.deepStrictEqual(blocks, [
      ["tool_use", "f", `{"x":1}`],
      ["tool_use", "g", `{"y":2}`]
    ])
  })

  it("a piece that comes for a call which was taken for whole is a failure, not lost", () => {
    const { codec, events } = run([
      calls(begins(0, "a", "f", `{"x":1}`)),
      calls(begins(1, "b", "g")),
      calls(goesOn(0, `{"x":2}`)),
      finish("tool_calls"),
      "[DONE]"
    ])
    assert.strictEqual(codec.failure?.type, "api_error")
    assert.strictEqual(events.at(-1)?.type, "error")
  })

  it("white space behind a whole call or before its arguments breaks nothing", () => {
    const behind = answer(
      calls(begins(0, "a", "f", `{"x":1}`)),
      calls(begins(1, "b", "g")),
      calls(goesOn(0, "\n")),
      calls(goesOn(1, `{"y":2}`)),
      finish("tool_calls")
    )
    assert.deepStrictEqual(behind.blocks, [
      ["tool_use", "f", `{"x":1}`],
      ["tool_use", "g", `{"y":2}`]
    ])
    const before = answer(
      calls(begins(0, "a", "f")),
      says("\n"),
      calls(goesOn(0, `{"x":1}`)),
      finish("tool_calls")
    )
    assert.deepStrictEqual(before.blocks[0], ["tool_use", "f", `{"x":1}`])
  })

  it("text that comes amid a call's arguments waits for them", () => {
    const { blocks } = answer(
      calls(begins(0, "a", "f", `{"x"`)),
      says("t"),
      calls(goesOn(0, ":1}")),
      finish("stop")
    )
    assert.deepStrictEqual(blocks, [
      ["tool_use", "f", `{"x":1}`],
      ["text", "t"]
    ])
  })

  it("Gemini's thought signature travels in a block that clients send back", () => {
    const signed = { ...begins(0, "a", "f", "{}"), extra_content: { google: { thought_signature: "SIG" } } }
    assert.include(
      JSON.stringify(answer(calls(signed), finish("stop")).events),
      markReasoning("example", "call", "SIG")
    )
  })
})
