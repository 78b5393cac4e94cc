/** What the whole and the streamed answer of a Responses upstream share on their way to a chat client. */
import { toolCalled } from "../../chat/tool-calls.ts"
import { isJsonObject, type Json, type JsonObject, objectOf, stringOf } from "../../json/json.ts"
import type { ChatFinishReason } from "../stop-reasons.ts"

/**
 * Stands between two messages of an answer, which chat tells as one text: gpt-5.6 makes a remark and then its answer now and
 * then (langchain4j/langchain4j #6399).
 */
export const betweenMessages = "\n\n"

export const finishReasonOf = (
  { incomplete_details: details, status }: JsonObject,
  hasCalls: boolean
): ChatFinishReason => {
  const { reason } = objectOf(details)
  if (status === "incomplete") return reason === "content_filter" ? "content_filter" : "length"
  return hasCalls ? "tool_calls" : "stop"
}

/** How it was served, which chat says in the same word. */
export const tierOf = ({ service_tier: tier }: JsonObject): JsonObject =>
  typeof tier === "string" ? { service_tier: tier } : {}

/** How input and output were judged, which chat tells in lists. */
export const moderationOf = ({ moderation }: JsonObject): JsonObject =>
  isJsonObject(moderation)
    ? { moderation: { input: judgementsOf(moderation.input), output: judgementsOf(moderation.output) } }
    : {}

const judgementsOf = (judged: Json | undefined): Json =>
  isJsonObject(judged) && judged.type === "moderation_result"
    ? { type: "moderation_results", model: judged.model ?? null, results: [judged] }
    : (judged ?? null)

/** Clients parse what a function is called with, be it nothing. */
export const calledWith = ({ arguments: written, input, type }: JsonObject): string =>
  type === "function_call" ? stringOf(written) || "{}" : stringOf(input)

/** A call as chat has it, with what of its arguments is known; `undefined` for items that are no calls. */
export const callOf = (item: JsonObject): JsonObject | undefined => {
  const id = stringOf(item.call_id) || stringOf(item.id)
  const name = stringOf(item.name)
  const isCustom = item.type === "custom_tool_call"
  if (!isCustom && item.type !== "function_call") return undefined
  return { id, ...toolCalled(isCustom, name, calledWith(item)) }
}
