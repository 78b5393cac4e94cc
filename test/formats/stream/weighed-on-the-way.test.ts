/**
 * What a stream holds is weighed as it comes, whichever way it takes: whoever leaves it before its provider has counted is
 * charged by that, and only once there was content.
 */
import { assert, describe, it } from "@effect/vitest"
import { pairs } from "../../../src/formats/pairs.ts"
import type { StreamCodec } from "../../../src/formats/stream/stream-codec.ts"
import { converseFrame, invokeFrame } from "../../wire/aws-frames.ts"
import { context } from "../bedrock-fixtures.ts"

const named = (type: string, more: object = {}): Buffer =>
  Buffer.from(`event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`)
const chunk = (delta: object, finish: string | null = null, more: object = {}): Buffer =>
  Buffer.from(
    `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }], ...more })}\n\n`
  )

type Frames = ReadonlyArray<Buffer>
interface Spoken {
  readonly begin: Frames
  readonly text: Frames
  readonly thought: Frames
  /** A call of `get_weather` with `{"city":"Hanoi"}` in two pieces. */
  readonly call: Frames
  /** Thoughts of 300 characters that nobody is shown. */
  readonly hidden: Frames
  /** An end whose output is -1. */
  readonly nonsense: Frames
}

const pieces = [`{"city":`, `"Hanoi"}`]
const secret = "e".repeat(300)

const block = (index: number, start: object, ...deltas: ReadonlyArray<object>) => [
  { type: "content_block_start", index, content_block: start },
  ...deltas.map((delta) => ({ type: "content_block_delta", index, delta }))
]
const messages = {
  begin: [{ type: "message_start", message: { id: "m", usage: { input_tokens: 5, output_tokens: 0 } } }],
  text: block(0, { type: "text", text: "" }, { type: "text_delta", text: "one two" }),
  thought: block(0, { type: "thinking", thinking: "" }, { type: "thinking_delta", thinking: "one two" }),
  call: block(
    0,
    { type: "tool_use", id: "toolu_1", name: "get_weather", input: {} },
    ...pieces.map((partial_json) => ({ type: "input_json_delta", partial_json }))
  ),
  hidden: block(0, { type: "redacted_thinking", data: secret }),
  nonsense: [
    { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: -1 } },
    { type: "message_stop" }
  ]
}
const ofMessages = (frame: (event: { readonly type: string }) => Buffer): Spoken => ({
  begin: messages.begin.map(frame),
  text: messages.text.map(frame),
  thought: messages.thought.map(frame),
  call: messages.call.map(frame),
  hidden: messages.hidden.map(frame),
  nonsense: messages.nonsense.map(frame)
})

const called = (more: object) => chunk({ tool_calls: [{ index: 0, ...more }] })
const chat: Spoken = {
  begin: [chunk({ role: "assistant", content: "" })],
  text: [chunk({ content: "one two" })],
  thought: [chunk({ reasoning_content: "one two" })],
  call: [
    called({ id: "call_1", type: "function", function: { name: "get_weather", arguments: "" } }),
    ...pieces.map((text) => called({ function: { arguments: text } }))
  ],
  hidden: [],
  nonsense: [
    chunk({}, "stop", { usage: { prompt_tokens: 5, completion_tokens: -1 } }),
    Buffer.from("data: [DONE]\n\n")
  ]
}

const at = { output_index: 0, content_index: 0 }
const added = (item: object) => named("response.output_item.added", { ...at, item: { id: "i", ...item } })
const responses: Spoken = {
  begin: [named("response.created", { response: { id: "r" } })],
  text: [
    added({ type: "message", content: [] }),
    named("response.output_text.delta", { ...at, item_id: "i", delta: "one two" })
  ],
  thought: [
    added({ type: "reasoning", summary: [] }),
    named("response.reasoning_summary_text.delta", {
      output_index: 0,
      item_id: "i",
      summary_index: 0,
      delta: "one two"
    })
  ],
  call: [
    added({ type: "function_call", call_id: "c", name: "get_weather", arguments: "" }),
    ...pieces.map((delta) =>
      named("response.function_call_arguments.delta", { output_index: 0, item_id: "i", delta })
    )
  ],
  hidden: [
    added({ type: "reasoning", summary: [] }),
    named("response.output_item.done", {
      output_index: 0,
      item: { id: "i", type: "reasoning", summary: [], encrypted_content: secret }
    })
  ],
  nonsense: [
    named("response.completed", {
      response: {
        id: "r",
        status: "completed",
        output: [],
        usage: { input_tokens: 5, output_tokens: -1 }
      }
    })
  ]
}

const delta = (more: object) => converseFrame("contentBlockDelta", { contentBlockIndex: 0, delta: more })
const converse: Spoken = {
  begin: [converseFrame("messageStart", { role: "assistant" })],
  text: [delta({ text: "one two" })],
  thought: [delta({ reasoningContent: { text: "one two" } })],
  call: [
    converseFrame("contentBlockStart", {
      contentBlockIndex: 0,
      start: { toolUse: { toolUseId: "t", name: "get_weather" } }
    }),
    ...pieces.map((input) => delta({ toolUse: { input } }))
  ],
  hidden: [delta({ reasoningContent: { redactedContent: secret } })],
  nonsense: [
    converseFrame("messageStop", { stopReason: "end_turn" }),
    converseFrame("metadata", { usage: { inputTokens: 5, outputTokens: -1 } })
  ]
}

const spoken: Readonly<Record<string, Spoken>> = {
  messages: ofMessages((event) => named(event.type, event)),
  invoke: ofMessages((event) => invokeFrame(JSON.stringify(event))),
  chat_completions: chat,
  responses,
  converse
}

const ways = Object.entries(pairs).flatMap(([endpoint, rows]) =>
  Object.entries(rows).map(([protocol, { stream }]) => ({
    endpoint,
    protocol,
    codec: (): StreamCodec => stream({ ...context, includeUsage: true }),
    frames: spoken[protocol]!
  }))
)

const fed = (codec: StreamCodec, ...frames: ReadonlyArray<Frames>): StreamCodec => {
  for (const frame of frames.flat()) codec.push(frame)
  return codec
}

describe.each(ways)("a stream of $protocol for $endpoint", ({ codec, frames, endpoint }) => {
  const weighed = (...parts: ReadonlyArray<Frames>) => {
    const { contentSeen, meter } = fed(codec(), frames.begin, ...parts)
    return { contentSeen, events: meter.events, toolCalls: meter.toolCalls }
  }

  it("has no content before it says something", () => {
    assert.deepStrictEqual(weighed(), { contentSeen: false, events: 0, toolCalls: 0 })
  })

  it("is weighed by its text", () => {
    assert.deepStrictEqual(weighed(frames.text), { contentSeen: true, events: 1, toolCalls: 0 })
  })

  it("is weighed by its thoughts", () => {
    assert.deepInclude(weighed(frames.thought), { contentSeen: true, events: 1, toolCalls: 0 })
  })

  it("is weighed by a call, with its name and its arguments", () => {
    assert.deepStrictEqual(weighed(frames.call), { contentSeen: true, events: 3, toolCalls: 1 })
  })

  it("is weighed by thoughts that nobody is shown", () => {
    if (frames.hidden.length === 0) return
    assert.strictEqual(fed(codec(), frames.begin, frames.hidden).meter.opaqueCharacters, 300)
  })

  it("knows a count that is none", () => {
    const ended = fed(codec(), frames.begin, frames.text, frames.nonsense)
    assert.isTrue(ended.usageIsNonsense, endpoint)
    assert.isNotTrue(fed(codec(), frames.begin, frames.text).usageIsNonsense)
  })
})
