import { assert, describe, it } from "@effect/vitest"
import { eventBytesMax } from "../../../src/formats/stream/event-bounds.ts"
import { dataFrame, namedFrame } from "../../../src/formats/stream/sse.ts"
import { framesOf as read, makeFrameReader } from "../../wire/sse-frames.ts"

const dataOf = (...chunks: ReadonlyArray<string | Buffer>) => read(...chunks).map(({ data }) => data)

describe("SseReader", () => {
  it("C90 takes line feeds, carriage returns and both, with and without a space after the colon", () => {
    assert.deepStrictEqual(dataOf("data: a\n\ndata:b\r\n\r\ndata:  c\r\rdata: d\n\n"), ["a", "b", " c", "d"])
  })

  it("C90 joins the data lines of one event", () => {
    assert.deepStrictEqual(read("event: note\ndata: one\ndata:\ndata: three\n\n"), [
      { event: "note", data: "one\n\nthree" }
    ])
  })

  it("C92 leaves out comments, unknown fields and events without data", () => {
    assert.deepStrictEqual(
      dataOf(": keep-alive\n\nevent: ping\n\nid: 1\nretry: 5\nother\n\ndata:\n\ndata: x\n\n"),
      ["x"]
    )
  })

  it("names an event by its own event line alone", () => {
    assert.deepStrictEqual(read("event: a\ndata: 1\n\ndata: 2\n\n"), [
      { event: "a", data: "1" },
      { event: "", data: "2" }
    ])
  })

  it("drops a byte order mark at the start only", () => {
    assert.deepStrictEqual(dataOf("\ufeffdata: a\n\n\ufeffdata: b\n\n"), ["a"])
  })

  it("gives a last event that lacks its blank line", () => {
    assert.deepStrictEqual(dataOf("data: a\n\ndata: b"), ["a", "b"])
  })

  it("C89 gives the same events wherever the bytes are cut, also inside a character or a line end", () => {
    const bytes = Buffer.from(
      "\ufeffevent: message\r\ndata: xin chào Việt Nam 👩‍👩‍👧\r\ndata: hai\r\n\r\n: c\rdata: ba\n\n\r\ndata: bốn\r\r"
    )
    const whole = read(bytes)
    assert.lengthOf(whole, 3)
    for (let cut = 0; cut <= bytes.length; cut++) {
      assert.deepStrictEqual(read(bytes.subarray(0, cut), bytes.subarray(cut)), whole)
    }
    assert.deepStrictEqual(read(...[...bytes].map((byte) => Buffer.from([byte]))), whole)
  })

  it("C91 takes a line of many megabytes, in time that grows with its length alone", () => {
    const line = "x".repeat(eventBytesMax - 1_024)
    const pieces = Buffer.from(`data: ${line}\n\n`)
    const chunks = Array.from({ length: Math.ceil(pieces.length / 1_024) }, (_, index) =>
      pieces.subarray(index * 1_024, (index + 1) * 1_024)
    )
    assert.strictEqual(dataOf(...chunks)[0]!.length, line.length)
  })

  it("gives up on an event beyond the limit, in one line or in many", () => {
    const part = Buffer.from(`data: ${"x".repeat(1024 * 1024)}\n`)
    for (const chunk of [part, Buffer.alloc(1024 * 1024, "x")]) {
      const { frames, reader } = makeFrameReader()
      for (let sent = 0; sent <= eventBytesMax + 1; sent += 1024 * 1024) reader.push(chunk)
      assert.isTrue(reader.overflowed)
      reader.push(Buffer.from("\n\n"))
      reader.end()
      assert.deepStrictEqual(frames, [])
    }
  })

  it("never gives up on a stream for the sum of its events", () => {
    const event = Buffer.from(`data: ${"x".repeat(eventBytesMax - 1_024)}\n\n`)
    const { frames, reader } = makeFrameReader()
    const count = 3
    for (let sent = 0; sent < count; sent++) reader.push(event)
    assert.lengthOf(frames, count)
    assert.isFalse(reader.overflowed)
  })

  it("reads what the writers write", () => {
    assert.deepStrictEqual(read(namedFrame("ping", "{}") + dataFrame("[DONE]")), [
      { event: "ping", data: "{}" },
      { event: "", data: "[DONE]" }
    ])
  })
})
