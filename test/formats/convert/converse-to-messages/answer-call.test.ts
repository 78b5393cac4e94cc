/** Converse answers that came as the call of a tool, whole and streamed. */
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { answerTool } from "../../../../src/formats/bedrock/answer-tool.ts"
import type { JsonObject } from "../../../../src/formats/json/json.ts"
import { converseUpstream } from "../../../../src/formats/upstreams.ts"
import { contextFor } from "../../../wire/models.ts"
import { blocksOf } from "../chat-streams.ts"

const context = contextFor("a-model", { toolNames: new Map([["json_answer_1", answerTool]]) })
const usage = { inputTokens: 3, outputTokens: 4, totalTokens: 7 }
const says = (text: string) => ({ text })
const calls = (name: string, input: JsonObject) => ({ toolUse: { toolUseId: name, name, input } })
const answers = (input: JsonObject) => calls("json_answer_1", input)
const thinks = { reasoningContent: { reasoningText: { text: "hm", signature: "s" } } }

const whole = (content: ReadonlyArray<JsonObject>, stopReason: string) => {
  const answer = { output: { message: { role: "assistant", content } }, stopReason, usage }
  const message = Result.getOrThrow(converseUpstream.toMessages!(answer, context))
  const blocks: Array<Array<unknown>> = (message.content as ReadonlyArray<JsonObject>).map((block) =>
    block.type === "tool_use"
      ? [block.type, block.name, JSON.stringify(block.input)]
      : [block.type, block.text ?? block.thinking]
  )
  return { blocks, stop: message.stop_reason }
}

const eventsOf = (block: JsonObject, contentBlockIndex: number): ReadonlyArray<JsonObject> => {
  const delta = (told: JsonObject) => ({ contentBlockDelta: { contentBlockIndex, delta: told } })
  const stop = { contentBlockStop: { contentBlockIndex } }
  const { reasoningContent, text, toolUse } = block as Record<string, JsonObject>
  if (text !== undefined) return [delta({ text }), stop]
  if (toolUse !== undefined) {
    const { input, ...start } = toolUse
    const written = Object.keys(input as JsonObject).length === 0 ? "" : JSON.stringify(input)
    return [
      { contentBlockStart: { contentBlockIndex, start: { toolUse: start } } },
      ...[written.slice(0, 5), written.slice(5)].map((piece) => delta({ toolUse: { input: piece } })),
      stop
    ]
  }
  const { signature, text: thought } = reasoningContent!.reasoningText as JsonObject
  return [
    delta({ reasoningContent: { text: thought! } }),
    delta({ reasoningContent: { signature: signature! } }),
    stop
  ]
}

const stream = (content: ReadonlyArray<JsonObject>, stopReason: string) => {
  const stage = converseUpstream.toMessagesEvents!(context)
  const events = [
    { messageStart: { role: "assistant" } },
    ...content.flatMap(eventsOf),
    { messageStop: { stopReason } },
    { metadata: { usage } }
  ]
  const given = events.flatMap((event) => stage.push(event))
  given.push(...stage.end())
  return { given, stage }
}

const streamed = (content: ReadonlyArray<JsonObject>, stopReason: string) => {
  const { given, stage } = stream(content, stopReason)
  assert.isTrue(stage.finished && stage.contentSeen)
  assert.deepStrictEqual(stage.usage, { inputTokens: 3, outputTokens: 4 })
  return { blocks: blocksOf(given), stop: (given.at(-2)!.delta as JsonObject).stop_reason }
}

const json = { a: "Huế", b: [1] }
const text = ["text", JSON.stringify(json)]
const call = ["tool_use", "f", `{"x":"12345"}`]
const f = calls("f", { x: "12345" })

describe("an answer that was asked for as a call", () => {
  it.each<
    readonly [
      is: string,
      content: ReadonlyArray<JsonObject>,
      stop: string,
      blocks: Array<Array<unknown>>,
      told: string
    ]
  >([
    ["is told as text", [answers(json)], "tool_use", [text], "end_turn"],
    [
      "holds nothing that was said before or after",
      [says("So:"), answers(json), says("!")],
      "tool_use",
      [text],
      "end_turn"
    ],
    [
      "keeps its thoughts",
      [thinks, says("So:"), answers(json)],
      "tool_use",
      [["thinking", "hm"], text],
      "end_turn"
    ],
    ["is an empty object, and no text", [says("So:"), answers({})], "tool_use", [["text", "{}"]], "end_turn"],
    ["is given once", [answers(json), answers({ c: 1 })], "tool_use", [text], "end_turn"],
    [
      "is a call of the client's in its place, with its words",
      [says("Look:"), f],
      "tool_use",
      [["text", "Look:"], call],
      "tool_use"
    ],
    [
      "stands beside a call of the client's",
      [f, says("So:"), answers(json)],
      "tool_use",
      [call, text],
      "tool_use"
    ],
    [
      "is text where the model made no call",
      [says("No."), says(" Never.")],
      "end_turn",
      [
        ["text", "No."],
        ["text", " Never."]
      ],
      "end_turn"
    ],
    ["was refused", [says("Blocked.")], "guardrail_intervened", [["text", "Blocked."]], "refusal"],
    ["was cut", [answers(json)], "max_tokens", [text], "max_tokens"]
  ])("%s", (_, content, stop, blocks, told) => {
    assert.deepStrictEqual(whole(content, stop), { blocks, stop: told })
    assert.deepStrictEqual(streamed(content, stop), { blocks, stop: told })
  })

  it("is streamed as it comes, in pieces that are read and written by nobody", () => {
    const stage = converseUpstream.toMessagesEvents!(context)
    const [start, first] = eventsOf(answers(json), 1)
    assert.isFalse(
      stage.push(eventsOf(says("So:"), 0)[0]!).some(({ type }) => type === "content_block_start")
    )
    assert.isFalse(stage.contentSeen)
    assert.isUndefined(stage.piece({ kind: "text", index: 0 }, "So"))
    stage.push(start!)
    assert.isTrue(stage.contentSeen)
    stage.push(first!)
    assert.deepStrictEqual(stage.piece({ kind: "input", index: 1 }, "Hu\\u1ebf"), { kind: "text", index: 0 })
    assert.isUndefined(stage.piece({ kind: "input", index: 2 }, "x"))
  })

  it("counts all that the model wrote, where the provider does not", () => {
    const written = stream([says("So, I think:"), answers(json)], "tool_use").stage.meter
    const alone = stream([answers(json)], "tool_use").stage.meter
    assert.isAbove(written.events, alone.events)
  })

  it("that breaks off is no answer", () => {
    const stage = converseUpstream.toMessagesEvents!(context)
    for (const event of eventsOf(answers(json), 0)) stage.push(event)
    stage.end()
    assert.isDefined(stage.failure)
  })
})
