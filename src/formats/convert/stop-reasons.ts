/** Why an answer ended, in the words of each protocol. */
import { googleReason } from "../chat/broken-finish.ts"
import type { Json } from "../json/json.ts"

export type MessagesStopReason =
  | "end_turn"
  | "max_tokens"
  | "stop_sequence"
  | "tool_use"
  | "refusal"
  | "model_context_window_exceeded"

export type ChatFinishReason = "stop" | "length" | "tool_calls" | "content_filter"

/** Beside the words of chat providers those of Claude, Gemini and Bedrock, which gateways in front of them may leave as they are. */
const fromChat: ReadonlyMap<Json | undefined, MessagesStopReason> = new Map<string, MessagesStopReason>([
  ["length", "max_tokens"],
  ["model_length", "max_tokens"],
  ["max_tokens", "max_tokens"],
  ["content_filter", "refusal"],
  ["sensitive", "refusal"],
  ["refusal", "refusal"],
  // What Google's filters say: https://googleapis.github.io/js-genai/release_docs/enums/types.FinishReason.html
  ["safety", "refusal"],
  ["recitation", "refusal"],
  ["blocklist", "refusal"],
  ["prohibited_content", "refusal"],
  ["spii", "refusal"],
  // Those of Bedrock.
  ["content_filtered", "refusal"],
  ["guardrail_intervened", "refusal"],
  ["model_context_window_exceeded", "model_context_window_exceeded"]
])

/** What the answer held counts more than the word for its end: some upstreams say `stop` after tool calls, or the reverse. */
export const messagesStopReason = (
  reason: Json | undefined,
  held: { readonly tools: boolean; readonly refusal: boolean; readonly stopSequence: boolean }
): MessagesStopReason => {
  const word = googleReason(reason)
  const told = fromChat.get(typeof word === "string" ? word.toLowerCase() : word)
  if (told !== undefined) return told
  if (held.refusal) return "refusal"
  if (held.tools) return "tool_use"
  return held.stopSequence ? "stop_sequence" : "end_turn"
}

/**
 * Why a response is not complete, in the words of Responses; `undefined` where it is. A refusal that is told in the answer
 * (`isTold`) completes it; one that ended it does not.
 */
export const incompleteReason = (
  reason: Json,
  isTold: boolean
): "max_output_tokens" | "content_filter" | undefined => {
  if (reason === "max_tokens" || reason === "model_context_window_exceeded") return "max_output_tokens"
  return reason === "refusal" && !isTold ? "content_filter" : undefined
}

const fromMessages: ReadonlyMap<Json | undefined, ChatFinishReason> = new Map<string, ChatFinishReason>([
  ["max_tokens", "length"],
  ["model_context_window_exceeded", "length"],
  ["tool_use", "tool_calls"],
  ["refusal", "content_filter"]
])

/** `pause_turn` has no counterpart: the turn is over as far as a chat client can tell, and it may ask on. */
export const chatFinishReason = (reason: Json | undefined): ChatFinishReason =>
  fromMessages.get(reason) ?? "stop"
