/** Content blocks of the Messages protocol as parts of a chat message. */
import {
  arrayAt,
  objectAt,
  optional,
  optionalText,
  refuse,
  refuseType,
  stringAt,
  textAt
} from "../../json/fields.ts"
import { isJsonObject, type Json, type JsonObject } from "../../json/json.ts"
import type { ChatTraits } from "../../chat/chat-traits.ts"
import { plainBase64 } from "../../images/file-sources.ts"
import { markerOf } from "../foreign-blocks.ts"

/** What a user says where one must begin and none has. */
export const opening = "(the conversation begins)"

/** A string or an array of blocks as chat parts, in order and without blank texts. */
export const chatParts = (content: Json | undefined, field: string): ReadonlyArray<JsonObject> => {
  if (typeof content === "string") return textParts(content)
  return arrayAt(content, field).flatMap((block, index) =>
    partsOfBlock(objectAt(block, `${field}.${index}`), `${field}.${index}`)
  )
}

/** Parts as message content: one string when all of them are text, which every upstream takes. */
export const joinedContent = (parts: ReadonlyArray<JsonObject>, separator: string): Json => {
  if (!parts.every(isTextPart)) return parts
  return parts.map((part) => part.text).join(separator)
}

/** A part as this upstream takes it. */
export const partFor = ({ fileParts, imageDetails }: ChatTraits, part: JsonObject): JsonObject => {
  if (fileParts === "document_url" && isJsonObject(part.file))
    return { type: "document_url", document_url: part.file.file_data, document_name: part.file.filename }
  if (!isJsonObject(part.image_url) || part.image_url.detail === undefined) return part
  const { detail, ...image } = part.image_url
  return imageDetails.has(detail) ? part : { ...part, image_url: image }
}

export const isTextPart = (part: JsonObject): boolean => part.type === "text"

export const textParts = (text: string): ReadonlyArray<JsonObject> =>
  text.trim() === "" ? [] : [{ type: "text", text }]

/** The text of a block, under any of the names clients use for it; `undefined` for other blocks. */
export const textOfBlock = (block: JsonObject, field: string): string | undefined =>
  block.type === "text" || block.type === "input_text" || block.type === "output_text"
    ? textAt(block.text, `${field}.text`)
    : undefined

export const partsOfBlock = (block: JsonObject, field: string): ReadonlyArray<JsonObject> => {
  const text = textOfBlock(block, field)
  if (text !== undefined) return textParts(text)
  switch (block.type) {
    case "image":
      return [imagePart(block, objectAt(block.source, `${field}.source`), `${field}.source`)]
    case "document":
      return documentParts(block, field)
    case "search_result":
      return searchResultParts(block, field)
    case "thinking":
    case "redacted_thinking":
    // The tools of the request are those in effect.
    case "tool_addition":
    case "tool_removal":
      return []
    case "container_upload":
      return refuse(`${field}.type`, "files in a container can not be used on this model")
    default:
      return textParts(markerOf(block))
  }
}

/** `detail` is what a client of another protocol has said of it. */
const imagePart = ({ detail }: JsonObject, source: JsonObject, field: string): JsonObject => ({
  type: "image_url",
  image_url: {
    url: addressOf(source, field),
    ...(detail !== undefined && { detail })
  }
})

const addressOf = (source: JsonObject, field: string): string =>
  source.type === "url" ? webAddress(source.url, `${field}.url`) : dataUrl(source, field)

/** Providers take names of files that they keep under schemes of their own, and those are nobody's here. */
const webAddress = (value: Json | undefined, field: string): string => {
  const url = stringAt(value, field)
  return /^(https?|data):/i.test(url) ? url : refuse(field, "must be an http(s) address or a data URL")
}

const dataUrl = (source: JsonObject, field: string): string =>
  source.type === "base64"
    ? `data:${stringAt(source.media_type, `${field}.media_type`)};base64,${stringAt(source.data, `${field}.data`)}`
    : refuseType("a source", source, field)

const documentParts = (block: JsonObject, field: string): ReadonlyArray<JsonObject> => {
  const source = objectAt(block.source, `${field}.source`)
  const title = optional(stringAt, block.title, `${field}.title`)
  const context = optionalText(block.context, `${field}.context`)
  const heading = title === undefined ? "" : `${title}\n`
  switch (source.type) {
    case "text":
      return [...textParts(context), ...textParts(heading + stringAt(source.data, `${field}.source.data`))]
    case "content":
      return [
        ...textParts(context),
        ...textParts(heading.trim()),
        ...chatParts(source.content, `${field}.source.content`)
      ]
    default: {
      const { data, media_type: mediaType } = source
      if (typeof data === "string" && typeof mediaType === "string" && mediaType.startsWith("text/")) {
        const text = Buffer.from(plainBase64(data), "base64").toString("utf8")
        return [...textParts(context), ...textParts(heading + text)]
      }
      const file_data = addressOf(source, `${field}.source`)
      return [...textParts(context), { type: "file", file: { filename: title ?? "document.pdf", file_data } }]
    }
  }
}

const searchResultParts = (block: JsonObject, field: string): ReadonlyArray<JsonObject> => {
  const title = optionalText(block.title, `${field}.title`)
  const source = optionalText(block.source, `${field}.source`)
  return [...textParts(`${title}\n${source}`.trim()), ...chatParts(block.content, `${field}.content`)]
}
