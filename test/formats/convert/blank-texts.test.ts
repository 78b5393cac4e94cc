/** Text of nothing but white space, which many models write around their calls, and Claude refuses in a history. */
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { chatResponseToMessages } from "../../../src/formats/convert/chat-to-messages/answer.ts"
import { converseResponseToMessages } from "../../../src/formats/convert/converse-to-messages/answer.ts"
import { ConverseStreamToMessages } from "../../../src/formats/convert/converse-to-messages/ConverseStreamToMessages.ts"
import { responsesResponseToMessages } from "../../../src/formats/convert/responses-to-messages/answer.ts"
import { ResponsesStreamToMessages } from "../../../src/formats/convert/responses-to-messages/ResponsesStreamToMessages.ts"
import { pairs } from "../../../src/formats/pairs.ts"
import type { Json, JsonObject } from "../../../src/formats/json/json.ts"
import { contextFor } from "../../wire/models.ts"
import { answer, begins, blocksOf, calls, chunk, finish, goesOn, says, write } from "./chat-streams.ts"

const called = { type: "tool_use", id: "a", name: "f", input: {}, caller: { type: "direct" } }
const call = ["tool_use", "f", "{}"]

describe("a blank text", () => {
  it("is no block of a chat answer", () => {
    const contentOf = (message: JsonObject) =>
      Result.getOrThrow(
        chatResponseToMessages({ choices: [{ message, finish_reason: "stop" }] }, contextFor())
      ).content
    const tool_calls = [begins(0, "a", "f", "{}")]
    assert.deepStrictEqual(contentOf({ content: "\n\n", tool_calls }), [called])
    assert.deepStrictEqual(contentOf({ content: " \n" }), [])
    assert.deepStrictEqual(contentOf({ content: "\nso " }), [{ type: "text", text: "\nso " }])
  })

  it("is no block of a chat stream, wherever it comes", () => {
    const f = begins(0, "a", "f", "{}")
    const chunks: ReadonlyArray<ReadonlyArray<Json>> = [
      [says("\n"), says("\n"), calls(f)],
      [calls(f), says("\n\n")],
      [calls(begins(0, "a", "f")), says("\n"), calls(goesOn(0, "{}"))],
      [chunk({ content: "\n", tool_calls: [f] })]
    ]
    for (const each of chunks)
      assert.deepStrictEqual(answer(...each, finish("tool_calls")).blocks, [call], JSON.stringify(each))
    const between = answer(chunk({ reasoning: "h" }), says("\n"), calls(f), says("\n"), finish("stop"))
    assert.deepStrictEqual(between.blocks, [["thinking", "h"], call])
    assert.deepStrictEqual(answer(says(" \n"), finish("stop")).blocks, [])
  })

  it("is the beginning of what follows in a chat stream, which comes with it", () => {
    const codec = pairs.messages.chat_completions.stream(contextFor())
    const push = (one: Json) => codec.push(Buffer.from(write([one])))?.toString() ?? ""
    assert.notInclude(push(says("\n")), "content_block")
    assert.isFalse(codec.contentSeen)
    assert.include(push(says("so")), String.raw`"text":"\nso"`)
    assert.include(push(says(" \n")), String.raw`"text":" \n"`)
  })

  it("is told all the same where there is no end of it, and paid for", () => {
    const codec = pairs.messages.chat_completions.stream(contextFor())
    const stage = new ConverseStreamToMessages(contextFor())
    for (let piece = 0; piece < 20; piece++) {
      codec.push(Buffer.from(write([says("\n\n\n\n")])))
      stage.push({ contentBlockDelta: { contentBlockIndex: 0, delta: { text: "\n\n\n\n" } } })
    }
    assert.isTrue(codec.contentSeen)
    assert.isTrue(stage.contentSeen)
  })

  it("is no block of a Converse answer", () => {
    const content = [{ text: "\n" }, { toolUse: { toolUseId: "a", name: "f", input: {} } }]
    const body = { output: { message: { role: "assistant", content } }, stopReason: "tool_use" }
    assert.deepStrictEqual(Result.getOrThrow(converseResponseToMessages(body, contextFor())).content, [
      called
    ])
  })

  it("is no block of a Converse stream, but the beginning of what follows in its own", () => {
    const text = (contentBlockIndex: number, words: string) => ({
      contentBlockDelta: { contentBlockIndex, delta: { text: words } }
    })
    const stop = (contentBlockIndex: number) => ({ contentBlockStop: { contentBlockIndex } })
    const stage = new ConverseStreamToMessages(contextFor())
    const events = [
      text(0, "\n"),
      stop(0),
      text(1, " "),
      text(1, "\n"),
      text(1, "so"),
      text(1, "\n"),
      stop(1),
      text(2, "\n"),
      { contentBlockStart: { contentBlockIndex: 3, start: { toolUse: { toolUseId: "a", name: "f" } } } },
      { contentBlockDelta: { contentBlockIndex: 3, delta: { toolUse: { input: "{}" } } } },
      stop(3),
      text(4, "\n"),
      { messageStop: { stopReason: "tool_use" } }
    ]
    const given = events.flatMap((event) => stage.push(event)).concat(stage.end())
    assert.deepStrictEqual(blocksOf(given), [["text", " \nso\n"], call])
  })

  it("is no block of a Responses answer or stream", () => {
    const message = (text: string) => ({ type: "message", content: [{ type: "output_text", text }] })
    const output = [message("\n"), message("\nso"), { type: "function_call", call_id: "a", name: "f" }]
    const response = { status: "completed", output }
    const { content } = Result.getOrThrow(responsesResponseToMessages(response, contextFor()))
    assert.deepStrictEqual(content, [{ type: "text", text: "\nso" }, called])
    const said = (output_index: number, delta: string) => ({
      type: "response.output_text.delta",
      output_index,
      delta
    })
    const events = [
      said(0, "\n"),
      { type: "response.output_item.done", output_index: 0, item: message("\n") },
      said(1, "\n"),
      said(1, "so"),
      { type: "response.output_item.done", output_index: 1, item: message("\nso") },
      { type: "response.completed", response }
    ]
    const stage = new ResponsesStreamToMessages(contextFor())
    assert.deepStrictEqual(blocksOf(events.flatMap((event) => stage.push(event))), [["text", "\nso"]])
  })
})
