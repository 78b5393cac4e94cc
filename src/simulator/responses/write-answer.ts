/** A turn as the Responses protocol writes it: an object, or the numbered events that build it. */
import type { Json, JsonObject } from "../../formats/json/json.ts"
import { storedId } from "../make-id.ts"
import { encrypt, type Outcome } from "./encrypted-content.ts"
import { firstPieces, joinPieces, type Pieces } from "../turn/vocabulary.ts"
import type { ToolCall, Turn, TurnUsage } from "../turn/Turn.ts"
import { refusalText, refusalWords } from "../openai/words.ts"
import { secondsNow } from "../openai/openai.ts"

/** A response in the making. */
export interface Draft {
  readonly id: string
  readonly created: number
  readonly request: JsonObject
  readonly model: string
  readonly turn: Turn
  /** The account whose reasoning is told encrypted, too. */
  readonly encryptsFor: string | undefined
}

export const responseObject = (
  draft: Draft,
  status: string,
  output: ReadonlyArray<JsonObject>,
  error: JsonObject | null = null
) => {
  const { id, created, request, model, turn } = draft
  const done = status !== "in_progress"
  return {
    id,
    object: "response",
    created_at: created,
    status,
    background: false,
    completed_at: status === "completed" ? secondsNow() : null,
    error,
    incomplete_details: status === "incomplete" ? { reason: "max_output_tokens" } : null,
    instructions: request["instructions"] ?? null,
    max_output_tokens: request["max_output_tokens"] ?? null,
    max_tool_calls: null,
    model,
    output,
    parallel_tool_calls: request["parallel_tool_calls"] ?? true,
    previous_response_id: request["previous_response_id"] ?? null,
    prompt_cache_key: request["prompt_cache_key"] ?? null,
    reasoning: request["reasoning"] ?? { effort: null, summary: null },
    safety_identifier: null,
    service_tier: done ? "default" : "auto",
    store: request["store"] ?? true,
    temperature: request["temperature"] ?? 1,
    text: request["text"] ?? { format: { type: "text" }, verbosity: "medium" },
    tool_choice: request["tool_choice"] ?? "auto",
    tools: request["tools"] ?? [],
    top_logprobs: 0,
    top_p: request["top_p"] ?? 1,
    truncation: "disabled",
    usage: done && error === null ? usageOf(turn.usage) : null,
    user: null,
    metadata: request["metadata"] ?? {},
    ...(request["conversation"] == null ? {} : { conversation: conversationOf(request["conversation"]) })
  }
}

const conversationOf = (conversation: Json) =>
  typeof conversation === "string" ? { id: conversation } : conversation

const usageOf = (usage: TurnUsage | undefined) => {
  if (usage === undefined) return null
  const input = usage.input + usage.cacheRead + usage.cacheWrite
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: usage.cacheRead, cache_write_tokens: usage.cacheWrite },
    output_tokens: usage.output,
    output_tokens_details: { reasoning_tokens: usage.reasoning },
    total_tokens: input + usage.output
  }
}

export const finalStatus = ({ stop }: Turn): "completed" | "incomplete" =>
  stop === "length" ? "incomplete" : "completed"

/** An item of the output, as it begins and as it is at its end, and how it comes about. */
export interface OutputItem {
  readonly started: JsonObject
  readonly finished: JsonObject
  /** The events between `output_item.added` and `output_item.done`. */
  readonly events: () => Generator<JsonObject>
}

/** When it `streams`, the events alone tell a text whose size alone matters. */
export const outputItems = (draft: Draft, streams: boolean): ReadonlyArray<OutputItem> => {
  const { turn } = draft
  return [
    ...(turn.thinking === undefined ? [] : [reasoningItem(turn.thinking.pieces, draft)]),
    ...(turn.stop === "refusal"
      ? [refusalItem()]
      : speaks(turn)
        ? [textItem(turn.text, finalStatus(turn), streams && turn.text.tokensPerPiece !== 1)]
        : []),
    ...turn.calls.map(callItem)
  ]
}

