/** The content of a chat answer, whole or a delta, which some upstreams send as parts instead of one string. */
import { nestedTooDeeply } from "../fields.ts"
import { isJsonObject, type Json, type JsonObject } from "../json.ts"

export interface ChatContent {
  readonly thinking: string
  readonly text: string
  readonly refusal: string
}

export const readChatContent = (message: JsonObject): ChatContent => {
  const parts = readParts(message.content)
  // What is said aloud stands beside the sound, not in the content.
  const spoken = isJsonObject(message.audio) ? stringOf(message.audio.transcript) : ""
  return {
    thinking: thoughtsOf(message) || parts.thinking,
    text: parts.text + spoken,
    refusal: stringOf(message.refusal)
  }
}

/** Under any of the names upstreams have for them; some give the same thoughts under several. */
const thoughtsOf = (message: JsonObject): string => {
  const told = stringOf(message.reasoning_content) || stringOf(message.reasoning)
  if (told !== "" || !Array.isArray(message.reasoning_details)) return told
  return (message.reasoning_details as ReadonlyArray<Json>)
    .map((detail) => (isJsonObject(detail) ? stringOf(detail.text) || stringOf(detail.summary) : ""))
    .join("")
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

/** What a tool is called with, as JSON text or a piece of it; some upstreams send it as an object. */
export const argumentsText = (called: Json | undefined): string =>
  isJsonObject(called) && Object.keys(called).length > 0 && !nestedTooDeeply(called)
    ? JSON.stringify(called)
    : stringOf(called)

export const stringOf = (value: Json | undefined): string => (typeof value === "string" ? value : "")
