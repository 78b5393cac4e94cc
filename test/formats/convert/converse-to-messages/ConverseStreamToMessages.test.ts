import { assert, describe, it } from "@effect/vitest"
import { markReasoning } from "../../../../src/formats/convert/reasoning-marks.ts"
import { ConverseStreamToMessages } from "../../../../src/formats/convert/converse-to-messages/ConverseStreamToMessages.ts"
import type { JsonObject } from "../../../../src/formats/json/json.ts"
import { contextFor } from "../../../wire/models.ts"
import { blocksOf } from "../chat-streams.ts"

const starts = (contentBlockIndex: number, start: JsonObject) => ({
  contentBlockStart: { contentBlockIndex, start }
})
const delta = (contentBlockIndex: number, delta: JsonObject) => ({
  contentBlockDelta: { contentBlockIndex, delta }
})
const stops = (contentBlockIndex: number) => ({ contentBlockStop: { contentBlockIndex } })
const ends = (stopReason: string): readonly [JsonObject, JsonObject] => [
  { messageStop: { stopReason } },
  { metadata: { usage: { inputTokens: 3, outputTokens: 4, totalTokens: 7 } } }
]

const run = (events: ReadonlyArray<JsonObject>, context = contextFor()) => {
  const stage = new ConverseStreamToMessages(context)
  const given = events.flatMap((event) => stage.push(event))
  given.push(...stage.end())
  return { stage, given, blocks: blocksOf(given), end: given.at(-2)! }
}

const toolUse = (type: string, name = "f") => starts(0, { toolUse: { toolUseId: "a", name, type } })

