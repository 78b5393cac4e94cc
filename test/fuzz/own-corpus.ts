/** A request, an answer and a stream of every kind, with as much in it as goes together. */
import type { JsonObject } from "../../src/formats/json/json.ts"
import { chunkFrame, eventFrame } from "../../src/simulator/bedrock/frames.ts"
import type { Corpus } from "./corpus.ts"

const tool = { type: "object", properties: { city: { type: "string" } }, required: ["city"] }
const usage = { input_tokens: 5, output_tokens: 7 }
const chatUsage = { prompt_tokens: 5, completion_tokens: 7, total_tokens: 12 }
const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNsaGioBwAFgwKAJ1YgJQAAAABJRU5ErkJggg=="

export const ownRequests: Corpus["requests"] = {
  messages: [
    {
      model: "claude-sonnet-5",
      max_tokens: 100,
      stream: true,
      system: [{ type: "text", text: "s", cache_control: { type: "ephemeral" } }],
      thinking: { type: "adaptive" },
      stop_sequences: ["x"],
      tools: [{ name: "get_weather", description: "d", input_schema: tool }],
      tool_choice: { type: "tool", name: "get_weather" },
      output_config: { effort: "low", format: { type: "json_schema", schema: tool } },
      messages: [
        {
          role: "user",
          content: [
            { type: "image", source: { type: "base64", media_type: "image/png", data: png } },
            { type: "document", source: { type: "text", media_type: "text/plain", data: "d" }, title: "T" }
          ]
        },
        {
          role: "assistant",
          content: [
            { type: "thinking", thinking: "t", signature: "s" },
            { type: "tool_use", id: "toolu_1", name: "get_weather", input: { city: "x" } }
          ]
        },
        {
          role: "user",
          content: [
            {
              type: "tool_result",
              tool_use_id: "toolu_1",
              is_error: true,
              content: [{ type: "text", text: "r" }]
            }
          ]
        },
        { role: "system", content: "s" },
        { role: "user", content: "Again" }
      ]
    }
  ],
  chat_completions: [
    {
      model: "gpt-5.5",
      stream: true,
      stream_options: { include_usage: true },
      max_tokens: 100,
      max_completion_tokens: 50,
      n: 2,
      stop: ["x"],
      reasoning_effort: "low",
      response_format: { type: "json_schema", json_schema: { name: "n", schema: tool } },
      tools: [{ type: "function", function: { name: "get_weather", parameters: tool } }],
      tool_choice: { type: "function", function: { name: "get_weather" } },
      messages: [
        { role: "developer", content: "d" },
        {
          role: "user",
          content: [
            { type: "text", text: "t" },
            { type: "image_url", image_url: { url: `data:image/png;base64,${png}` } }
          ]
        },
        {
          role: "assistant",
          content: null,
          reasoning_content: "r",
          tool_calls: [
            { id: "call_1", type: "function", function: { name: "get_weather", arguments: '{"city":"x"}' } }
          ]
        },
        { role: "tool", tool_call_id: "call_1", content: "31" },
        { role: "user", content: "Again" }
      ]
    }
  ],
  responses: [
    {
      model: "gpt-5.5",
      stream: true,
      input: [
        { role: "user", content: [{ type: "input_text", text: "t" }] },
        { type: "reasoning", summary: [], encrypted_content: "x" }
      ],
      previous_response_id: "resp_1",
      conversation: { id: "conv_1" },
      max_output_tokens: 100
    }
  ]
}

