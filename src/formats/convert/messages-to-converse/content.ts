/** Content blocks of the Messages protocol as content blocks of Converse. */
import { type FetchedFiles, fileData } from "../../images/file-sources.ts"
import { fileForms } from "../../images/file-type.ts"
import { officeFormats } from "../../images/media-type.ts"
import type { ConverseTraits } from "../../bedrock/converse-traits.ts"
import { arrayAt, objectAt, optional, optionalObject, refuse, stringAt } from "../../json/fields.ts"
import { isAbsent, isJsonObject, type Json, type JsonObject, listOf } from "../../json/json.ts"
import type { DocumentNames } from "./document-names.ts"
import { markerOf } from "../foreign-blocks.ts"
import { textOfBlock } from "../messages-to-chat/content.ts"
import { ownThought } from "../reasoning-marks.ts"
import { chatToolId, type ToolNameMap } from "../tool-names.ts"

/** What the blocks of one request share. */
export interface ConverseRequestContext {
  readonly traits: ConverseTraits
  /** Of the model. */
  readonly family: string
  readonly files: FetchedFiles
  readonly toolNames: ToolNameMap
  /** Ids of tool calls follow the rule for names. */
  readonly toolIds: ToolNameMap
  readonly documentNames: DocumentNames
}

/** One block and the cache point behind it: what must not be torn apart. */
export type BlockGroup = ReadonlyArray<JsonObject>

/** A string or an array of blocks; blank texts, which Converse refuses, are left out. */
export const converseBlocks = (
  content: Json | undefined,
  field: string,
  context: ConverseRequestContext
): ReadonlyArray<BlockGroup> => {
  if (typeof content === "string") return textBlocks(content).map((block) => [block])
  return arrayAt(content, field).flatMap((value, index) => {
    const at = `${field}.${index}`
    const block = objectAt(value, at)
    const [first, ...beside] = convertBlock(block, at, context)
    if (first === undefined) return []
    const group = first.text === undefined ? [first] : [first].concat(cachePoint(block, context))
    return [group].concat(beside.map((other) => [other]))
  })
}

/** The cache point that a text asks for. */
const cachePoint = (
  { cache_control: control }: JsonObject,
  { traits }: ConverseRequestContext
): ReadonlyArray<JsonObject> =>
  isAbsent(control) || !traits.cachePoints ? [] : [{ cachePoint: { type: "default" } }]

export const textBlocks = (text: string): ReadonlyArray<JsonObject> => (text.trim() === "" ? [] : [{ text }])

const convertBlock = (
  block: JsonObject,
  field: string,
  context: ConverseRequestContext
): ReadonlyArray<JsonObject> => {
  const text = textOfBlock(block, field)
  if (text !== undefined) return textBlocks(text)
  switch (block.type) {
    case "image":
      return [imageBlock(block, field, context)]
    case "document":
      return documentBlocks(block, field, context)
    case "search_result":
      return searchResultBlocks(block, field)
    case "tool_use":
      return [toolUseBlock(block, field, context)]
    case "tool_result":
      return toolResultBlocks(block, field, context)
    case "thinking":
    case "redacted_thinking":
      return reasoningBlocks(block, context)
    // The tools of the request are those in effect.
    case "tool_addition":
    case "tool_removal":
      return []
    case "container_upload":
      return refuse(`${field}.type`, "files in a container can not be used on this model")
    default:
      return textBlocks(markerOf(block))
  }
}

const imageFormats: ReadonlyMap<string, string> = new Map([
  ["image/png", "png"],
  ["image/jpeg", "jpeg"],
  ["image/jpg", "jpeg"],
  ["image/gif", "gif"],
  ["image/webp", "webp"]
])

const imageBlock = (block: JsonObject, field: string, context: ConverseRequestContext): JsonObject => {
  const at = `${field}.source`
  const { mediaType, data } = fileData("image", objectAt(block.source, at), at, context.files)
  const format = imageFormats.get(mediaType) ?? refuse(`${at}.media_type`, `must be ${fileForms.image}`)
  return { image: { format, source: { bytes: data } } }
}

const documentFormats: ReadonlyMap<string, string> = new Map([
  ["application/pdf", "pdf"],
  ["text/plain", "txt"],
  ["text/csv", "csv"],
  ["text/html", "html"],
  ["text/markdown", "md"],
  ...officeFormats
])

/** A document that is written in blocks is its texts; the images of it stand beside. */
const documentBlocks = (
  block: JsonObject,
  field: string,
  context: ConverseRequestContext
): ReadonlyArray<JsonObject> => {
  const title = optional(stringAt, block.title, `${field}.title`)
  const at = `${field}.source`
  const source = objectAt(block.source, at)
  const images = source.type === "content" ? imagesIn(source.content, `${at}.content`, context) : []
  const read = documentSource(source, at, context.files)
  if (images.length > 0 && read.source.bytes === "") return images
  return [
    {
      document: {
        format: read.format,
        name: context.documentNames.nameFor(title),
        source: read.source,
        context: optional(stringAt, block.context, `${field}.context`)
      }
    },
    ...images
  ]
}

