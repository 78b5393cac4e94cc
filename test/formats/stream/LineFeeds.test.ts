/** Streams whose lines end in carriage returns, as the WHATWG's rules have it, where they are passed on. */
import { assert, describe, it } from "@effect/vitest"
import { ChatPassthrough } from "../../../src/formats/chat/ChatPassthrough.ts"
import { LineFeeds } from "../../../src/formats/stream/LineFeeds.ts"
import { inPieces } from "../../wire/stream-runner.ts"

const read = (text: string, size: number): string => {
  const feeds = new LineFeeds()
  const given = inPieces(Buffer.from(text), size).map((piece) => feeds.of(piece))
  return Buffer.concat([...given, feeds.end()]).toString()
}

describe("line ends of a stream", () => {
  it("stay as they are, but for a carriage return that no line feed follows, wherever the bytes are cut", () => {
    for (let size = 1; size <= 12; size++) {
      assert.strictEqual(read("ế\r\rb\r\n\r\n\n\rc\r", size), "ế\n\nb\r\n\r\n\n\nc\n")
      assert.strictEqual(read("a\r\n\r\nb\n\n", size), "a\r\n\r\nb\n\n")
    }
  })

  it("are made in a copy: what came belongs to the network", () => {
    const came = Buffer.from("a\rb")
    new LineFeeds().of(came)
    assert.strictEqual(came.toString(), "a\rb")
  })

  it("C90 in carriage returns alone are no fault of a chat stream", () => {
    const told = { id: "c", choices: [{ index: 0, delta: { content: "xin chào" }, finish_reason: "stop" }] }
    const usage = { prompt_tokens: 5, completion_tokens: 7, total_tokens: 12 }
    const texts = [told, { choices: [], usage }].map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`)
    const whole = `: hi\n${texts.join("")}data: [DONE]\n\n`
    for (const size of [1, 2, 7, 1_000]) {
      const codec = new ChatPassthrough({ includeUsage: true })
      const given = inPieces(Buffer.from(whole.replaceAll("\n", "\r")), size).map((piece) =>
        codec.push(piece)
      )
      const rest = [codec.end(), codec.tail]
      const bytes = [...given, ...rest].map((each) => each ?? Buffer.alloc(0))
      assert.isUndefined(codec.failure)
      assert.strictEqual(Buffer.concat(bytes).toString(), whole)
      assert.deepStrictEqual(codec.usage, { inputTokens: 5, outputTokens: 7 })
    }
  })
})
