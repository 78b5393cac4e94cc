import { assert, describe, it } from "@effect/vitest"
import { ConverseStreamToMessages } from "../../../src/formats/convert/ConverseStreamToMessages.ts"
import type { JsonObject } from "../../../src/formats/json.ts"
import { contextFor } from "../../wire/models.ts"
import { blocksOf } from "./chat-streams.ts"

const starts = (contentBlockIndex: number, start: JsonObject) => ({
  contentBlockStart: { contentBlockIndex, start }
})
const delta = (contentBlockIndex: number, delta: JsonObject) => ({
  contentBlockDelta: { contentBlockIndex, delta }
})
const stops = (contentBlockIndex: number) => ({ contentBlockStop: { contentBlockIndex } })
const ends = (stopReason: string) => [
  { messageStop: { stopReason } },
  { metadata: { usage: { inputTokens: 3, outputTokens: 4, totalTokens: 7 } } }
]

const run = (events: ReadonlyArray<JsonObject>) => {
  const stage = new ConverseStreamToMessages(contextFor())
  const given = events.flatMap((event) => stage.push(event))
  return { stage, blocks: blocksOf([...given, ...stage.end()]), end: given.at(-2) as JsonObject }
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
})
