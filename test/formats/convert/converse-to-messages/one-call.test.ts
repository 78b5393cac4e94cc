/** Converse answers to callers that take one tool call at a time, which its models can not be told. */
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { asksForOneCall } from "../../../../src/formats/one-call.ts"
import type { JsonObject } from "../../../../src/formats/json/json.ts"
import { converseUpstream } from "../../../../src/formats/upstreams.ts"
import { contextFor } from "../../../wire/models.ts"
import { blocksOf } from "../chat-streams.ts"

const names = ["f", "g", "h"]
const usage = { inputTokens: 3, outputTokens: 9, totalTokens: 12 }

const whole = (oneCall: boolean) => {
  const calls = names.map((name) => ({ toolUse: { toolUseId: name, name, input: { of: name } } }))
  const content = [{ text: "Look:" }, ...calls, { text: "So." }]
  const answer = { output: { message: { role: "assistant", content } }, stopReason: "tool_use", usage }
  const context = { ...contextFor(), oneCall }
  return {
    all: Result.getOrThrow(converseUpstream.readable!(answer, context)),
    told: Result.getOrThrow(converseUpstream.toMessages!(answer, context))
  }
}

const stream = (oneCall: boolean) => {
  const stage = converseUpstream.toMessagesEvents!({ ...contextFor(), oneCall })
  const delta = (contentBlockIndex: number, told: JsonObject) => ({
    contentBlockDelta: { contentBlockIndex, delta: told }
  })
  const calls = names.flatMap((name, place) => [
    { contentBlockStart: { contentBlockIndex: place + 1, start: { toolUse: { toolUseId: name, name } } } },
    delta(place + 1, { toolUse: { input: `{"of":"${name}` } }),
    delta(place + 1, { toolUse: { input: `"}` } }),
    { contentBlockStop: { contentBlockIndex: place + 1 } }
  ])
  const given = [
    delta(0, { text: "Look:" }),
    { contentBlockStop: { contentBlockIndex: 0 } },
    ...calls,
    delta(4, { text: "So." }),
    { messageStop: { stopReason: "tool_use" } },
    { metadata: { usage } }
  ].flatMap((event) => stage.push(event))
  return { given, stage }
}

const kinds = ({ content }: JsonObject) =>
  (content as ReadonlyArray<JsonObject>).map(({ name, text }) => name ?? text)

describe("an answer of several calls", () => {
  it("is the first of them, with all that was said, and ends with a call", () => {
    const { all, told } = whole(true)
    assert.deepStrictEqual(kinds(told), ["Look:", "f", "So."])
    assert.strictEqual(told.stop_reason, "tool_use")
    assert.deepStrictEqual(kinds(all), ["Look:", "f", "g", "h", "So."])
    assert.deepStrictEqual(kinds(whole(false).told), kinds(all))
  })

  it("is the same as a stream, and all of it is counted", () => {
    const { given, stage } = stream(true)
    assert.isUndefined(stage.failure)
    assert.deepStrictEqual(blocksOf(given), [
      ["text", "Look:"],
      ["tool_use", "f", `{"of":"f"}`],
      ["text", "So."]
    ])
    assert.deepInclude(given.at(-2)!.delta, { stop_reason: "tool_use" })
    assert.deepStrictEqual(stage.usage, { inputTokens: 3, outputTokens: 9 })
    const { given: several, stage: both } = stream(false)
    assert.lengthOf(blocksOf(several), 5)
    assert.deepStrictEqual(stage.meter, both.meter)
  })

  it("leaves pieces of the others out", () => {
    const stage = converseUpstream.toMessagesEvents!({ ...contextFor(), oneCall: true })
    const start = (contentBlockIndex: number) => ({
      contentBlockStart: { contentBlockIndex, start: { toolUse: { toolUseId: "t", name: "f" } } }
    })
    stage.push(start(0))
    assert.deepStrictEqual(stage.piece({ kind: "input", index: 0 }, "{}"), { kind: "input", index: 0 })
    assert.isTrue(stage.push(start(1)).every(({ type }) => type === "content_block_stop"))
    assert.isUndefined(stage.piece({ kind: "input", index: 1 }, "{}"))
  })

  it("is asked for in the words of each protocol", () => {
    assert.isTrue(asksForOneCall({ parallel_tool_calls: false }))
    assert.isTrue(asksForOneCall({ tool_choice: { type: "auto", disable_parallel_tool_use: true } }))
    for (const parallel of [true, null]) assert.isFalse(asksForOneCall({ parallel_tool_calls: parallel }))
    assert.isFalse(asksForOneCall({ tool_choice: "auto" }))
  })
})
