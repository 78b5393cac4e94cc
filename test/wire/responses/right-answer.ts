/** A right answer of each protocol: "pong" where no tool is called; ten tokens in, five out. */
import type { JsonObject } from "../../../src/formats/json/json.ts"
import type { ScriptedAnswer } from "./case.ts"
import type { UpstreamProtocol } from "./protocols.ts"

export interface RightCall {
  readonly id: string
  readonly name: string
  readonly input: JsonObject
}

type Calls = ReadonlyArray<RightCall>

export const rightAnswer = (protocol: UpstreamProtocol, streamed: boolean, calls: Calls): ScriptedAnswer => {
  switch (protocol) {
    case "messages":
      return streamed ? { messages: messagesEvents(calls) } : { body: message(calls) }
    case "invoke":
      return streamed ? { invoke: messagesEvents(calls) } : { body: message(calls) }
    case "chat":
      return streamed ? { chunks: chatChunks(calls) } : { body: completion(calls) }
    case "converse":
      return streamed ? { converse: converseEvents(calls) } : { body: conversed(calls) }
    case "responses":
      return streamed ? { responses: responsesEvents(calls) } : { body: response("completed", items(calls)) }
  }
}

const content = (calls: Calls): ReadonlyArray<JsonObject> =>
  calls.length === 0 ? [{ type: "text", text: "pong" }] : calls.map((call) => ({ type: "tool_use", ...call }))

const message = (calls: Calls): JsonObject => ({
  id: "msg_right",
  type: "message",
  role: "assistant",
  model: "m",
  content: content(calls),
  stop_reason: calls.length === 0 ? "end_turn" : "tool_use",
  stop_sequence: null,
  usage: { input_tokens: 10, output_tokens: 5 }
})

const messagesEvents = (calls: Calls): ReadonlyArray<JsonObject> => {
  const whole = message(calls)
  const blocks = content(calls).flatMap((block, index) => {
    const isText = block.type === "text"
    const start = isText ? { type: "text", text: "" } : { ...block, input: {} }
    const delta = isText
      ? { type: "text_delta", text: block.text ?? null }
      : { type: "input_json_delta", partial_json: JSON.stringify(block.input) }
    return [
      { type: "content_block_start", index, content_block: start },
      { type: "content_block_delta", index, delta },
      { type: "content_block_stop", index }
    ]
  })
  return [
    {
      type: "message_start",
      message: { ...whole, content: [], stop_reason: null, usage: { input_tokens: 10, output_tokens: 1 } }
    },
    ...blocks,
    {
      type: "message_delta",
      delta: { stop_reason: whole.stop_reason ?? null, stop_sequence: null },
      usage: { output_tokens: 5 }
    },
    { type: "message_stop" }
  ]
}

const shell = (object: string): JsonObject => ({
  id: "chatcmpl-right",
  object,
  created: 1760000000,
  model: "m"
})
const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 }

const toolCalls = (calls: Calls): ReadonlyArray<JsonObject> =>
  calls.map(({ id, input, name }, index) => ({
    index,
    id,
    type: "function",
    function: { name, arguments: JSON.stringify(input) }
  }))

const said = (calls: Calls): JsonObject => ({
  role: "assistant",
  content: calls.length === 0 ? "pong" : null,
  ...(calls.length > 0 && { tool_calls: toolCalls(calls) })
})

const finish = (calls: Calls): string => (calls.length === 0 ? "stop" : "tool_calls")

const completion = (calls: Calls): JsonObject => ({
  ...shell("chat.completion"),
  choices: [{ index: 0, message: said(calls), logprobs: null, finish_reason: finish(calls) }],
  usage
})

const chatChunks = (calls: Calls): ReadonlyArray<JsonObject> => [
  { ...shell("chat.completion.chunk"), choices: [{ index: 0, delta: said(calls), finish_reason: null }] },
  { ...shell("chat.completion.chunk"), choices: [{ index: 0, delta: {}, finish_reason: finish(calls) }] },
  { ...shell("chat.completion.chunk"), choices: [], usage }
]

