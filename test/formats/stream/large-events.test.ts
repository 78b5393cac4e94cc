/** Events larger than an event loop can parse: passed on whole and read by what matters, or refused at once. */
import { assert, describe, it } from "@effect/vitest"
import { Random } from "../../Random.ts"
import { chatPieces } from "../../../src/formats/chat/piece-form.ts"
import { ChatPassthrough } from "../../../src/formats/chat/ChatPassthrough.ts"
import { MessagesPassthrough } from "../../../src/formats/messages/MessagesPassthrough.ts"
import { ResponsesPassthrough } from "../../../src/formats/responses/ResponsesPassthrough.ts"
import {
  hasTooManyValues,
  parsedEventValuesMax,
  eventBytesMax
} from "../../../src/formats/stream/event-bounds.ts"
import type { JsonObject } from "../../../src/formats/json/json.ts"
import { SseEventReader } from "../../../src/formats/stream/event-reader.ts"
import { GrowingBytes } from "../../../src/formats/stream/GrowingBytes.ts"
import type { PassthroughCodec } from "../../../src/formats/stream/PassthroughCodec.ts"

const chunkBytes = 64 * 1024

const chunksOf = (text: string, size = chunkBytes): ReadonlyArray<Buffer> => {
  const bytes = Buffer.from(text)
  const count = Math.ceil(bytes.length / size)
  return Array.from({ length: count }, (_, index) => bytes.subarray(index * size, (index + 1) * size))
}

const through = (codec: PassthroughCodec, text: string, size?: number): string =>
  Buffer.concat(chunksOf(text, size).map((chunk) => codec.push(chunk) ?? Buffer.alloc(0))).toString()

const dense = `[${"{},".repeat(350_000)}0]`
const image = "iVBORw0KGgo".repeat(400_000)

describe("a large event that is passed on", () => {
  it("of a Responses stream is read for its usage, and passed on byte for byte", () => {
    for (const output of [dense, `[{"type":"image_generation_call","result":"${image}"}]`]) {
      const codec = new ResponsesPassthrough()
      const usage = '{"input_tokens":7,"output_tokens":9,"total_tokens":16}'
      const event = `event: response.completed\ndata: {"type":"response.completed","response":{"id":"resp_1","output":${output},"usage":${usage}}}\n\n`
      assert.strictEqual(through(codec, event) + codec.tail.toString(), event)
      assert.isTrue(codec.finished)
      assert.deepInclude(codec.usage, { inputTokens: 7, outputTokens: 9 })
    }
  })

  it("of a chat stream ends its choice", () => {
    const codec = new ChatPassthrough({ includeUsage: true })
    const url = `data:image/png;base64,${image}`
    const event = `data: {"choices":[{"index":0,"delta":{"content":"Here","images":[{"image_url":{"url":"${url}"}}]},"finish_reason":"stop"}]}\n\n`
    assert.strictEqual(through(codec, event), event)
    assert.isTrue(codec.contentSeen && codec.isWhole)
  })

  it("of a Messages stream may be of a kind that says nothing to us", () => {
    const codec = new MessagesPassthrough()
    const block = `{"type":"web_fetch_tool_result","content":{"data":"${image}"}}`
    const event = `event: content_block_start\ndata: {"type":"content_block_start","index":1,"content_block":${block}}\n\n`
    assert.strictEqual(through(codec, event), event)
    assert.isUndefined(codec.failure)
  })

  const words = "word ".repeat(40_000)
  const line = (event: object) => `data: ${JSON.stringify(event)}\n\n`
  const chat = (delta: object) => line({ choices: [{ index: 0, delta, finish_reason: null }] })
  const call = (args: string) => ({
    tool_calls: [{ index: 0, id: "c", function: { name: "f", arguments: args } }]
  })
  const block = (delta: object) => line({ type: "content_block_delta", index: 0, delta })
  const told = (type: string, delta: string) =>
    line({ type: `response.${type}.delta`, item_id: "i", output_index: 0, delta, sequence_number: 2 })

  it.each([
    ["chat", () => new ChatPassthrough({ includeUsage: true }), (text: string) => chat({ content: text })],
    ["a call in chat", () => new ChatPassthrough({ includeUsage: true }), (text: string) => chat(call(text))],
    ["Messages", () => new MessagesPassthrough(), (text: string) => block({ type: "text_delta", text })],
    ["Responses", () => new ResponsesPassthrough(), (text: string) => told("output_text", text)],
    [
      "Messages in another order",
      () => new MessagesPassthrough(),
      (text: string) => line({ delta: { text }, index: 0, type: "content_block_delta" })
    ],
    [
      "Responses in another order",
      () => new ResponsesPassthrough(),
      (delta: string) => line({ delta, item_id: "i", sequence_number: 2, type: "response.output_text.delta" })
    ]
  ] as ReadonlyArray<readonly [string, () => PassthroughCodec, (text: string) => string]>)(
    "of %s is content, and weighs what it says",
    (_, make, event) => {
      const large = make()
      assert.strictEqual(through(large, event(words)), event(words))
      assert.isTrue(large.contentSeen)
      const small = make()
      for (let piece = 0; piece < 10; piece++) through(small, event(words.slice(0, words.length / 10)))
      assert.approximately(large.meter.asciiUsual, small.meter.asciiUsual, small.meter.asciiUsual / 100)
    }
  )

  it.each([
    ["of too many bytes", `data: {"type":"ping","a":"${"x".repeat(eventBytesMax)}"}\n\n`],
    ["of too many values", `data: {"type":"ping","a":[${"{},".repeat(500_000)}0]}\n\n`],
    ["of too many lines", "data: 1,\n".repeat(400_000)],
    ["of too many lines that say nothing", ":\n".repeat(400_000)],
    ["in several lines", `data: {"a":"${"x".repeat(100_000)}",\ndata: "b":1}\n\n`],
    ["that is no JSON", `data: {"a":"${"x".repeat(100_000)}",}\n\n`]
  ])("%s ends the stream", (_, text) => {
    const codec = new MessagesPassthrough()
    through(codec, text)
    assert.strictEqual(codec.failure?.type, "api_error")
  })

  it("is put together from pieces of any size, wherever its blank line is cut", () => {
    const event = 'event: ping\r\ndata: {"type":"ping"}\r\n\r\ndata: {"type": "ping"}\n\n: x\n\n'
    for (let size = 1; size <= event.length; size++)
      assert.strictEqual(through(new MessagesPassthrough(), event, size), event, `in pieces of ${size}`)
  })
})

