/** What the Messages provider refuses of one content block. */
import { isJsonObject, type Json, type JsonObject, listOf, stringOf } from "../../formats/json/json.ts"
import { ownEntry } from "../own-entry.ts"
import { givenString } from "../read-json.ts"
import type { Complaint } from "../Protocol.ts"

const types = (
  "advisor_tool_result bash_code_execution_tool_result code_execution_tool_result compaction container_upload document " +
  "fallback image mcp_tool_listing mcp_tool_result mcp_tool_use redacted_thinking search_result server_tool_use text " +
  "text_editor_code_execution_tool_result thinking tool_addition tool_reference tool_removal tool_result " +
  "tool_search_tool_result tool_use web_fetch_tool_result web_search_tool_result"
).split(" ")
const known = new Set(types)

const usersOnly = new Set(["image", "document", "tool_result", "search_result"])
const assistantsOnly = new Set(["tool_use", "thinking", "redacted_thinking", "server_tool_use"])

export const checkBlock = (block: Json, at: string, role: string): Complaint | undefined => {
  if (!isJsonObject(block)) return { message: `${at}: Input should be an object` }
  const type = givenString(block["type"])
  if (type === undefined) return { message: `${at}.type: Field required` }
  if (!known.has(type))
    return {
      message: `${at}: Input tag '${type}' found using 'type' does not match any of the expected tags: ${types.map((tag) => `'${tag}'`).join(", ")}`
    }
  if ((role !== "user" && usersOnly.has(type)) || (role !== "assistant" && assistantsOnly.has(type)))
    return { message: `${at}: \`${type}\` blocks are not allowed in \`${role}\` messages` }
  return checks[type]?.(block, `${at}.${type}`)
}

const pattern = /^[a-zA-Z0-9_-]+$/
const signature = /^E[A-Za-z0-9+/=]{40,}$/

const text = (block: JsonObject): Complaint | undefined => {
  if (typeof block["text"] !== "string") return { message: "messages: text.text: Field required" }
  if (block["text"] === "") return { message: "messages: text content blocks must be non-empty" }
  return block["text"].trim() === ""
    ? { message: "messages: text content blocks must contain non-whitespace text" }
    : undefined
}

const toolUse = (block: JsonObject, at: string): Complaint | undefined => {
  if (typeof block["id"] !== "string") return { message: `${at}.id: Field required` }
  if (!pattern.test(block["id"]))
    return { message: `${at}.id: String should match pattern '^[a-zA-Z0-9_-]+$'` }
  if (typeof block["name"] !== "string") return { message: `${at}.name: Field required` }
  if (!/^[a-zA-Z0-9_-]{1,200}$/.test(block["name"]))
    return { message: `${at}.name: String should match pattern '^[a-zA-Z0-9_-]{1,200}$'` }
  return isJsonObject(block["input"])
    ? undefined
    : { message: `${at}.input: Input should be a valid dictionary` }
}

const toolResult = (block: JsonObject, at: string): Complaint | undefined => {
  if (typeof block["tool_use_id"] !== "string") return { message: `${at}.tool_use_id: Field required` }
  const { content } = block
  if (content !== undefined && typeof content !== "string" && !Array.isArray(content))
    return { message: `${at}.content: Input should be a valid string or list` }
  for (const [index, inner] of listOf(content).entries()) {
    const type = isJsonObject(inner) ? String(inner["type"]) : ""
    if (!["text", "image", "document", "search_result", "tool_reference"].includes(type))
      return {
        message: `${at}.content.${index}: Input tag '${type}' found using 'type' does not match any of the expected tags: 'text', 'image', 'search_result', 'document', 'tool_reference'`
      }
    const complaint = checkBlock(inner, `${at}.content.${index}`, "user")
    if (complaint !== undefined) return complaint
  }
  return undefined
}

const thinking = (block: JsonObject, at: string): Complaint | undefined => {
  if (typeof block["thinking"] !== "string") return { message: `${at}.thinking: Field required` }
  if (typeof block["signature"] !== "string") return { message: `${at}.signature: Field required` }
  return signature.test(block["signature"])
    ? undefined
    : { message: `${at.replace(/\.thinking$/, "")}: Invalid \`signature\` in \`thinking\` block` }
}

const redactedThinking = (block: JsonObject, at: string): Complaint | undefined =>
  typeof block["data"] === "string" ? undefined : { message: `${at}.data: Field required` }

const imageTypes: Readonly<Record<string, RegExp>> = {
  "image/jpeg": /^\/9j\//,
  "image/png": /^iVBORw0KG/,
  "image/gif": /^R0lGOD/,
  "image/webp": /^UklGR/
}

const image = (block: JsonObject, at: string): Complaint | undefined => {
  const source = block["source"]
  if (!isJsonObject(source)) return { message: `${at}.source: Field required` }
  if (source["type"] === "url") return url(source, `${at}.source`)
  if (source["type"] === "file") return undefined
  if (source["type"] !== "base64") return unknownSource(source, `${at}.source`, "'base64', 'file', 'url'")
  const mediaType = stringOf(source["media_type"])
  if (ownEntry(imageTypes, mediaType) === undefined)
    return {
      message: `${at}.source.base64.media_type: Input should be 'image/jpeg', 'image/png', 'image/gif' or 'image/webp'`
    }
  return base64(source, `${at}.source`) ?? mismatch(givenString(source["data"])!, mediaType, at)
}

/** Only data that is known to be another kind of image is refused: tests may send pictures of nothing. */
const mismatch = (data: string, mediaType: string, at: string): Complaint | undefined => {
  const actual = Object.entries(imageTypes).find(([, start]) => start.test(data))?.[0]
  return actual === undefined || actual === mediaType
    ? undefined
    : {
        message: `${at}.source.base64.data: The image was specified using the ${mediaType} media type, but the image appears to be a ${actual} image`
      }
}

const document = (block: JsonObject, at: string): Complaint | undefined => {
  const source = block["source"]
  if (!isJsonObject(source)) return { message: `${at}.source: Field required` }
  switch (source["type"]) {
    case "url":
      return url(source, `${at}.source`)
    case "file":
    case "content":
      return undefined
    case "text":
      return source["media_type"] === "text/plain"
        ? undefined
        : { message: `${at}.source.text.media_type: Input should be 'text/plain'` }
    case "base64":
      return source["media_type"] === "application/pdf"
        ? base64(source, `${at}.source`)
        : { message: `${at}.source.base64.media_type: Input should be 'application/pdf'` }
    default:
      return unknownSource(source, `${at}.source`, "'base64', 'content', 'file', 'text', 'url'")
  }
}

const unknownSource = (source: JsonObject, at: string, tags: string): Complaint => ({
  message: `${at}: Input tag '${String(source["type"])}' found using 'type' does not match any of the expected tags: ${tags}`
})

const url = (source: JsonObject, at: string): Complaint | undefined =>
  /^https?:\/\//.test(stringOf(source["url"]))
    ? undefined
    : { message: `${at}.url.url: Only HTTP and HTTPS URLs are supported.` }

const base64 = (source: JsonObject, at: string): Complaint | undefined => {
  const data = givenString(source["data"])
  if (data === undefined || data === "") return { message: `${at}.base64.data: Field required` }
  const clean = data.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(data)
  return clean ? undefined : { message: `${at}.base64: invalid base64 data` }
}

const checks: Readonly<Record<string, (block: JsonObject, at: string) => Complaint | undefined>> = {
  text,
  image,
  document,
  thinking,
  redacted_thinking: redactedThinking,
  tool_use: toolUse,
  tool_result: toolResult
}