const bedrockUsage = { inputTokens: 10, outputTokens: 5, totalTokens: 15 }
const stopReason = (calls: Calls): string => (calls.length === 0 ? "end_turn" : "tool_use")

const conversed = (calls: Calls): JsonObject => ({
  output: {
    message: {
      role: "assistant",
      content:
        calls.length === 0
          ? [{ text: "pong" }]
          : calls.map(({ id, input, name }) => ({ toolUse: { toolUseId: id, name, input } }))
    }
  },
  stopReason: stopReason(calls),
  usage: bedrockUsage,
  metrics: { latencyMs: 5 }
})

const converseEvents = (calls: Calls): NonNullable<ScriptedAnswer["converse"]> => [
  ["messageStart", { role: "assistant" }],
  ...(calls.length === 0
    ? [
        ["contentBlockDelta", { contentBlockIndex: 0, delta: { text: "pong" } }] as const,
        ["contentBlockStop", { contentBlockIndex: 0 }] as const
      ]
    : calls.flatMap(({ id, input, name }, contentBlockIndex) => [
        ["contentBlockStart", { contentBlockIndex, start: { toolUse: { toolUseId: id, name } } }] as const,
        [
          "contentBlockDelta",
          { contentBlockIndex, delta: { toolUse: { input: JSON.stringify(input) } } }
        ] as const,
        ["contentBlockStop", { contentBlockIndex }] as const
      ])),
  ["messageStop", { stopReason: stopReason(calls) }],
  ["metadata", { usage: bedrockUsage, metrics: { latencyMs: 5 } }]
]

const items = (calls: Calls): ReadonlyArray<JsonObject> =>
  calls.length === 0
    ? [{ id: "msg_r", type: "message", status: "completed", role: "assistant", content: [part("pong")] }]
    : calls.map(({ id, input, name }) => ({
        id: `fc_${id}`,
        type: "function_call",
        status: "completed",
        call_id: id,
        name,
        arguments: JSON.stringify(input)
      }))

const part = (text: string): JsonObject => ({ type: "output_text", annotations: [], logprobs: [], text })

const response = (status: string, output: ReadonlyArray<JsonObject>): JsonObject => ({
  id: "resp_right",
  object: "response",
  created_at: 1760000000,
  status,
  error: null,
  incomplete_details: null,
  model: "m",
  output,
  usage:
    status === "in_progress"
      ? null
      : {
          input_tokens: 10,
          input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
          output_tokens: 5,
          output_tokens_details: { reasoning_tokens: 0 },
          total_tokens: 15
        }
})

const responsesEvents = (calls: Calls): ReadonlyArray<JsonObject> => [
  { type: "response.created", response: response("in_progress", []) },
  { type: "response.in_progress", response: response("in_progress", []) },
  ...items(calls).flatMap((item, index) => itemEvents(item, index)),
  { type: "response.completed", response: response("completed", items(calls)) }
]

const itemEvents = (item: JsonObject, index: number): ReadonlyArray<JsonObject> => {
  const at = { output_index: index, item_id: item.id ?? null }
  const inPart = { ...at, content_index: 0 }
  const isText = item.type === "message"
  const begun = isText ? { content: [] } : { arguments: "" }
  return [
    {
      type: "response.output_item.added",
      output_index: index,
      item: { ...item, ...begun, status: "in_progress" }
    },
    ...(isText
      ? [
          { type: "response.content_part.added", ...inPart, part: part("") },
          { type: "response.output_text.delta", ...inPart, delta: "pong", logprobs: [] },
          { type: "response.output_text.done", ...inPart, text: "pong", logprobs: [] },
          { type: "response.content_part.done", ...inPart, part: part("pong") }
        ]
      : [
          { type: "response.function_call_arguments.delta", ...at, delta: item.arguments ?? "" },
          { type: "response.function_call_arguments.done", ...at, arguments: item.arguments ?? "" }
        ]),
    { type: "response.output_item.done", output_index: index, item }
  ]
}
