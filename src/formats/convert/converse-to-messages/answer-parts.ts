/** What plain and streamed Converse answers have in common on their way to the Messages protocol. */
import { isJsonObject, type Json, type JsonObject, listOf, objectOf } from "../../json/json.ts"
import type { ConversionContext } from "../conversion.ts"
import type { MessagesStopReason } from "../stop-reasons.ts"

/** The stop reason for Messages clients; `undefined` where the model failed to write an answer at all. */
export const stopReasonOfConverse = (
  reason: Json | undefined,
  heldTools: boolean
): MessagesStopReason | undefined => {
  switch (reason) {
    case "malformed_model_output":
    case "malformed_tool_use":
      return undefined
    case "max_tokens":
    case "stop_sequence":
    case "model_context_window_exceeded":
      return reason
    case "guardrail_intervened":
    case "content_filtered":
      return "refusal"
    // What the answer held counts more than the word for its end.
    default:
      return heldTools ? "tool_use" : "end_turn"
  }
}

/** What a message says of its end. Converse tells that a text stopped it, not which. */
export const endOf = (
  reason: MessagesStopReason | undefined,
  { onlyStop }: ConversionContext
): JsonObject => ({
  stop_reason: reason ?? null,
  stop_sequence: reason === "stop_sequence" ? onlyStop : null,
  stop_details: null
})

/** gpt-oss now and then writes marks of its own format behind a tool's name: `search<|channel|>commentary`. */
export const calledName = (name: string): string => name.replace(/(?<=.)<\|.*$/s, "")

/** A call of a tool that the provider runs itself, which is none of the client's. */
export const isServerToolUse = (toolUse: JsonObject): boolean => toolUse.type === "server_tool_use"

const binaryMark = "base64:"

/** Redacted thinking: Converse sends bytes in base64; of Claude they are the text that Messages clients know. */
export const redactedDataOf = (base64: string): string => {
  const bytes = Buffer.from(base64, "base64")
  const text = bytes.toString("utf8")
  return Buffer.from(text, "utf8").equals(bytes) ? text : `${binaryMark}${base64}`
}

/** Places in a document: their names in Converse, and in Messages with the unit that they are counted in. */
const placesInDocument = [
  ["documentChar", "char_location", "char_index"],
  ["documentPage", "page_location", "page_number"],
  ["documentChunk", "content_block_location", "block_index"]
] as const

/** A citation as Messages clients know it; `undefined` for a place they have no word for. */
export const citationOf = (citation: JsonObject): JsonObject | undefined => {
  const citedText = listOf(citation.sourceContent)
    .map((part) => objectOf(part).text ?? "")
    .join("")
  const title = citation.title ?? null
  const location = objectOf(citation.location)
  for (const [name, type, unit] of placesInDocument) {
    const place = location[name]
    if (!isJsonObject(place)) continue
    return {
      type,
      cited_text: citedText,
      document_index: place.documentIndex ?? 0,
      document_title: title,
      file_id: null,
      [`start_${unit}`]: place.start ?? 0,
      [`end_${unit}`]: place.end ?? 0
    }
  }
  const { searchResultLocation: result, web } = location
  if (isJsonObject(result))
    return {
      type: "search_result_location",
      cited_text: citedText,
      title,
      source: citation.source ?? "",
      search_result_index: result.searchResultIndex ?? 0,
      start_block_index: result.start ?? 0,
      end_block_index: result.end ?? 0
    }
  if (!isJsonObject(web)) return undefined
  return {
    type: "web_search_result_location",
    cited_text: citedText,
    title,
    url: web.url ?? "",
    encrypted_index: ""
  }
}
