/** The content of a chat answer, whole or a delta, which some upstreams send as parts instead of one string. */
import { isJsonObject, type Json, type JsonObject } from "../json.ts"

export interface ChatContent {
  readonly thinking: string
  readonly text: string
  readonly refusal: string
}

export const readChatContent = (message: JsonObject): ChatContent => {
  const parts = readParts(message.content)
  return {
    thinking: stringOf(message.reasoning_content) || stringOf(message.reasoning) || parts.thinking,
    text: parts.text,
    refusal: stringOf(message.refusal)
  }
}

const readParts = (content: Json | undefined): { readonly thinking: string; readonly text: string } => {
  if (typeof content === "string") return { thinking: "", text: content }
  let thinking = ""
  let text = ""
  for (const part of Array.isArray(content) ? (content as ReadonlyArray<Json>) : []) {
    if (!isJsonObject(part)) continue
    if (part.type === "thinking") thinking += textOf(part.thinking)
    else text += stringOf(part.text)
  }
  return { thinking, text }
}

/** Mistral's thinking is a list of text parts. */
const textOf = (thinking: Json | undefined): string =>
  Array.isArray(thinking)
    ? thinking.map((part: Json) => (isJsonObject(part) ? stringOf(part.text) : "")).join("")
    : stringOf(thinking)

export const stringOf = (value: Json | undefined): string => (typeof value === "string" ? value : "")