export const ownAnswers: Corpus["answers"] = {
  messages: [
    {
      id: "msg_1",
      type: "message",
      role: "assistant",
      model: "m",
      stop_reason: "tool_use",
      stop_sequence: null,
      usage,
      content: [
        { type: "thinking", thinking: "t", signature: "s" },
        { type: "text", text: "Hello" },
        { type: "tool_use", id: "toolu_1", name: "f", input: { a: 1 } }
      ]
    }
  ],
  chat_completions: [
    {
      id: "c",
      object: "chat.completion",
      created: 1,
      model: "m",
      usage: chatUsage,
      choices: [
        {
          index: 0,
          finish_reason: "tool_calls",
          message: {
            role: "assistant",
            content: "Hello",
            reasoning_content: "r",
            refusal: null,
            tool_calls: [{ id: "call_1", type: "function", function: { name: "f", arguments: "{}" } }]
          }
        }
      ]
    }
  ],
  responses: [
    {
      id: "resp_1",
      object: "response",
      status: "completed",
      store: true,
      usage,
      output: [
        { type: "message", content: [{ type: "output_text", text: "Hello" }] },
        { type: "function_call", name: "f", arguments: "{}" }
      ]
    }
  ],
  converse: [
    {
      output: {
        message: {
          role: "assistant",
          content: [
            { reasoningContent: { reasoningText: { text: "t", signature: "s" } } },
            { text: "Hello" },
            { toolUse: { toolUseId: "t1", name: "f", input: { a: 1 } } }
          ]
        }
      },
      stopReason: "tool_use",
      usage: { inputTokens: 5, outputTokens: 7, totalTokens: 12 }
    }
  ],
  invoke: []
}

const sse = (events: ReadonlyArray<JsonObject | string>): Buffer =>
  Buffer.from(
    events
      .map((event) =>
        typeof event === "string"
          ? `data: ${event}\n\n`
          : `${typeof event["type"] === "string" ? `event: ${event["type"]}\n` : ""}data: ${JSON.stringify(event)}\n\n`
      )
      .join("")
  )

const messagesEvents: ReadonlyArray<JsonObject> = [
  { type: "message_start", message: { ...ownAnswers.messages[0], content: [], stop_reason: null } },
  { type: "ping" },
  { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
  { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Hello" } },
  { type: "content_block_stop", index: 0 },
  {
    type: "content_block_start",
    index: 1,
    content_block: { type: "tool_use", id: "toolu_1", name: "f", input: {} }
  },
  { type: "content_block_delta", index: 1, delta: { type: "input_json_delta", partial_json: '{"a":1}' } },
  { type: "content_block_stop", index: 1 },
  { type: "message_delta", delta: { stop_reason: "tool_use", stop_sequence: null }, usage },
  { type: "message_stop" }
]
const chunk = (delta: JsonObject, finish: string | null = null): JsonObject => ({
  id: "c",
  object: "chat.completion.chunk",
  created: 1,
  model: "m",
  choices: [{ index: 0, delta, finish_reason: finish }]
})

export const ownStreams: Corpus["streams"] = {
  messages: [sse(messagesEvents)],
  chat_completions: [
    sse([
      chunk({ role: "assistant", content: "" }),
      chunk({ reasoning_content: "r" }),
      chunk({ content: "Hello" }),
      chunk({
        tool_calls: [{ index: 0, id: "call_1", type: "function", function: { name: "f", arguments: "" } }]
      }),
      chunk({ tool_calls: [{ index: 0, function: { arguments: '{"a":1}' } }] }),
      chunk({}, "tool_calls"),
      { id: "c", choices: [], usage: chatUsage },
      "[DONE]"
    ])
  ],
  responses: [
    sse([
      { type: "response.created", sequence_number: 0, response: { id: "resp_1" } },
      { type: "response.output_text.delta", sequence_number: 1, delta: "Hello" },
      { type: "response.completed", sequence_number: 2, response: ownAnswers.responses[0]! }
    ])
  ],
  converse: [
    Buffer.concat(
      (
        [
          ["messageStart", { role: "assistant" }],
          ["contentBlockDelta", { contentBlockIndex: 0, delta: { text: "Hello" } }],
          ["contentBlockStop", { contentBlockIndex: 0 }],
          ["contentBlockStart", { contentBlockIndex: 1, start: { toolUse: { toolUseId: "t1", name: "f" } } }],
          ["contentBlockDelta", { contentBlockIndex: 1, delta: { toolUse: { input: '{"a":1}' } } }],
          ["contentBlockStop", { contentBlockIndex: 1 }],
          ["messageStop", { stopReason: "tool_use" }],
          ["metadata", { usage: { inputTokens: 5, outputTokens: 7, totalTokens: 12 } }]
        ] as const
      ).map(([type, event]) => eventFrame(type, JSON.stringify(event)))
    )
  ],
  invoke: [Buffer.concat(messagesEvents.map((event) => chunkFrame(JSON.stringify(event))))]
}
