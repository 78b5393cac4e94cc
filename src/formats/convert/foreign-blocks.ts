/** Blocks of a Messages history that have no counterpart elsewhere, as text that another model can go on from. */
import { isJsonObject, type Json, type JsonObject } from "../json/json.ts"

/**
 * What stands for such a block, so that it does not vanish: its type, its name, and what can be read of it. Empty for
 * one that only says which model wrote what.
 */
export const markerOf = (block: JsonObject): string => {
  if (block.type === "fallback") return ""
  const type = `[${typeof block.type === "string" ? block.type : JSON.stringify(block.type)}]`
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

const textsOf = (value: Json | undefined): ReadonlyArray<string> => {
  if (typeof value === "string") return value.trim() === "" ? [] : [value]
  if (Array.isArray(value)) return value.flatMap((item: Json) => textsOf(item))
  if (!isJsonObject(value) || value.type === "base64") return []
  return Object.entries(value).flatMap(([name, member]) => {
    if (unread.has(name)) return []
    // What a tool was called with says nothing without its names.
    return (name === "input" || name === "input_schema") && isJsonObject(member)
      ? inputTexts(member)
      : textsOf(member)
  })
}

const inputTexts = (input: JsonObject): ReadonlyArray<string> =>
  Object.keys(input).length === 0 ? [] : [JSON.stringify(input)]
