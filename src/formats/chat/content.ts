/** The content of a chat answer, whole or a delta, which some upstreams send as parts instead of one string. */
import { nestedTooDeeply } from "../json/nesting.ts"
import { isJsonObject, type Json, type JsonObject, listOf, objectsOf, stringOf } from "../json/json.ts"

export interface ChatContent {
  readonly thinking: string
  /** What the thinking is signed with, where the upstream signs. */
  readonly signature: string
  readonly text: string
  readonly refusal: string
}

export const readChatContent = (message: JsonObject): ChatContent => {
  const parts = readParts(message.content)
  const { signature, thinking } = readReasoning(message)
  // What is said aloud stands beside the sound, not in the content.
  const spoken = isJsonObject(message.audio) ? stringOf(message.audio.transcript) : ""
  return {
    thinking: thinking || parts.thinking,
    signature,
    text: parts.text + spoken,
    refusal: stringOf(message.refusal) || parts.refusal
  }
}

/** Blocks of thinking with their signatures, which gateways in front of Claude give beside its text or instead of it. */
export const thinkingBlocksOf = (message: JsonObject): ReadonlyArray<JsonObject> =>
  objectsOf(message.thinking_blocks).filter(({ type }) => type === "thinking" || type === "redacted_thinking")

/** Most upstreams send the text alone, some an object of text and signature. */
const readReasoning = (message: JsonObject): { readonly thinking: string; readonly signature: string } => {
  const { reasoning_content: reasoning, thinking_blocks: blocks } = message
  if (isJsonObject(reasoning)) {
    return { thinking: stringOf(reasoning.text), signature: stringOf(reasoning.signature) }
  }
  if (blocks === undefined) return { thinking: thoughtsOf(message), signature: "" }
  const given = thinkingBlocksOf(message)
  return {
    thinking: thoughtsOf(message) || given.map(({ thinking }) => stringOf(thinking)).join(""),
    signature: stringOf(given.findLast(({ signature }) => stringOf(signature) !== "")?.signature)
  }
}

/** Under any of the names upstreams have for them; some give the same thoughts under several, or as a list of parts. */
const thoughtsOf = (message: JsonObject): string => {
  const told = textOf(message.reasoning_content) || textOf(message.reasoning)
  if (told !== "" || !Array.isArray(message.reasoning_details)) return told
  return (message.reasoning_details as ReadonlyArray<Json>)
    .map((detail) => (isJsonObject(detail) ? stringOf(detail.text) || stringOf(detail.summary) : ""))
    .join("")
}

interface Parts {
  readonly thinking: string
  readonly text: string
  readonly refusal: string
}

const readParts = (content: Json | undefined): Parts => {
  if (typeof content === "string") return { thinking: "", text: content, refusal: "" }
  let thinking = ""
  let text = ""
  let refusal = ""
  for (const part of listOf(content)) {
    if (typeof part === "string") text += part
    if (!isJsonObject(part)) continue
    if (part.type === "thinking") thinking += textOf(part.thinking)
    // Databricks' thoughts among the content: https://github.com/posit-dev/chatlas/issues/409
    else if (part.type === "reasoning") thinking += textOf(part.summary)
    else if (part.type === "refusal") refusal += stringOf(part.refusal)
    else text += stringOf(part.text)
  }
  return { thinking, text, refusal }
}

/** A text, or as Mistral's thinking a list of text parts. */
const textOf = (thinking: Json | undefined): string =>
  Array.isArray(thinking)
    ? thinking.map((part: Json) => (isJsonObject(part) ? stringOf(part.text) : "")).join("")
    : stringOf(thinking)

/** What a tool is called with, as JSON text or a piece of it; some upstreams send it as an object. */
export const argumentsText = (called: Json | undefined): string =>
  isJsonObject(called) && Object.keys(called).length > 0 && !nestedTooDeeply(called)
    ? JSON.stringify(called)
    : stringOf(called)
