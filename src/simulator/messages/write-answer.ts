/** A turn as the Messages protocol writes it: one body, or the events of a stream. */
import type { JsonObject } from "../../formats/json/json.ts"
import { parseArguments } from "../turn/parse-arguments.ts"
import { joinPieces, type Pieces } from "../turn/vocabulary.ts"
import type { Stop, Turn, TurnUsage } from "../turn/Turn.ts"

interface Identity {
  readonly id: string
  readonly model: string
}

/** What an event is called, and its JSON. */
export type Event = readonly [name: string, json: string]

const stopReasons: Readonly<Record<Stop, string>> = {
  end: "end_turn",
  length: "max_tokens",
  stop_sequence: "stop_sequence",
  tool_use: "tool_use",
  refusal: "refusal"
}

const refusalDetails = {
  type: "refusal",
  category: "cyber",
  explanation: "This request triggered restrictions and was blocked under the usage policy."
}

export const writeBody = ({ id, model }: Identity, turn: Turn): string =>
  JSON.stringify({
    model,
    id,
    type: "message",
    role: "assistant",
    content: contentOf(turn),
    ...ending(turn),
    usage: fullUsage(turn.usage, turn.usage?.output)
  })

export const contentOf = (turn: Turn): ReadonlyArray<JsonObject> => [
  ...thinkingBlocks(turn),
  ...textBlocks(turn),
  ...toolBlocks(turn)
]

const thinkingBlocks = ({ thinking }: Turn) => {
  if (thinking === undefined) return []
  return thinking.redacted === undefined
    ? [{ type: "thinking", thinking: joinPieces(thinking.pieces), signature: thinking.signature }]
    : [{ type: "redacted_thinking", data: thinking.redacted }]
}

const textBlocks = ({ text }: Turn) => (text.count === 0 ? [] : [{ type: "text", text: joinPieces(text) }])

const toolBlocks = ({ calls }: Turn) =>
  calls.map((call) => ({
    type: "tool_use",
    id: call.id,
    name: call.name,
    input: parseArguments(call)
  }))

const ending = ({ stop, stopSequence }: Turn) => ({
  stop_reason: stopReasons[stop],
  stop_sequence: stopSequence ?? null,
  ...(stop === "refusal" ? { stop_details: refusalDetails } : {})
})

const inputUsage = (usage: TurnUsage) => ({
  input_tokens: usage.input,
  cache_creation_input_tokens: usage.cacheWrite,
  cache_read_input_tokens: usage.cacheRead
})

const fullUsage = (usage: TurnUsage | undefined, output: number | undefined) =>
  usage && {
    ...inputUsage(usage),
    cache_creation: { ephemeral_5m_input_tokens: usage.cacheWrite, ephemeral_1h_input_tokens: 0 },
    output_tokens: output,
    service_tier: "standard"
  }

const ping: Event = ["ping", '{"type": "ping"}']

export function* writeEvents({ id, model }: Identity, turn: Turn): Generator<Event> {
  const message = {
    model,
    id,
    type: "message",
    role: "assistant",
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: fullUsage(turn.usage, 1)
  }
  yield ["message_start", JSON.stringify({ type: "message_start", message })]
  yield ping
  let index = 0
  const { thinking } = turn
  if (thinking?.redacted !== undefined) {
    yield* block(index++, { type: "redacted_thinking", data: thinking.redacted })
  } else if (thinking !== undefined) {
    const start = { type: "thinking", thinking: "", signature: "" }
    yield* block(index++, start, "thinking", thinking.pieces, thinking.signature)
  }
  if (turn.text.count > 0) yield* block(index++, { type: "text", text: "" }, "text", turn.text)
  for (const call of turn.calls)
    yield* block(
      index++,
      { type: "tool_use", id: call.id, name: call.name, input: {} },
      "tool",
      call.arguments
    )
  yield [
    "message_delta",
    JSON.stringify({
      type: "message_delta",
      delta: ending(turn),
      ...(turn.usage && { usage: { ...inputUsage(turn.usage), output_tokens: turn.usage.output } })
    })
  ]
  yield ["message_stop", '{"type":"message_stop"}']
}

const deltaFields = {
  text: '"delta":{"type":"text_delta","text":',
  thinking: '"delta":{"type":"thinking_delta","thinking":',
  tool: '"delta":{"type":"input_json_delta","partial_json":'
}

function* block(
  index: number,
  start: object,
  kind?: keyof typeof deltaFields,
  pieces?: Pieces,
  signature?: string
): Generator<Event> {
  yield [
    "content_block_start",
    `{"type":"content_block_start","index":${index},"content_block":${JSON.stringify(start)}}`
  ]
  if (kind !== undefined && pieces !== undefined) {
    const opening = `{"type":"content_block_delta","index":${index},${deltaFields[kind]}`
    if (kind === "tool") yield ["content_block_delta", `${opening}""}}`]
    for (let at = 0; at < pieces.count; at++)
      yield ["content_block_delta", `${opening}${JSON.stringify(pieces.at(at))}}}`]
  }
  if (signature !== undefined)
    yield [
      "content_block_delta",
      `{"type":"content_block_delta","index":${index},"delta":{"type":"signature_delta","signature":"${signature}"}}`
    ]
  yield ["content_block_stop", `{"type":"content_block_stop","index":${index}}`]
}
