/** The parts of a chat message as content blocks of the Messages protocol. */
import { arrayAt, objectAt, optional, refuse, refuseType, stringAt, textAt } from "../../json/fields.ts"
import { imageMediaTypeOfBase64 } from "../../images/file-type.ts"
import { isPdfAddress, isTextual, officeFormats, typeByName } from "../../images/media-type.ts"
import { isAbsent, isJsonObject, type Json, type JsonObject } from "../../json/json.ts"
import { thinkingBlock } from "../../messages/blocks.ts"
import { forMessages, type MessagesDialect } from "../messages-dialect.ts"
import { isMark } from "../reasoning-marks.ts"

/** What of a part is kept for who reads the blocks: the words of Messages have no place for it, or Claude does not take it. */
type Kept = Pick<MessagesDialect, "imageDetails" | "officeFiles">

/**
 * Content as blocks, in order and without empty texts, which the protocol refuses. With `imageDetails` an image says how
 * finely it is to be looked at, for a further conversion: the protocol itself has no word for it.
 */
export const messagesBlocks = (
  content: Json | undefined,
  field: string,
  kept: Kept = forMessages
): ReadonlyArray<JsonObject> => {
  if (isAbsent(content)) return []
  if (typeof content === "string") return textBlocks(content)
  return arrayAt(content, field).flatMap((value, index) => {
    const part = objectAt(value, `${field}.${index}`)
    return blocksOfPart(part, `${field}.${index}`, kept).map((block) =>
      withCacheControl(kept.imageDetails ? withDetail(block, detailOf(part)) : block, part.cache_control)
    )
  })
}

export const textBlocks = (text: string): ReadonlyArray<JsonObject> =>
  text.trim() === "" ? [] : [{ type: "text", text }]

export const isAttachment = ({ type }: JsonObject): boolean => type === "image" || type === "document"

/** Responses has it beside the address, chat with it. */
const detailOf = ({ detail, image_url: image }: JsonObject): Json | undefined =>
  isJsonObject(image) ? image.detail : detail

const withDetail = (block: JsonObject, detail: Json | undefined): JsonObject =>
  block.type === "image" && typeof detail === "string" ? { ...block, detail } : block

/** A mark that the block already has stays: a part's own beats that of its message. */
export const withCacheControl = (block: JsonObject, mark: Json | undefined): JsonObject =>
  isAbsent(mark) || block.cache_control !== undefined ? block : { ...block, cache_control: mark }

/** Marks the last block, which is what a mark on a whole message means. */
export const markLast = (
  blocks: ReadonlyArray<JsonObject>,
  mark: Json | undefined
): ReadonlyArray<JsonObject> =>
  blocks.map((block, index) => (index === blocks.length - 1 ? withCacheControl(block, mark) : block))

const blocksOfPart = (part: JsonObject, field: string, kept: Kept): ReadonlyArray<JsonObject> => {
  switch (part.type) {
    case "text":
    case "input_text":
    case "output_text":
      return textBlocks(textAt(part.text, `${field}.text`))
    case "refusal":
      return textBlocks(stringAt(part.refusal, `${field}.refusal`))
    // The last of these names are those of the Responses protocol, which some clients mix up with this one.
    case "image_url":
    case "input_image":
      if (isAbsent(part.image_url) && part.file_id !== undefined) return refuseKept(field)
      return [imageBlock(...addressAt(part.image_url, `${field}.image_url`))]
    case "file":
      return [fileBlock(objectAt(part.file, `${field}.file`), `${field}.file`, kept)]
    case "input_file":
      return [fileBlock(part, field, kept)]
    // Some clients write the Messages protocol's own blocks for a model named after Claude.
    case "image":
    case "document":
      objectAt(part.source, `${field}.source`)
      return [part]
    case "thinking":
    case "redacted_thinking":
      // Envoy's clients write the thought as the text of its part.
      return isSigned(part) ? [thinkingBlock({ ...part, thinking: part.thinking ?? part.text })] : []
    // Calls and their results are not content here: the turn's reader puts them where they belong.
    case "tool_use":
    case "tool_result":
      return []
    default:
      return refuseType("content", part, field)
  }
}

