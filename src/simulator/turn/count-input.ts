/** Input tokens the simulator's way: simple, the same every time, and the same in a count as in the call. */
import { isJsonObject, type Json } from "../../formats/json/json.ts"

const charactersPerToken = 4
const tokensPerMessage = 4
const tokensPerCall = 3
const tokensPerImage = 85
const base64CharactersPerToken = 400

/** Names of fields that say how content is arranged rather than being content. */
const structure = new Set([
  "type",
  "role",
  "id",
  "call_id",
  "tool_use_id",
  "tool_call_id",
  "toolUseId",
  "media_type"
])
const notCounted = new Set([
  "cache_control",
  "signature",
  "encrypted_content",
  "detail",
  "format",
  "status",
  "cachePoint"
])
const images = new Set(["image", "image_url", "input_image"])

/** What lies deeper is not counted: no sensible request has it, and the walk must not run out of stack. */
const depthMax = 200

/** Tokens of everything in `parts`, of which the arrays of messages bring a little more for each message. */
export const countInput = (parts: ReadonlyArray<Json | undefined>, messages: number): number => {
  let tokens = tokensPerCall + messages * tokensPerMessage
  let characters = 0
  const walk = (value: Json | undefined, depth: number): void => {
    if (depth > depthMax) return
    if (typeof value === "string") characters += value.length
    else if (typeof value === "number" || typeof value === "boolean") characters += 2
    else if (Array.isArray(value)) for (const item of value as ReadonlyArray<Json>) walk(item, depth + 1)
    else if (isJsonObject(value)) {
      if (typeof value["type"] === "string" && images.has(value["type"])) tokens += tokensPerImage
      else walkFields(value, depth)
    }
  }
  const walkFields = (value: { readonly [key: string]: Json | undefined }, depth: number): void => {
    for (const key in value) {
      const field = value[key]
      if (structure.has(key) || notCounted.has(key)) continue
      if (key === "image" && isJsonObject(field)) tokens += tokensPerImage
      else if (isBase64(key, field)) tokens += Math.ceil((field as string).length / base64CharactersPerToken)
      else {
        characters += key === "text" || key === "content" ? 0 : key.length
        walk(field, depth + 1)
      }
    }
  }
  for (const part of parts) walk(part, 0)
  return tokens + Math.ceil(characters / charactersPerToken)
}

const isBase64 = (key: string, value: Json | undefined): boolean =>
  (key === "data" || key === "bytes" || key === "file_data" || key === "document_url") &&
  typeof value === "string"
