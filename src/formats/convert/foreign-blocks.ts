/** Blocks of a Messages history that have no counterpart elsewhere, as text that another model can go on from. */
import { arrayAt, refuseType, stringAt } from "../json/fields.ts"
import { isJsonObject, type Json, type JsonObject } from "../json/json.ts"
import { shownMessages } from "../messages/cleared.ts"
import { shownTexts } from "./shown-texts.ts"

/**
 * The messages that the model is shown, each with its place. What a user sends in a form that nobody knows would not be
 * read, so it is refused.
 */
export const readableMessages = (body: JsonObject): ReadonlyArray<readonly [number, Json]> => {
  const messages = shownMessages(arrayAt(body.messages, "messages"))
  for (const [place, message] of messages) {
    if (!isJsonObject(message) || message.role !== "user" || !Array.isArray(message.content)) continue
    for (const [index, block] of (message.content as ReadonlyArray<Json>).entries()) {
      if (!isJsonObject(block) || isKnown(block.type)) continue
      const field = `messages.${place}.content.${index}`
      stringAt(block.type, `${field}.type`)
      refuseType("content", block, field)
    }
  }
  return messages
}

/** Source: platform.claude.com, "Messages", with the names that other protocols give to text. */
const isKnown = (type: Json | undefined): boolean =>
  typeof type === "string" && (knownTypes.has(type) || /_tool_(use|result|listing)$/.test(type))

const knownTypes: ReadonlySet<string> = new Set([
  "text",
  "input_text",
  "output_text",
  "image",
  "document",
  "search_result",
  "thinking",
  "redacted_thinking",
  "tool_use",
  "tool_result",
  "tool_reference",
  "tool_addition",
  "tool_removal",
  "container_upload",
  "compaction",
  "fallback"
])

/**
 * What stands for such a block, so that it does not vanish: its type, its name, and what can be read of it. Empty for
 * one that only says which model wrote what.
 */
export const markerOf = (block: JsonObject): string => {
  if (block.type === "fallback") return ""
  const type = `[${typeof block.type === "string" ? block.type : JSON.stringify(block.type)}]`
  const shown = shownIn(block)
  if (shown !== undefined) return [type, ...shown].join(" ")
  const { name, tool_name: toolName, ...rest } = block
  return [type, ...textsOf(name), ...textsOf(toolName), ...textsOf(rest)].join(" ")
}

/** Labels, and what only its provider can read. */
const unread: ReadonlySet<string> = new Set([
  "type",
  "id",
  "tool_use_id",
  "toolset_name",
  "file_id",
  "media_type",
  "cache_control",
  "caller",
  "citations",
  "signature",
  "encrypted_content",
  "encrypted_index",
  "encrypted_stdout"
])

/** A document may be a page that was fetched, and is read. */
const shownIn = (value: JsonObject): ReadonlyArray<string> | undefined =>
  value.type === "document" ? undefined : shownTexts(value)

const textsOf = (value: Json | undefined): ReadonlyArray<string> => {
  if (typeof value === "string") return value.trim() === "" ? [] : [value]
  if (Array.isArray(value)) return value.flatMap((item: Json) => textsOf(item))
  if (!isJsonObject(value) || value.type === "base64") return []
  const shown = shownIn(value)
  if (shown !== undefined) return shown
  return Object.entries(value).flatMap(([name, member]) => {
    if (unread.has(name)) return []
    // A command that failed may have told nothing else.
    if (name === "return_code") return member === 0 ? [] : [`${name} ${JSON.stringify(member)}`]
    // What a tool was called with says nothing without its names.
    return (name === "input" || name === "input_schema") && isJsonObject(member)
      ? inputTexts(member)
      : textsOf(member)
  })
}

const inputTexts = (input: JsonObject): ReadonlyArray<string> =>
  Object.keys(input).length === 0 ? [] : [JSON.stringify(input)]
