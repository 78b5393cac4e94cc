/** Most events are a piece of a text, of thoughts or of arguments: weighed as they stand, with the same result as any other way of writing them. */
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { onTestFinished, vi } from "vitest"
import { ChatPassthrough } from "../../../src/formats/chat/ChatPassthrough.ts"
import { MessagesPassthrough } from "../../../src/formats/messages/MessagesPassthrough.ts"
import { ResponsesPassthrough } from "../../../src/formats/responses/ResponsesPassthrough.ts"
import type { PassthroughCodec } from "../../../src/formats/stream/PassthroughCodec.ts"

const Text = Schema.Union([
  Schema.String,
  Schema.Literals([
    "",
    "Xin chào",
    "tiền đã vào ví",
    "😀",
    'a "quote"',
    "\n\n",
    "data: {}",
    "\\",
    "123 456",
    "文字",
    " "
  ])
])
const Texts = Schema.Array(Text).check(Schema.isMaxLength(30))
const Cuts = Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 200 }))).check(
  Schema.isMinLength(1),
  Schema.isMaxLength(20)
)

const chunk = { id: "chatcmpl-1", object: "chat.completion.chunk", created: 1, model: "m" }
const chatEvent = (event: object) => `data: ${JSON.stringify(event)}\n\n`
/** As the providers write them. */
const chatEvents: Readonly<Record<string, (text: string) => string>> = {
  OpenAI: (content) =>
    chatEvent({ ...chunk, choices: [{ index: 0, delta: { content }, finish_reason: null }] }),
  "OpenAI, a tool's arguments": (text) =>
    chatEvent({
      ...chunk,
      usage: null,
      choices: [
        {
          index: 0,
          delta: { tool_calls: [{ index: 1, function: { arguments: text } }] },
          logprobs: null,
          finish_reason: null
        }
      ],
      obfuscation: "R"
    }),
  DeepSeek: (content) =>
    chatEvent({
      ...chunk,
      system_fingerprint: "fp_1",
      choices: [
        { index: 0, delta: { content, reasoning_content: null }, logprobs: null, finish_reason: null }
      ],
      usage: null
    }),
  "DeepSeek, thoughts": (text) =>
    chatEvent({
      ...chunk,
      system_fingerprint: "fp_1",
      choices: [
        { index: 0, delta: { content: null, reasoning_content: text }, logprobs: null, finish_reason: null }
      ],
      usage: null
    }),
  "Z.ai, thoughts": (text) =>
    chatEvent({ ...chunk, choices: [{ index: 0, delta: { role: "assistant", reasoning_content: text } }] }),
  "xAI, thoughts": (text) =>
    chatEvent({
      ...chunk,
      choices: [{ index: 0, delta: { reasoning_content: text, role: "assistant" } }],
      system_fingerprint: "fp_1"
    }),
  "Groq, thoughts": (reasoning) =>
    chatEvent({
      ...chunk,
      choices: [{ index: 0, delta: { reasoning, channel: "analysis" }, logprobs: null, finish_reason: null }]
    }),
  Alibaba: (content) =>
    chatEvent({
      choices: [
        { delta: { content, reasoning_content: null }, finish_reason: null, index: 0, logprobs: null }
      ],
      object: "chat.completion.chunk",
      usage: null,
      created: 1,
      system_fingerprint: null,
      model: "m",
      id: "chatcmpl-1"
    }),
  "Alibaba, a tool's arguments": (text) =>
    chatEvent({
      choices: [
        {
          delta: {
            content: null,
            tool_calls: [{ index: 0, id: "", type: "function", function: { arguments: text } }]
          },
          finish_reason: null,
          index: 0,
          logprobs: null
        }
      ],
      object: "chat.completion.chunk",
      usage: null
    })
}
const messagesEvent = (text: string) =>
  `event: content_block_delta\ndata: ${JSON.stringify({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text } })}\n\n`
const messagesThoughtEvent = (thinking: string) =>
  `event: content_block_delta\ndata: ${JSON.stringify({ type: "content_block_delta", index: 0, delta: { type: "thinking_delta", thinking } })}\n\n`
const messagesInputEvent = (partial_json: string) =>
  `event: content_block_delta\ndata: ${JSON.stringify({ type: "content_block_delta", index: 1, delta: { type: "input_json_delta", partial_json } })}\n\n`
const responsesEvent = (type: string, place: object) => (delta: string) =>
  `event: response.${type}.delta\ndata: ${JSON.stringify({ type: `response.${type}.delta`, sequence_number: 7, item_id: "it_1", output_index: 0, ...place, delta, obfuscation: "x9" })}\n\n`

interface Protocol {
  readonly name: string
  readonly codec: () => PassthroughCodec
  readonly event: (text: string) => string
}