describe("a large event that is converted", () => {
  const read = (text: string) => {
    const events: Array<JsonObject> = []
    const sink = { event: (event: JsonObject) => void events.push(event), piece: () => false }
    const reader = new SseEventReader(sink, chatPieces)
    for (const chunk of chunksOf(text)) reader.push(chunk)
    return { events, failed: reader.failure !== undefined }
  }

  it("C91 is parsed whole where it says something new, be it of many megabytes", () => {
    for (const words of [150_000, 6_000_000]) {
      const content = "word ".repeat(words)
      const { events } = read(`data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`)
      assert.deepStrictEqual(events, [{ choices: [{ delta: { content } }] }])
    }
  })

  it("is read by its outline where it only says again what has been said", () => {
    const usage = { input_tokens: 1 }
    for (const large of [image, JSON.parse(dense) as unknown]) {
      const response = { output: [large], usage }
      const { events } = read(`data: ${JSON.stringify({ type: "response.completed", response })}\n\n`)
      assert.deepInclude((events[0] as typeof response & { response: typeof response }).response, { usage })
    }
  })

  it.each([
    ["bytes", `{"choices":[{"delta":{"content":"${"x".repeat(eventBytesMax)}"}}]}`],
    ["values", `{"choices":[{"delta":{"content":"a"}}],"x":${dense}}`]
  ])("of too many %s ends the stream", (_, data) => {
    assert.deepStrictEqual(read(`data: ${data}\n\n`), { events: [], failed: true })
  })

  it("has its values counted, not what stands in its texts", () => {
    const values = (count: number) => `[${"1,".repeat(count - 1)}1]`
    assert.isFalse(hasTooManyValues(values(parsedEventValuesMax)))
    assert.isTrue(hasTooManyValues(values(parsedEventValuesMax + 1)))
    assert.isFalse(hasTooManyValues(JSON.stringify([`\\",[{`.repeat(parsedEventValuesMax)])))
  })
})

describe("bytes that grow", () => {
  it("are what was added, in pieces of any size", () => {
    const random = new Random(3)
    for (const most of [2, 500, 50_000]) {
      const bytes = new GrowingBytes()
      let expected = Buffer.alloc(0)
      for (let round = 0; round < 200; round++) {
        const piece = Buffer.alloc(random.below(most), random.below(256))
        expected = Buffer.concat([expected, piece])
        bytes.add(piece)
        assert.strictEqual(bytes.fromEnd(1), expected.at(-1))
        assert.strictEqual(bytes.fromEnd(2), expected.at(-2))
        assert.strictEqual(bytes.size, expected.length)
      }
      assert.isTrue(bytes.whole().equals(expected))
      assert.isTrue(bytes.take().equals(expected))
      assert.deepStrictEqual([bytes.size, bytes.take().length], [0, 0])
    }
  })
})
