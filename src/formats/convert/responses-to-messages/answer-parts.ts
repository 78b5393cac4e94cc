/** What the whole and the streamed answer of a Responses upstream share on their way to a Messages client. */
import { type Json, type JsonObject, listOf, objectOf, objectsOf, stringOf } from "../../json/json.ts"
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

export interface Saying {
  readonly text: string
  readonly isRefusal: boolean
}

/** What a message says, refusals apart from the rest. */
export const sayingsOf = (content: Json | undefined): ReadonlyArray<Saying> => {
  const sayings: Array<Saying> = []
  for (const { refusal, text } of objectsOf(content)) {
    const said = { text: stringOf(text) + stringOf(refusal), isRefusal: stringOf(refusal) !== "" }
    const last = sayings.at(-1)
    if (last?.isRefusal === said.isRefusal)
      sayings[sayings.length - 1] = { ...last, text: last.text + said.text }
    else if (said.text !== "") sayings.push(said)
  }
  return sayings
}

/** What of it has not been told with these words, if it begins with them. */
export const untoldOf = (content: Json | undefined, told: string): ReadonlyArray<Saying> => {
  const sayings = sayingsOf(content)
  const whole = sayings.map(({ text }) => text).join("")
  if (!whole.startsWith(told)) return []
  let start = 0
  return sayings.map(({ isRefusal, text }) => {
    const rest = text.slice(Math.max(0, told.length - start))
    start += text.length
    return { isRefusal, text: rest }
  })
}

export const stopReasonOf = (
  { incomplete_details: details, status }: JsonObject,
  held: { readonly tools: boolean; readonly refusal: boolean }
): MessagesStopReason => {
  const { reason } = objectOf(details)
  if (status === "incomplete") return reason === "content_filter" ? "refusal" : "max_tokens"
  if (held.refusal) return "refusal"
  return held.tools ? "tool_use" : "end_turn"
}
