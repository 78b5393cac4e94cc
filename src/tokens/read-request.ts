/**
 * Reads the parsed body of a text request once and tells what a model will be given: its texts, one by one, and how
 * many of everything that is not text. It judges nothing: whatever has an unexpected type is read as text or skipped.
 */
import { type Json, isJsonObject, type JsonObject, objectsOf } from "../formats/json/json.ts"
import { messagesNameLengthMax } from "../formats/convert/tool-names.ts"
import { isHosted, isSwitchedOn, switches } from "../formats/particulars/hosted-tools.ts"
import { audioCharacters } from "./audio-characters.ts"
import { documentSource, fileNames, pdfInImage } from "./document-tokens.ts"
import { holdsVideo, imageSource } from "./image-tokens.ts"
import { isItemLabel, isLabel } from "./labels.ts"
import { noParts, type Part, type RequestParts } from "./request-parts.ts"
import { serverToolTokens } from "./server-tools.ts"

// The walk keeps its own stack: nesting has no limit but the body's size. It never waits, so one stack serves all.
const nodes: Array<Json> = []
const readers: Array<(node: Json) => void> = []
let parts: RequestParts
let tell: (text: string, part: Part) => void

/** `onText` is told every text the model will read. */
export const readRequest = (body: JsonObject, onText: (text: string, part: Part) => void): RequestParts => {
  nodes.length = 0
  readers.length = 0
  tell = onText
  parts = noParts()
  for (const key in body) {
    const value = body[key]
    const reader = Object.hasOwn(topLevel, key) ? topLevel[key] : undefined
    if (reader !== undefined && value !== undefined && value !== null) reader(value)
  }
  while (nodes.length > 0) readers.pop()!(nodes.pop()!)
  return parts
}

const later = (node: Json | undefined, reader: (node: Json) => void): void => {
  if (node === undefined || node === null) return
  nodes.push(node)
  readers.push(reader)
}

const readMessages = (node: Json): void => {
  parts.messages += Array.isArray(node) ? node.length : 1
  later(node, readContent)
}

const readTools = (node: Json): void => {
  if (!Array.isArray(node)) return later(node, readToolData)
  for (const tool of node) readTool(tool)
}

const readTool = (tool: Json): void => {
  parts.tools++
  if (!isJsonObject(tool)) return later(tool, readToolData)
  if (isHosted(tool)) parts.hostedTools.push(tool)
  if (tool["type"] === "custom" && tool["input_schema"] === undefined) parts.customTools++
  if (tool["type"] === "namespace") return readGroup(tool)
  const added = serverToolTokens(tool)
  if (added === 0) return later(tool, readToolData)
  parts.serverToolTokens += added
  readHostedTool(tool)
}

/** What it is told: a server's description and its tools, where a search is made from, a picture's mask. */
const readHostedTool = ({ input_image_mask: mask, tools, ...tool }: JsonObject): void => {
  readMembers(tool)
  later(tools, readToolData)
  if (isJsonObject(mask)) readImage(mask)
}

/** A conversion makes tools of their own of those in a group, each by the group's name and its own. */
const readGroup = ({ tools, ...group }: JsonObject): void => {
  later(group, readToolData)
  later(tools, readTools)
  const { name } = group
  if (typeof name === "string")
    for (const _ of objectsOf(tools)) tell(name.slice(0, messagesNameLengthMax), "tools")
}

const readSchemaHolder = (node: Json): void => {
  if (!isJsonObject(node)) return
  readFormat(node)
  if (isJsonObject(node["format"])) readFormat(node["format"])
}

/** Whichever of them a provider knows. */
const readFormat = ({ description, json_schema, schema, type }: JsonObject): void => {
  parts.jsonMode ||= type === "json_object"
  for (const said of [json_schema, schema, description]) later(said, readSchemaData)
}

const readThinking = (node: Json): void => {
  parts.thinking ||= isJsonObject(node) && node["type"] !== "disabled"
}

/** What Claude is told to think by, where chat or Responses clients call it. */
const readEffort = (effort: Json | undefined): void => {
  parts.thinking ||= typeof effort === "string" && effort !== "none"
}

const readReasoning = (node: Json | undefined): void => {
  if (isJsonObject(node)) readEffort(node["effort"])
}

const readContextEdits = (node: Json): void => {
  const list = isJsonObject(node) ? node["edits"] : node
  for (const edit of objectsOf(list)) {
    const { type } = edit
    // Whoever sums a conversation up may be told how.
    readMembers(edit)
    parts.compaction ||= typeof type === "string" && type.startsWith("compact")
  }
}

const readMcpServers = (node: Json): void => {
  if (Array.isArray(node))
    for (const server of node) parts.serverToolTokens += serverToolTokens({ type: "mcp", server })
}

/** Each skill brings instructions that the body does not show. */
const readContainer = (node: Json): void => {
  const skills = isJsonObject(node) && Array.isArray(node["skills"]) ? node["skills"] : []
  parts.serverToolTokens += skills.length * serverToolTokens({ type: "skill" })
}

/** Members that turn on a tool of the provider's. */
const switchReaders = Object.fromEntries(
  switches.map(([member, type]) => [
    member,
    (value: Json): void => {
      if (!isSwitchedOn(value)) return
      parts.serverToolTokens += serverToolTokens({ type })
      later(value, readContent)
    }
  ])
)

