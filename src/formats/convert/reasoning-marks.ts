/**
 * What a model thought travels through clients whose protocol has no place for it: Claude's signatures and OpenAI's
 * encrypted reasoning, Gemini's call signatures, thoughts that nobody signed. Each goes under a mark of ours that names
 * the family it belongs to, so that it comes back to its own provider alone: what another family made, or nobody knows,
 * is left out of a request. A mark is data for the provider it names and nothing else, so it needs no secret; its sum
 * only tells what a client has cut or mixed up.
 */
import { crc32 } from "node:zlib"
import { isJsonObject, type Json, type JsonObject, objectOf, stringOf } from "../json/json.ts"

/**
 * - `thought`: what the text beside the mark is signed with, empty where nobody signs.
 * - `redacted`: a thought that is nothing but its data.
 * - `call`: the signature of the call that follows.
 * - `item`: the id of an item and its encrypted content.
 */
export type MarkKind = "thought" | "redacted" | "call" | "item"

export interface Mark {
  readonly family: string
  readonly kind: MarkKind
  readonly payload: string
}

const prefix = "tollgate1."
/** How Gemini's signatures were marked before. */
const formerPrefix = "google-thought-signature:"
/** How thinking was signed before where nobody signs. */
const formerUnsigned = "unsigned"

/** More than any provider gives with one thought. */
const payloadLengthMax = 1024 * 1024

const letters: Readonly<Record<MarkKind, string>> = { thought: "t", redacted: "r", call: "c", item: "i" }
const kinds: ReadonlyMap<string, MarkKind> = new Map(
  Object.entries(letters).map(([kind, letter]) => [letter, kind as MarkKind])
)

/** What is too long to come back is marked as nothing. */
export const markReasoning = (family: string, kind: MarkKind, payload: string): string => {
  const kept = payload.length > payloadLengthMax ? "" : payload
  return `${prefix}${family}.${letters[kind]}.${sumOf(family, kind, kept)}.${kept}`
}

/** What a provider signed a thought with, as a Messages client gets it: Claude's own as it is, wherever Claude runs. */
export const signatureFor = (family: string, signature: string): string =>
  family === "claude" && signature !== "" ? signature : markReasoning(family, "thought", signature)

/** The same of a thought that is nothing but its data. */
export const redactedFor = (family: string, data: string): string =>
  family === "claude" ? data : markReasoning(family, "redacted", data)

/** Also one that has lost its meaning under way. */
export const isMark = (text: Json | undefined): text is string =>
  typeof text === "string" &&
  (text.startsWith(prefix) || text.startsWith(formerPrefix) || text === formerUnsigned)

/** `undefined` for what is no mark, or is not what it was when it was made. */
export const readMark = (text: Json | undefined): Mark | undefined => {
  if (typeof text !== "string") return undefined
  if (text.startsWith(formerPrefix))
    return { family: "gemini", kind: "call", payload: text.slice(formerPrefix.length) }
  if (!text.startsWith(prefix) || text.length > payloadLengthMax + 200) return undefined
  const [, family, letter, sum, payload] = marked.exec(text) ?? []
  const kind = kinds.get(letter ?? "")
  if (family === undefined || kind === undefined || payload === undefined) return undefined
  return sum === sumOf(family, kind, payload) ? { family, kind, payload } : undefined
}

const marked = /^tollgate1\.([a-z0-9-]{1,40})\.([a-z])\.([0-9a-f]{8})\.(.*)$/s

const sumOf = (family: string, kind: MarkKind, payload: string): string =>
  crc32(`${family}.${letters[kind]}.${payload}`).toString(16).padStart(8, "0")

/** The mark of a block of thinking in Messages. */
export const markOfBlock = (block: JsonObject): string | undefined => {
  const text = block.type === "thinking" ? block.signature : block.type === "redacted_thinking" && block.data
  return isMark(text) ? text : undefined
}

/** How MiniMax signs its thoughts: by a hash, which Claude takes for an invalid signature (decolua/9router #922). */
const hash = /^[0-9a-f]{64}$/

/** A block of thinking that another model made, whose provider speaks Messages, too, or another conversion. */
export const isForeignThought = (block: JsonObject, family: string): boolean =>
  markOfBlock(block) !== undefined ||
  (family === "claude" &&
    block.type === "thinking" &&
    typeof block.signature === "string" &&
    hash.test(block.signature))

/**
 * A block of thinking as its own provider made it; `undefined` where that is not the family's, or nobody knows whose it
 * is. What Claude and others sign themselves in their own protocol bears no mark: only `signs` knows it for its own.
 */
export const ownThought = (
  block: JsonObject,
  family: string,
  signs: boolean
): { readonly text: string; readonly mark: Mark } | undefined => {
  const text = stringOf(block.thinking)
  const signature = block.type === "thinking" ? block.signature : block.data
  const kind = block.type === "thinking" ? "thought" : "redacted"
  if (typeof signature !== "string") return undefined
  if (isMark(signature)) {
    const mark = readMark(signature)
    return mark?.family === family ? { text, mark } : undefined
  }
  return signs && signature !== "" ? { text, mark: { family, kind, payload: signature } } : undefined
}

/** The turns without what others thought; the same value where there is none. Turns that held nothing else go. */
export const withoutForeignThoughts = (messages: Json | undefined, family: string): Json | undefined => {
  if (!Array.isArray(messages)) return messages
  let changed = false
  const kept = messages.flatMap((message: Json): ReadonlyArray<Json> => {
    const { content } = objectOf(message)
    if (!isJsonObject(message) || !Array.isArray(content)) return [message]
    const blocks = content.filter((block: Json) => !isJsonObject(block) || !isForeignThought(block, family))
    if (blocks.length === content.length) return [message]
    changed = true
    return blocks.length === 0 ? [] : [{ ...message, content: blocks }]
  })
  return changed ? kept : messages
}