const protocols: ReadonlyArray<Protocol> = [
  ...Object.entries(chatEvents).map(([provider, event]) => ({
    name: `chat, ${provider}`,
    codec: () => new ChatPassthrough({ includeUsage: true }),
    event
  })),
  { name: "messages", codec: () => new MessagesPassthrough(), event: messagesEvent },
  { name: "messages, thoughts", codec: () => new MessagesPassthrough(), event: messagesThoughtEvent },
  { name: "messages, a tool's input", codec: () => new MessagesPassthrough(), event: messagesInputEvent },
  ...(
    [
      ["output_text", { content_index: 0 }],
      ["reasoning_text", { content_index: 0 }],
      ["reasoning_summary_text", { summary_index: 1 }],
      ["function_call_arguments", {}]
    ] as const
  ).map(([type, place]) => ({
    name: `responses, ${type}`,
    codec: () => new ResponsesPassthrough(),
    event: responsesEvent(type, place)
  }))
]

/** The same event in ASCII alone, as Python writes it. */
const inAscii = (event: string) =>
  event.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)

/** The same event, as no pattern expects it. */
const unusual = (event: string) => event.replace("data: {", "data: { ")

const passed = (codec: PassthroughCodec, stream: string, cuts: ReadonlyArray<number>) => {
  const bytes = Buffer.from(stream)
  const out: Array<Buffer> = []
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const next = at + cuts[turn % cuts.length]!
    // A copy, since a socket's memory is used again.
    const piece = codec.push(Buffer.from(bytes.subarray(at, next)))
    if (piece !== undefined) out.push(Buffer.from(piece))
    at = next
  }
  return Buffer.concat(out).toString("utf8")
}

const meterOf = ({ meter }: PassthroughCodec) => ({ ...meter })

describe.each(protocols)("pieces of $name", ({ codec, event }) => {
  it.prop(
    "pass byte for byte and weigh the same however they are written and cut",
    [Texts, Cuts, Schema.Boolean],
    ([texts, cuts, asAscii]) => {
      const events = texts.map((text) => (asAscii ? inAscii(event(text)) : event(text)))
      const usual = events.join("")
      const other = events.map(unusual).join("")
      const [byPattern, byParsing] = [codec(), codec()]
      assert.strictEqual(passed(byPattern, usual, cuts), usual)
      assert.strictEqual(passed(byParsing, other, cuts), other)
      assert.deepStrictEqual(meterOf(byPattern), meterOf(byParsing))
      assert.strictEqual(byPattern.contentSeen, byParsing.contentSeen)
      assert.strictEqual(
        byPattern.contentSeen,
        texts.some((text) => text !== "" || event("").includes("tool_calls"))
      )
      assert.isUndefined(byPattern.failure)
    }
  )

  it("are parsed once, as long as they are alike", () => {
    const parse = vi.spyOn(JSON, "parse")
    onTestFinished(() => parse.mockRestore())
    const stream = event("one").repeat(3)
    assert.strictEqual(passed(codec(), stream, [10_000]), stream)
    assert.strictEqual(parse.mock.calls.length, 1)
  })

  it("are told from an event that only begins like one", () => {
    const whole = event("one")
    for (const broken of [
      whole.replace("}\n\n", "]\n\n"),
      ...["\\u12g4", "\\u123", "\\x"].map((text) => whole.replace("one", text))
    ]) {
      const reader = codec()
      assert.strictEqual(passed(reader, whole + broken + whole, [10_000]), whole)
      assert.isDefined(reader.failure, broken)
    }
  })

  it("may stand around events of other kinds", () => {
    const comment = ": keep-alive\n\n"
    const stream = event("one") + comment + event("two") + comment + comment + event("three")
    assert.strictEqual(passed(codec(), stream, [7]), stream)
    assert.strictEqual(passed(codec(), stream, [10_000]), stream)
  })
})

it.each([1, 0])("a signature stands for thoughts that were not shown (%i shown)", (shown) => {
  const codec = new MessagesPassthrough()
  const signature = messagesThoughtEvent("").replace(
    '"thinking_delta","thinking":""',
    '"signature_delta","signature":"abcd"'
  )
  passed(codec, messagesThoughtEvent("x".repeat(shown)) + messagesThoughtEvent("") + signature, [10_000])
  assert.strictEqual(codec.meter.opaqueCharacters, shown === 1 ? 0 : 4)
})

it("a Responses stream goes on with the number behind that of the last delta", () => {
  const codec = new ResponsesPassthrough()
  const event = responsesEvent("output_text", { content_index: 0 })
  const stream = [8, 9, 10].map((number) => event("text").replace(":7,", `:${number},`)).join("")
  assert.strictEqual(passed(codec, stream, [10_000]), stream)
  assert.strictEqual(codec.nextSequenceNumber, 11)
})
