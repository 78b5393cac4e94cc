/** The content of a chat answer, whole or a delta, which some upstreams send as parts instead of one string. */
import { isJsonObject, type Json, type JsonObject } from "../json.ts"

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
  return {
    thinking: thinking || stringOf(message.reasoning) || parts.thinking,
    signature,
    text: parts.text,
    refusal: stringOf(message.refusal) || parts.refusal
  }
}

/** Blocks of thinking with their signatures, which gateways in front of Claude give beside its text or instead of it. */
export const thinkingBlocksOf = (message: JsonObject): ReadonlyArray<JsonObject> =>
  Array.isArray(message.thinking_blocks)
    ? (message.thinking_blocks as ReadonlyArray<Json>)
        .filter(isJsonObject)
        .filter(({ type }) => type === "thinking" || type === "redacted_thinking")
    : []

/** Most upstreams send the text alone, some an object of text and signature. */
const readReasoning = (message: JsonObject): { readonly thinking: string; readonly signature: string } => {
  const { reasoning_content: reasoning, thinking_blocks: blocks } = message
  if (isJsonObject(reasoning)) {
    return { thinking: stringOf(reasoning.text), signature: stringOf(reasoning.signature) }
  }
  if (blocks === undefined) return { thinking: stringOf(reasoning), signature: "" }
  const given = thinkingBlocksOf(message)
  return {
    thinking: stringOf(reasoning) || given.map(({ thinking }) => stringOf(thinking)).join(""),
    signature: stringOf(given.findLast(({ signature }) => stringOf(signature) !== "")?.signature)
  }
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
  for (const part of Array.isArray(content) ? (content as ReadonlyArray<Json>) : []) {
    if (!isJsonObject(part)) continue
    if (part.type === "thinking") thinking += textOf(part.thinking)
    else if (part.type === "refusal") refusal += stringOf(part.refusal)
    else text += stringOf(part.text)
  }
  return { thinking, text, refusal }
}

/** Mistral's thinking is a list of text parts. */
const textOf = (thinking: Json | undefined): string =>
  Array.isArray(thinking)
    ? thinking.map((part: Json) => (isJsonObject(part) ? stringOf(part.text) : "")).join("")
    : stringOf(thinking)

export const stringOf = (value: Json | undefined): string => (typeof value === "string" ? value : "")
