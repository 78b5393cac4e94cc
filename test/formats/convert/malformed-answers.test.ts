/** Whatever stands where something else belongs, answers are converted, or are failures. */
import { assert, describe, it } from "@effect/vitest"
import { pairs } from "../../../src/formats/pairs.ts"
import { chatResponseToMessages } from "../../../src/formats/convert/chat-to-messages/answer.ts"
import { messagesResponseToChat } from "../../../src/formats/convert/messages-to-chat/answer.ts"
import { nestedTooDeeply } from "../../../src/formats/json/nesting.ts"
import type { Json, JsonObject } from "../../../src/formats/json/json.ts"
import type { StreamCodec } from "../../../src/formats/stream/stream-codec.ts"
import { contextFor } from "../../wire/models.ts"
import { bodiesOf, mutations } from "./mutations.ts"

const chatChunk: JsonObject = {
  choices: [
    {
      index: 0,
      finish_reason: "stop",
      delta: {
        content: [{ type: "thinking", thinking: [{ text: "x" }] }],
        reasoning_content: "h",
        refusal: "r",
        tool_calls: [
          {
            index: 0,
            id: "a",
            extra_content: { google: { thought_signature: "s" } },
            function: { name: "f", arguments: "{}" }
          }
        ],
        function_call: { name: "f", arguments: "{}" }
      }
    }
  ],
  usage: {
    prompt_tokens: 1,
    completion_tokens: 1,
    total_tokens: 2,
    prompt_tokens_details: { cached_tokens: 1 }
  }
}

const messagesEvents: ReadonlyArray<JsonObject> = [
  { type: "message_start", message: { usage: { input_tokens: 1, output_tokens: 1 } } },
  {
    type: "content_block_start",
    index: 0,
    content_block: { type: "tool_use", id: "t", name: "f", input: { a: 1 } }
  },
  { type: "content_block_delta", index: 0, delta: { type: "input_json_delta", partial_json: "{}" } },
  { type: "content_block_delta", index: 0, delta: { type: "thinking_delta", thinking: "h" } },
  { type: "content_block_delta", index: 0, delta: { type: "signature_delta", signature: "h" } },
  { type: "content_block_stop", index: 0 },
  {
    type: "message_delta",
    delta: { stop_reason: "end_turn", stop_details: { explanation: "x" } },
    usage: { output_tokens: 1 }
  },
  { type: "error", error: { type: "overloaded_error", message: "x" } },
  { type: "message_stop" }
]

describe("malformed answers", () => {
  const endsSomehow = (codec: StreamCodec, events: ReadonlyArray<Json>) => {
    for (const event of events) codec.push(Buffer.from(`data: ${JSON.stringify(event)}\n\n`))
    codec.end()
    assert.isTrue(codec.finished !== (codec.failure !== undefined))
  }
  // What is too deep to be written here is sent as text below.
  const writable = (value: Json | undefined): value is Json => value !== undefined && !nestedTooDeeply(value)

  it("a chat stream with anything anywhere ends or fails", () => {
    for (const mutated of [...mutations(chatChunk)].filter(writable)) {
      endsSomehow(pairs.messages.chat_completions.stream(contextFor()), [chatChunk, mutated, chatChunk])
    }
  })

  it("a Messages stream with anything anywhere ends or fails", () => {
    for (const [index, event] of messagesEvents.entries()) {
      for (const mutated of [...mutations(event)].filter(writable)) {
        endsSomehow(
          pairs.chat_completions.messages.stream(contextFor()),
          messagesEvents.with(index, mutated as JsonObject)
        )
      }
    }
  })

  it("an event of 10,000 levels harms nothing", () => {
    const levels = "[".repeat(10_000) + "]".repeat(10_000)
    const input = `{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"t","name":"f","input":{"a":${levels}}}}`
    const redacted = `{"type":"content_block_start","index":0,"content_block":{"type":"redacted_thinking","data":"d","x":${levels}}}`
    for (const text of [
      input,
      redacted,
      `{"type":"content_block_stop","index":0}`,
      `{"choices":${levels}}`,
      `{"error":${levels}}`
    ]) {
      for (const codec of [
        pairs.messages.chat_completions.stream(contextFor()),
        pairs.chat_completions.messages.stream(contextFor())
      ]) {
        codec.push(
          Buffer.from(`data: ${input}\n\ndata: ${text}\n\ndata: {"type":"content_block_stop","index":0}\n\n`)
        )
        codec.end()
        assert.isDefined(codec.failure)
      }
    }
  })

  it("whole answers with anything anywhere are converted or are failures", () => {
    const chat = {
      choices: [
        {
          ...(chatChunk.choices as ReadonlyArray<JsonObject>)[0],
          message: (chatChunk.choices as ReadonlyArray<JsonObject>)[0]!.delta!
        }
      ]
    }
    const messages = {
      content: [
        { type: "text", text: "t" },
        { type: "thinking", thinking: "h", signature: "s", x: 1 },
        { type: "redacted_thinking", data: "d", x: 1 },
        { type: "tool_use", id: "t", name: "f", input: {} }
      ],
      stop_reason: "tool_use",
      stop_details: { explanation: "x" },
      usage: { input_tokens: 1, output_tokens: 1 }
    }
    for (const body of bodiesOf(chat))
      assert.isString(JSON.stringify(chatResponseToMessages(body, contextFor())))
    for (const body of bodiesOf(messages)) {
      assert.isString(JSON.stringify(messagesResponseToChat(body, contextFor())))
    }
  })
})