const speaks = ({ calls, text }: Turn): boolean => text.count > 0 || calls.length === 0

const outcomeOf = (turn: Turn): Outcome =>
  turn.stop === "refusal" || turn.text.count > 0 ? "message" : turn.calls[0]?.id

const reasoningItem = (pieces: Pieces, { encryptsFor, turn }: Draft): OutputItem => {
  const id = storedId("rs")
  const extra =
    encryptsFor === undefined ? {} : { encrypted_content: encrypt(encryptsFor, id, outcomeOf(turn)) }
  const whole = () => ({ type: "summary_text", text: joinPieces(pieces) })
  return {
    started: { id, type: "reasoning", ...extra, summary: [] },
    finished: { id, type: "reasoning", ...extra, summary: [whole()] },
    *events() {
      const at = { item_id: id, summary_index: 0 }
      yield { type: "response.reasoning_summary_part.added", ...at, part: { type: "summary_text", text: "" } }
      for (let index = 0; index < pieces.count; index++)
        yield { type: "response.reasoning_summary_text.delta", ...at, delta: pieces.at(index) }
      yield { type: "response.reasoning_summary_text.done", ...at, text: whole().text }
      yield { type: "response.reasoning_summary_part.done", ...at, part: whole() }
    }
  }
}

const textItem = (pieces: Pieces, status: string, isCut: boolean): OutputItem => {
  const id = storedId("msg")
  // Gathered, the text of a stream would be held several times over.
  const text = () => joinPieces(isCut ? firstPieces(pieces, 1) : pieces)
  const whole = () => ({ type: "output_text", annotations: [], logprobs: [], text: text() })
  return {
    started: { id, type: "message", status: "in_progress", content: [], role: "assistant" },
    get finished() {
      return { id, type: "message", status, content: [whole()], role: "assistant" }
    },
    *events() {
      const at = { item_id: id, content_index: 0 }
      yield {
        type: "response.content_part.added",
        ...at,
        part: { type: "output_text", annotations: [], logprobs: [], text: "" }
      }
      for (let index = 0; index < pieces.count; index++)
        yield { type: "response.output_text.delta", ...at, delta: pieces.at(index), logprobs: [] }
      yield { type: "response.output_text.done", ...at, text: whole().text, logprobs: [] }
      yield { type: "response.content_part.done", ...at, part: whole() }
    }
  }
}

const refusalItem = (): OutputItem => {
  const id = storedId("msg")
  const part = { type: "refusal", refusal: refusalText }
  return {
    started: { id, type: "message", status: "in_progress", content: [], role: "assistant" },
    finished: { id, type: "message", status: "completed", content: [part], role: "assistant" },
    *events() {
      const at = { item_id: id, content_index: 0 }
      yield { type: "response.content_part.added", ...at, part: { type: "refusal", refusal: "" } }
      for (const word of refusalWords) yield { type: "response.refusal.delta", ...at, delta: word }
      yield { type: "response.refusal.done", ...at, refusal: refusalText }
      yield { type: "response.content_part.done", ...at, part }
    }
  }
}

/** How the two kinds of calls differ. */
const callForms = {
  function: { idPrefix: "fc", type: "function_call", input: "arguments", event: "function_call_arguments" },
  custom: { idPrefix: "ctc", type: "custom_tool_call", input: "input", event: "custom_tool_call_input" }
} as const

const callItem = (call: ToolCall): OutputItem => {
  const { event, idPrefix, input, type } = callForms[call.isCustom ? "custom" : "function"]
  const id = storedId(idPrefix)
  const item = { id, type, call_id: call.id, name: call.name }
  const whole = joinPieces(call.arguments)
  return {
    started: { ...item, status: "in_progress", [input]: "" },
    finished: { ...item, status: "completed", [input]: whole },
    *events() {
      for (let index = 0; index < call.arguments.count; index++)
        yield { type: `response.${event}.delta`, item_id: id, delta: call.arguments.at(index) }
      yield { type: `response.${event}.done`, item_id: id, [input]: whole }
    }
  }
}