describe("a Converse stream, as a Messages stream", () => {
  it("leaves out what the provider's own tools did, which the caller can not run", () => {
    const { blocks, end, stage } = run([
      { messageStart: { role: "assistant" } },
      toolUse("server_tool_use"),
      delta(0, { toolUse: { input: `{"code":"1"}` } }),
      stops(0),
      starts(1, { toolResult: { toolUseId: "a", type: "own_tool_result", status: "success" } }),
      delta(1, { toolResult: [{ json: { out: "1" } }] }),
      stops(1),
      delta(2, { text: "It is 1." }),
      stops(2),
      ...ends("end_turn")
    ])
    assert.isUndefined(stage.failure)
    assert.deepStrictEqual(blocks, [["text", "It is 1."]])
    assert.deepInclude(end.delta, { stop_reason: "end_turn" })
    assert.deepStrictEqual(stage.usage, { inputTokens: 3, outputTokens: 4 })
  })

  it("keeps a call of the caller's tools, by whatever type it goes", () => {
    const pieces = [delta(0, { toolUse: { input: `{"x":1}` } }), stops(0), ...ends("tool_use")]
    assert.deepStrictEqual(run([toolUse("tool_use"), ...pieces]).blocks, [["tool_use", "f", `{"x":1}`]])
  })

  it("calls a tool by its name alone, whatever marks of its own the model wrote behind it", () => {
    const { blocks } = run([toolUse("tool_use", "f<|channel|>json"), stops(0), ...ends("tool_use")])
    assert.deepStrictEqual(blocks, [["tool_use", "f", ""]])
  })

  it("begins the blocks that Converse does not announce, and waits for the usage behind the stop", () => {
    const { blocks, end, given, stage } = run([
      { messageStart: { role: "assistant" } },
      delta(0, { text: "" }),
      stops(0),
      delta(1, { reasoningContent: { text: "hm" } }),
      delta(1, { reasoningContent: { text: "m" } }),
      delta(1, { reasoningContent: { signature: "sig" } }),
      stops(1),
      delta(2, { text: "Xin " }),
      delta(2, { text: "chào" }),
      stops(2),
      starts(3, { toolUse: { toolUseId: "a", name: "f" } }),
      delta(3, { toolUse: { input: "" } }),
      stops(3),
      delta(4, { text: "" }),
      stops(4),
      ...ends("tool_use")
    ])
    assert.deepStrictEqual(blocks, [
      ["thinking", "hmm"],
      ["text", "Xin chào"],
      ["tool_use", "f", ""]
    ])
    const signed = given.findIndex(
      (event) =>
        (event.delta as JsonObject | undefined)?.signature === markReasoning("example", "thought", "sig")
    )
    assert.strictEqual(given[signed + 1]!.type, "content_block_stop")
    assert.deepInclude(end.delta, { stop_reason: "tool_use" })
    assert.deepInclude(end.usage, { input_tokens: 3, output_tokens: 4 })
    assert.isTrue(stage.finished)
  })

  it("ends with a count of its own where no usage comes, and with the usage that came too soon", () => {
    const said = [delta(0, { text: "t" }), stops(0)]
    const [stop, metadata] = ends("end_turn")
    const uncounted = run([...said, stop])
    assert.deepStrictEqual(uncounted.blocks, [["text", "t"]])
    assert.isUndefined(uncounted.stage.usage)
    assert.deepInclude(run([metadata, ...said, stop]).end.usage, { input_tokens: 3, output_tokens: 4 })
  })

  it("keeps its usage, and waits for it, where other metadata tells none", () => {
    const [stop, metadata] = ends("end_turn")
    const metrics = { metadata: { metrics: { latencyMs: 5 } } }
    for (const order of [
      [stop, metrics, metadata],
      [metadata, metrics, stop],
      [metrics, stop, metadata]
    ]) {
      const { end, stage } = run([delta(0, { text: "t" }), stops(0), ...order])
      assert.deepStrictEqual(stage.usage, { inputTokens: 3, outputTokens: 4 })
      assert.deepInclude(end.usage, { input_tokens: 3, output_tokens: 4 })
    }
  })

  it.each([
    ["end_turn", "end_turn"],
    ["max_tokens", "max_tokens"],
    ["stop_sequence", "stop_sequence"],
    ["guardrail_intervened", "refusal"],
    ["content_filtered", "refusal"],
    ["model_context_window_exceeded", "model_context_window_exceeded"],
    ["a_new_reason", "end_turn"]
  ])("tells %s as %s", (reason, expected) => {
    const { end } = run([delta(0, { text: "t" }), stops(0), ...ends(reason)])
    assert.deepInclude(end.delta, { stop_reason: expected })
  })

  it("names the text that stopped it where only one can have", () => {
    const only = contextFor("a-model", { onlyStop: "END" })
    for (const [reason, context, stop_sequence] of [
      ["stop_sequence", only, "END"],
      ["stop_sequence", contextFor(), null],
      ["end_turn", only, null]
    ] as const) {
      const { end } = run([delta(0, { text: "t" }), stops(0), ...ends(reason)], context)
      assert.deepStrictEqual<unknown>(end.delta, { stop_reason: reason, stop_sequence, stop_details: null })
    }
  })

  it.each<readonly [string, ReadonlyArray<JsonObject>]>([
    ["calls a tool without its name", [starts(0, { toolUse: { toolUseId: "a" } })]],
    ["calls a tool without an id", [starts(0, { toolUse: { name: "f" } })]],
    ["tells what no tool is called with", [delta(0, { toolUse: { input: "{}" } })]],
    ["tells what another tool is called with", [toolUse("tool_use"), delta(1, { toolUse: { input: "{}" } })]],
    ["says more behind its stop", [ends("end_turn")[0], delta(1, { text: "more" })]],
    ["thinks behind its stop", [ends("end_turn")[0], delta(1, { reasoningContent: { text: "hm" } })]],
    [
      "calls a tool behind its stop",
      [ends("end_turn")[0], starts(1, { toolUse: { toolUseId: "b", name: "g" } })]
    ]
  ])("fails where it %s", (_, events) => {
    const stage = new ConverseStreamToMessages(contextFor())
    const given = [delta(9, { text: "t" }), stops(9), ...events, ...ends("end_turn")].flatMap((event) =>
      stage.push(event)
    )
    assert.strictEqual(stage.failure?.type, "api_error")
    assert.notInclude(
      given.map(({ type }) => type),
      "message_stop"
    )
  })

  it("fails where the model wrote no answer, and where it ends without a stop", () => {
    for (const rest of [ends("malformed_tool_use"), ends("malformed_model_output"), []]) {
      const stage = new ConverseStreamToMessages(contextFor())
      for (const event of [delta(0, { text: "t" }), stops(0), ...rest]) stage.push(event)
      stage.end()
      assert.isDefined(stage.failure)
      assert.isFalse(stage.finished)
    }
  })
})
