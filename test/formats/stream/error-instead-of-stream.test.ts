/** Upstreams that answer a streamed call with an error as plain JSON, as if it had not been streamed. */
import { assert, describe, it } from "@effect/vitest"
import { pairs } from "../../../src/formats/pairs.ts"
import { ChatPassthrough } from "../../../src/formats/chat/ChatPassthrough.ts"
import { MessagesPassthrough } from "../../../src/formats/messages/MessagesPassthrough.ts"
import type { StreamCodec } from "../../../src/formats/stream/stream-codec.ts"
import type { StreamFailure } from "../../../src/formats/errors/stream-failure.ts"
import { contextFor } from "../../wire/models.ts"
import { inPieces } from "../../wire/stream-runner.ts"

type Failing = readonly [object, StreamFailure["type"], string]
const errors: ReadonlyArray<Failing> = [
  [{ base_resp: { status_code: 1002, status_msg: "rate limit" } }, "rate_limit_error", "rate limit"],
  [
    { base_resp: { status_code: 2013, status_msg: "bad n" }, choices: null },
    "invalid_request_error",
    "bad n"
  ],
  [{ error: { type: "invalid_request_error", message: "bad n" } }, "invalid_request_error", "bad n"],
  [{ error: "out of order" }, "api_error", "out of order"],
  [{ code: "The service is busy", error: "out of order" }, "api_error", "out of order"]
]

const codecs: ReadonlyArray<readonly [string, () => StreamCodec]> = [
  ["chat", () => new ChatPassthrough({ includeUsage: false })],
  ["Messages", () => new MessagesPassthrough()],
  ["chat, converted", () => pairs.messages.chat_completions.stream(contextFor())],
  ["Messages, converted", () => pairs.chat_completions.messages.stream(contextFor())]
]

/** What the client is given, and the codec it went through. */
const through = (codec: StreamCodec, text: string, size: number) => {
  const given = inPieces(Buffer.from(text), size).map((piece) => codec.push(Buffer.from(piece)))
  return { codec, given: [...given, codec.end()].filter((bytes) => bytes !== undefined).join("") }
}

describe.each(codecs)("in place of a stream of %s", (_, make) => {
  it.each(errors)("the error %j is told as what it is", (error, type, message) => {
    for (const text of [JSON.stringify(error), `${JSON.stringify(error, null, 2)}\n`]) {
      for (const size of [1, 7, text.length]) {
        const { codec, given } = through(make(), text, size)
        assert.deepStrictEqual(codec.failure, { type, message })
        assert.strictEqual(given, "")
      }
    }
  })

  it("what is no error, or no JSON, is still a stream without an end", () => {
    for (const text of [
      `{"choices":[]}`,
      `{"error":null}`,
      `{"error":{`,
      "{".repeat(100_000),
      "<html>",
      ""
    ]) {
      const { codec } = through(make(), text, 1_000)
      assert.strictEqual(codec.failure?.type, "api_error")
      assert.isFalse(codec.finished)
    }
  })
})
