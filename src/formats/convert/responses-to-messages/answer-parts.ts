/** What the whole and the streamed answer of a Responses upstream share on their way to a Messages client. */
import { type Json, type JsonObject, listOf, objectOf, stringOf } from "../../json/json.ts"
import { markReasoning } from "../reasoning-marks.ts"
import type { MessagesStopReason } from "../stop-reasons.ts"

/** What a client sends back so that the provider goes on from the thought, where it can. */
export const signatureOfItem = (item: JsonObject, family: string): string =>
  isEncrypted(item)
    ? markReasoning(family, "item", `${item.id}:${item.encrypted_content}`)
    : markReasoning(family, "thought", "")

export const isEncrypted = (
  item: JsonObject
): item is JsonObject & { readonly id: string; readonly encrypted_content: string } =>
  typeof item.encrypted_content === "string" && item.encrypted_content !== "" && typeof item.id === "string"

/** The item that a piece of this type is of; a call is none without its name. */
export const itemOfPiece = (type: string): JsonObject | undefined => {
  if (type === "response.output_text.delta" || type === "response.refusal.delta") return { type: "message" }
  return /^response\.reasoning_(summary_)?text\.delta$/.test(type) ? { type: "reasoning" } : undefined
}

/** The summaries of a thought, or the thought itself where it is told. */
export const thoughtOf = ({ content, summary }: JsonObject): string =>
  textsOf(summary).join("\n\n") || textsOf(content).join("")

const textsOf = (parts: Json | undefined): ReadonlyArray<string> =>
  listOf(parts).map((part) => stringOf(objectOf(part).text))

export const stopReasonOf = (
  { incomplete_details: details, status }: JsonObject,
  held: { readonly tools: boolean; readonly refusal: boolean }
): MessagesStopReason => {
  const { reason } = objectOf(details)
  if (status === "incomplete") return reason === "content_filter" ? "refusal" : "max_tokens"
  if (held.refusal) return "refusal"
  return held.tools ? "tool_use" : "end_turn"
}