const imagesIn = (
  content: Json | undefined,
  field: string,
  context: ConverseRequestContext
): ReadonlyArray<JsonObject> =>
  listOf(content).flatMap((block, index) =>
    isImage(block) ? [imageBlock(block, `${field}.${index}`, context)] : []
  )

const isImage = (block: Json): block is JsonObject => isJsonObject(block) && block.type === "image"

const documentSource = (source: JsonObject, field: string, files: FetchedFiles) => {
  switch (source.type) {
    case "text":
      return { format: "txt", source: textBytes(stringAt(source.data, `${field}.data`)) }
    case "content":
      return { format: "txt", source: textBytes(plainText(source.content, `${field}.content`, isImage)) }
    default: {
      const { data, mediaType } = fileData("document", source, field, files)
      const format =
        documentFormats.get(mediaType) ?? refuse(`${field}.media_type`, "can not be used on this model")
      return { format, source: { bytes: data } }
    }
  }
}

const textBytes = (text: string) => ({ bytes: Buffer.from(text, "utf8").toString("base64") })

/** Text blocks as one text, without those that stand elsewhere; others have no place where only text is taken. */
const plainText = (
  content: Json | undefined,
  field: string,
  standsElsewhere: (block: Json) => boolean = () => false
): string => {
  if (typeof content === "string") return content
  const texts = arrayAt(content, field).map((value, index) => {
    if (standsElsewhere(value)) return ""
    const at = `${field}.${index}`
    return (
      textOfBlock(objectAt(value, at), at) ?? refuse(`${at}.type`, "only text can be used here on this model")
    )
  })
  return texts.filter((text) => text !== "").join("\n\n")
}

const searchResultBlocks = (block: JsonObject, field: string): ReadonlyArray<JsonObject> => {
  const source = stringAt(block.source, `${field}.source`)
  const title = stringAt(block.title, `${field}.title`)
  const text = plainText(block.content, `${field}.content`)
  return textBlocks(`${title}\n${source}\n\n${text}`)
}

const callId = (id: string, { toolIds, traits }: ConverseRequestContext): string =>
  traits.shortCallIds ? chatToolId(id, traits) : toolIds.send(id)

const toolUseBlock = (block: JsonObject, field: string, context: ConverseRequestContext): JsonObject => ({
  toolUse: {
    toolUseId: callId(stringAt(block.id, `${field}.id`), context),
    name: context.toolNames.send(stringAt(block.name, `${field}.name`)),
    input: optionalObject(block.input, `${field}.input`)
  }
})

/** A result and the images of it that must stand beside it. */
const toolResultBlocks = (
  block: JsonObject,
  field: string,
  context: ConverseRequestContext
): ReadonlyArray<JsonObject> => {
  const inside = { ...context, traits: { ...context.traits, cachePoints: false } }
  const content = block.content ?? ""
  const blocks = converseBlocks(content, `${field}.content`, inside).flat()
  const isBeside = ({ image }: JsonObject): boolean => image !== undefined && !context.traits.resultImages
  const beside = blocks.filter(isBeside)
  const told = blocks.filter((result) => !isBeside(result))
  const empty = beside.length === 0 ? "(no output)" : "(the result is attached)"
  const failed = block.is_error === true
  const marked = failed && !context.traits.toolStatus ? markAsError(told) : told
  const toolResult = {
    toolUseId: callId(stringAt(block.tool_use_id, `${field}.tool_use_id`), context),
    content: marked.length === 0 ? [{ text: empty }] : marked,
    status: failed && context.traits.toolStatus ? "error" : undefined
  }
  return [{ toolResult }, ...beside]
}

const markAsError = (blocks: ReadonlyArray<JsonObject>): ReadonlyArray<JsonObject> => {
  const [first, ...rest] = blocks
  return typeof first?.text === "string"
    ? [{ text: `[tool error] ${first.text}` }, ...rest]
    : [{ text: "[tool error]" }, ...blocks]
}

/** A model takes the reasoning of its own family alone, without signatures. */
const reasoningBlocks = (
  block: JsonObject,
  { family, traits }: ConverseRequestContext
): ReadonlyArray<JsonObject> => {
  const own = traits.reasoning ? ownThought(block, family, false) : undefined
  return own === undefined || own.mark.kind !== "thought" || own.text === ""
    ? []
    : [{ reasoningContent: { reasoningText: { text: own.text } } }]
}
