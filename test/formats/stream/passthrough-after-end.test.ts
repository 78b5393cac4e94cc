/** What an upstream still sends after a stream's successful end: its clients were told of no failure, and are not now. */
import { assert, describe, it } from "@effect/vitest"
import { ChatPassthrough } from "../../../src/formats/chat/ChatPassthrough.ts"
import { MessagesPassthrough } from "../../../src/formats/messages/MessagesPassthrough.ts"
import { ResponsesPassthrough } from "../../../src/formats/responses/ResponsesPassthrough.ts"
import type { StreamCodec } from "../../../src/formats/stream/stream-codec.ts"
import { inPieces } from "../../wire/stream-runner.ts"

const event = (type: string, more: object) => `event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`

const messages =
  event("message_start", { message: { id: "m", usage: { input_tokens: 3, output_tokens: 1 } } }) +
  event("content_block_delta", { index: 0, delta: { type: "text_delta", text: "a\n" } }) +
  event("message_delta", { delta: { stop_reason: "end_turn" }, usage: { output_tokens: 4 } }) +
  event("message_stop", {})

const chat =
  'data: {"choices":[{"index":0,"delta":{"content":"a"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n'

const responses =
  event("response.created", { sequence_number: 0, response: { id: "r" } }) +
  event("response.completed", {
    sequence_number: 1,
    response: { id: "r", usage: { input_tokens: 3, output_tokens: 4 } }
  })

const streams: ReadonlyArray<readonly [string, () => StreamCodec, string]> = [
  ["Messages", () => new MessagesPassthrough(), messages],
  ["chat", () => new ChatPassthrough({ includeUsage: false }), chat],
  ["Responses", () => new ResponsesPassthrough(), responses]
]

const received = (codec: StreamCodec, text: string, size: number): string => {
  let given = ""
  for (const piece of inPieces(Buffer.from(text), size)) given += codec.push(Buffer.from(piece)) ?? ""
  given += codec.end() ?? ""
  assert.isUndefined(codec.failure)
  assert.isTrue(codec.finished)
  return given + codec.tail.toString()
}

describe.each(streams)("after the end of a %s stream", (_name, codecOf, whole) => {
  it("an error and what can not be read are dropped, and all else is passed on", () => {
    const late = event("error", { error: { type: "api_error", message: "too late" } })
    for (const size of [1, 7, 10_000]) {
      const text = `${whole}: comment\n\n${late}data: rubbish\n\n: comment\n\n`
      assert.strictEqual(received(codecOf(), text, size), `${whole}: comment\n\n: comment\n\n`)
    }
  })
})

it("a usage chunk that a chat client had not asked for is dropped behind [DONE] too, and counted", () => {
  const usage = 'data: {"choices":[],"usage":{"prompt_tokens":3,"completion_tokens":4,"total_tokens":7}}\n\n'
  const codec = new ChatPassthrough({ includeUsage: false })
  assert.strictEqual(received(codec, chat + usage, 7), chat)
  assert.deepStrictEqual(codec.usage, { inputTokens: 3, outputTokens: 4 })
})

it("a chat stream that its upstream gave up has no end, whatever comes behind that", () => {
  const codec = new ChatPassthrough({ includeUsage: true })
  const begun = 'data: {"choices":[{"index":0,"delta":{"content":"a"},"finish_reason":null}]}\n\n'
  const givenUp = 'data: {"choices":[{"index":0,"delta":{},"finish_reason":"abort"}]}\n\ndata: [DONE]\n\n'
  assert.strictEqual(codec.push(Buffer.from(begun + givenUp))?.toString(), begun)
  assert.strictEqual(codec.failure?.type, "api_error")
  assert.isFalse(codec.finished)
})