const readContent = (node: Json): void => {
  if (typeof node === "string") return tell(node, "prompt")
  if (Array.isArray(node)) {
    for (const item of node) later(item, readContent)
    return
  }
  if (!isJsonObject(node)) return
  const type = node["type"]
  if (typeof type === "string" && Object.hasOwn(blocks, type)) return blocks[type]!(node)
  readMembers(node)
}

const jsonMembers: ReadonlySet<string> = new Set(["input", "arguments", "json", "schema", "parameters"])

const readMembers = (node: JsonObject): void => {
  for (const key in node) {
    const value = node[key]
    if (typeof value === "string") {
      if (key === "encrypted_content" || key === "encrypted_index" || key === "signature") {
        parts.opaqueCharacters += value.length
      } else if (!isLabel(key, value)) tell(value, "prompt")
    } else if (jsonMembers.has(key)) {
      later(value, readPromptData)
    } else if (key !== "cache_control" && key !== "caller") {
      if (key === "tool_calls" && Array.isArray(value)) parts.toolCalls += value.length
      if (key === "function_call" && isJsonObject(value)) parts.toolCalls++
      later(value, readContent)
    }
  }
}

/** JSON that the model reads as JSON: its keys count too. */
const readData =
  (part: Part) =>
  (node: Json): void => {
    if (typeof node === "string") {
      parts.punctuation[part]++
      tell(node, part)
    } else if (Array.isArray(node)) {
      parts.punctuation[part]++
      for (const item of node) later(item, dataReaders[part])
    } else if (isJsonObject(node)) {
      parts.punctuation[part]++
      for (const key in node) {
        parts.punctuation[part]++
        tell(key, part)
        later(node[key], dataReaders[part])
      }
    } else if (typeof node === "number") tell(String(node), part)
    else parts.punctuation[part]++
  }

const dataReaders: Readonly<Record<Part, (node: Json) => void>> = {
  prompt: readData("prompt"),
  tools: readData("tools"),
  schema: readData("schema")
}
const readPromptData = (node: Json): void => dataReaders.prompt(node)
const readToolData = (node: Json): void => dataReaders.tools(node)
const readSchemaData = (node: Json): void => dataReaders.schema(node)

const topLevel: Readonly<Record<string, (value: Json) => void>> = {
  ...switchReaders,
  system: readContent,
  instructions: readContent,
  messages: readMessages,
  input: readMessages,
  prompt: readContent,
  prediction: readContent,
  tools: readTools,
  functions: readTools,
  response_format: readSchemaHolder,
  output_format: readSchemaHolder,
  output_config: readSchemaHolder,
  text: readSchemaHolder,
  thinking: readThinking,
  reasoning_effort: readEffort,
  reasoning: readReasoning,
  context_management: readContextEdits,
  mcp_servers: readMcpServers,
  container: readContainer
}

const readImage = (block: JsonObject): void => {
  const pdf = pdfInImage(block)
  if (pdf !== undefined) parts.documents.push(pdf)
  else if (holdsVideo(block)) parts.videos++
  else parts.images.push(imageSource(block))
}

const readToolUse = (block: JsonObject): void => {
  parts.toolCalls++
  readMembers(block)
}

/** Items of the input bring tools along, as Codex gives its own; servers of tools are listed once for all later calls. */
const readListedTools = ({ tools, ...item }: JsonObject): void => {
  later(tools, readTools)
  readMembers(Object.fromEntries(Object.entries(item).filter(([name, value]) => !isItemLabel(name, value))))
}

/** A tool that is given on the way. */
const readToolAddition = (block: JsonObject): void => {
  const tool = isJsonObject(block["tool"]) ? block["tool"] : {}
  if (isJsonObject(tool["definition"])) readTool(tool["definition"])
  else readMembers(block)
}

const readDocument = ({ citations, source, ...block }: JsonObject): void => {
  if (isJsonObject(source) && source["type"] === "content") later(source["content"], readContent)
  else if (isJsonObject(source) && source["type"] === "text") readMembers(source)
  else parts.documents.push(documentSource({ ...block, source }))
  readMembers(block)
  parts.citations ||= isJsonObject(citations) && citations["enabled"] === true
}

const readRedacted = (block: JsonObject): void => {
  if (typeof block["data"] === "string") parts.opaqueCharacters += block["data"].length
}

const readFile = (block: JsonObject): void => {
  parts.documents.push(documentSource(block))
  for (const name of fileNames(block)) later(name, readContent)
}

const readVideo = (): void => {
  parts.videos++
}

const blocks: Readonly<Record<string, (block: JsonObject) => void>> = {
  image: readImage,
  image_url: readImage,
  input_image: readImage,
  computer_screenshot: readImage,
  document: readDocument,
  document_url: readFile,
  file_url: readFile,
  video: readVideo,
  video_url: readVideo,
  input_video: readVideo,
  file: readFile,
  input_file: readFile,
  input_audio: (block) => {
    parts.audioCharacters += audioCharacters(block)
  },
  redacted_thinking: readRedacted,
  tool_use: readToolUse,
  server_tool_use: readToolUse,
  mcp_tool_use: readToolUse,
  function_call: readToolUse,
  custom_tool_call: readToolUse,
  additional_tools: readListedTools,
  tool_search_output: readListedTools,
  mcp_list_tools: readListedTools,
  mcp_tool_listing: readListedTools,
  tool_addition: readToolAddition,
  configuration_update: ({ reasoning, text }) => {
    readReasoning(reasoning)
    later(text, readSchemaHolder)
  }
}