/** Claude takes its own thinking back, as it signed it, and no other. */
const isSigned = (block: JsonObject): boolean =>
  block.type === "redacted_thinking"
    ? typeof block.data === "string" && !isMark(block.data)
    : block.type === "thinking" &&
      typeof block.signature === "string" &&
      block.signature !== "" &&
      !isMark(block.signature)

/** An image's address and the field it stands in: chat has it in an object, Responses as it is. */
const addressAt = (value: Json | undefined, field: string): [url: string, field: string] =>
  typeof value === "string"
    ? [value, field]
    : [stringAt(objectAt(value, field).url, `${field}.url`), `${field}.url`]

/** Many clients send PDFs as images too, since chat had no other part for them. */
const imageBlock = (url: string, field: string): JsonObject => {
  if (isWebAddress(url))
    return { type: isPdfAddress(url) ? "document" : "image", source: { type: "url", url } }
  const { mediaType, data } =
    readDataUrl(url) ?? refuse(field, "must be an http(s) address or a data URL in base64")
  // Claude refuses an image that is not what it is said to be: anthropics/claude-code #13396.
  const actual = imageMediaTypeOfBase64(data)
  const source = { type: "base64", media_type: actual ?? mediaType, data }
  return { type: source.media_type === "application/pdf" ? "document" : "image", source }
}

const isWebAddress = (url: string): boolean => /^https?:\/\//i.test(url)

interface DataUrl {
  readonly mediaType: string
  readonly data: string
}

const readDataUrl = (url: string): DataUrl | undefined => {
  const comma = url.indexOf(",")
  const head = comma === -1 ? "" : url.slice(0, comma)
  if (!/^data:/i.test(head) || !/;base64$/i.test(head)) return undefined
  const mediaType = head.slice("data:".length).split(";")[0]!.toLowerCase()
  return { mediaType: mediaType === "image/jpg" ? "image/jpeg" : mediaType, data: url.slice(comma + 1) }
}

const fileBlock = (file: JsonObject, field: string, { officeFiles }: Kept): JsonObject => {
  const title = optional(stringAt, file.filename, `${field}.filename`)
  const document = (source: JsonObject): JsonObject => ({
    type: "document",
    source,
    ...(title !== undefined && { title })
  })
  const address = optional(stringAt, file.file_url, `${field}.file_url`)
  if (address !== undefined) return document({ type: "url", url: address })
  // LiteLLM's clients give an address so: docs.litellm.ai, "Using PDF Input".
  if (typeof file.file_id === "string" && isWebAddress(file.file_id))
    return document({ type: "url", url: file.file_id })
  if (!isAbsent(file.file_id) && isAbsent(file.file_data)) return refuseKept(field)
  const data = stringAt(file.file_data, `${field}.file_data`)
  if (isWebAddress(data)) return document({ type: "url", url: data })
  const url = readDataUrl(data)
  if (url === undefined && /^data:/i.test(data))
    return refuse(`${field}.file_data`, "must be base64, bare or as a data URL")
  const read = url ?? { mediaType: typeByName(title ?? ""), data }
  if (read.mediaType === "application/pdf" || (officeFiles && officeFormats.has(read.mediaType)))
    return document({ type: "base64", media_type: read.mediaType, data: read.data })
  if (read.mediaType.startsWith("image/")) return imageBlock(data, field)
  if (!isTextual(read.mediaType))
    return refuse(`${field}.file_data`, `files of type ${read.mediaType} can not be used on this model`)
  return document({
    type: "text",
    media_type: "text/plain",
    data: Buffer.from(read.data, "base64").toString("utf8")
  })
}

const refuseKept = (field: string): never =>
  refuse(`${field}.file_id`, "files stored with a provider can not be used on this model")
