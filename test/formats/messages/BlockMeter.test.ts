/** What the blocks of a Messages stream are weighed by, where its provider tells no count in the end. */
import { assert, describe, it } from "@effect/vitest"
import type { Json } from "../../../src/formats/json/json.ts"
import { BlockMeter } from "../../../src/formats/messages/BlockMeter.ts"

const signature = "s".repeat(400)
const signed = { type: "signature_delta", signature }
const thought = { type: "thinking_delta", thinking: "a thought" }
const thinking = { type: "thinking", thinking: "" }

/** `start` has a type, a delta ends in its own. */
const weighed = (...parts: ReadonlyArray<{ readonly type: string }>) => {
  const meter = new BlockMeter()
  const isContent = parts.map((part) =>
    part.type.endsWith("_delta") ? meter.add(part as Json) : meter.start(part as Json)
  )
  const { events, opaqueCharacters, toolCalls } = meter.output
  return { isContent, events, opaqueCharacters, toolCalls }
}

describe("a block", () => {
  it("of thoughts that nobody is shown weighs by its signature, all of it", () => {
    const { opaqueCharacters } = weighed(thinking, signed, signed)
    assert.strictEqual(opaqueCharacters, 800)
  })

  it("of thoughts that are shown weighs by them alone", () => {
    const silent = { type: "thinking_delta", thinking: "" }
    for (const shown of [
      weighed(thinking, thought, signed),
      weighed(thinking, thought, silent, signed),
      weighed({ type: "thinking", thinking: "a thought" } as never, signed)
    ])
      assert.deepInclude(shown, { opaqueCharacters: 0, events: 1 })
  })

  it("of thoughts that are shown in pieces weighs by them alone, as no text before it does", () => {
    const meter = new BlockMeter()
    meter.start(thinking)
    meter.addPiece("thinking", "a thought")
    meter.add(signed)
    assert.strictEqual(meter.output.opaqueCharacters, 0)
    meter.start({ type: "text", text: "" })
    meter.addPiece("text", "a text")
    meter.start(thinking)
    meter.add(signed)
    assert.strictEqual(meter.output.opaqueCharacters, 400)
  })

  it("weighs for itself, whatever the one before it has shown", () => {
    const again = weighed(thinking, thought, signed, thinking, signed)
    assert.strictEqual(again.opaqueCharacters, 400)
    const other = weighed({ type: "thinking", thinking: "a thought" } as never, thinking, signed)
    assert.strictEqual(other.opaqueCharacters, 400)
  })

  it("of thoughts that are redacted weighs by their data, and is content", () => {
    const redacted = { type: "redacted_thinking", data: "d".repeat(300) }
    assert.deepStrictEqual(weighed(redacted, redacted), {
      isContent: [true, true],
      events: 0,
      opaqueCharacters: 600,
      toolCalls: 0
    })
    assert.deepInclude(weighed({ ...redacted, type: "image" }), { opaqueCharacters: 0, isContent: [true] })
  })

  it.each(["tool_use", "server_tool_use", "mcp_tool_use"])("of a %s weighs by its name and input", (type) => {
    const named = weighed({ type, name: "f" } as never)
    assert.deepInclude(named, { isContent: [true], toolCalls: 1, events: 1 })
    const called = weighed({ type, name: "f", input: { city: "Hanoi" } } as never)
    assert.isAbove(called.events, named.events)
    const input = { type: "input_json_delta", partial_json: "{}" }
    assert.deepInclude(weighed({ type, name: "f" } as never, input as never), {
      isContent: [true, true],
      events: 2
    })
  })

  it("of what a tool has answered is content, and no call", () => {
    const found = { type: "web_search_tool_result", content: [] }
    assert.deepInclude(weighed(found), { isContent: [true], toolCalls: 0, events: 0 })
  })

  it("of text or thoughts that begins empty is no content yet", () => {
    assert.deepInclude(weighed({ type: "text", text: "" } as never, thinking), { isContent: [false, false] })
    assert.deepInclude(weighed({ type: "text", text: "a" } as never), { isContent: [true], events: 1 })
  })

  it("of a compaction weighs by what was summed up", () => {
    const summary = { type: "compaction_delta", content: "what was said" }
    assert.deepInclude(weighed({ type: "compaction" }, summary as never), { events: 1 })
  })

  it("that is none weighs nothing", () => {
    const meter = new BlockMeter()
    for (const odd of [null, "x", 3, []]) {
      assert.isFalse(meter.start(odd))
      assert.isFalse(meter.add(odd))
    }
    assert.deepInclude(meter.output, { events: 0, opaqueCharacters: 0, toolCalls: 0 })
  })
})
