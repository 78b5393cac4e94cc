/** Content blocks of the Messages protocol as parts of Responses items. */
import { arrayAt, objectAt, stringAt } from "../../json/fields.ts"
import { isAbsent, isJsonObject, type Json, type JsonObject } from "../../json/json.ts"
import { partsOfBlock as chatPartsOf } from "../messages-to-chat/content.ts"

/** What a user or a tool says. */
export const inputParts = (content: Json | undefined, field: string): ReadonlyArray<JsonObject> => {
  if (isAbsent(content)) return []
  if (typeof content === "string") return content.trim() === "" ? [] : [inputText(content)]
  return arrayAt(content, field).flatMap((value, index) =>
    partsOfBlock(objectAt(value, `${field}.${index}`), `${field}.${index}`)
  )
}

export const partsOfBlock = (block: JsonObject, field: string): ReadonlyArray<JsonObject> => {
  const { source } = block
  if (block.type !== "document" || !isJsonObject(source) || source.type !== "url")
    return chatPartsOf(block, field).map(inputPart)
  const file = { type: "input_file", file_url: stringAt(source.url, `${field}.source.url`) }
  return [...inputParts(block.context, `${field}.context`), file]
}

export const inputText = (text: string): JsonObject => ({ type: "input_text", text })

/** Chat's parts say the same in more braces. */
export const inputPart = (part: JsonObject): JsonObject => {
  if (isJsonObject(part.image_url)) {
    const { detail, url } = part.image_url
    return { type: "input_image", image_url: url, detail: detail ?? "auto" }
  }
  return isJsonObject(part.file) ? { type: "input_file", ...part.file } : inputText(String(part.text))
}

/** One text where there is nothing else, which is what tools give most of the time. */
export const outputOf = (parts: ReadonlyArray<JsonObject>): Json =>
  parts.every(({ prompt_cache_breakpoint: mark, type }) => type === "input_text" && mark === undefined)
    ? parts.map(({ text }) => text).join("\n")
    : parts
