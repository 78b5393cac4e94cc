/** Reads what a conversation is made of, and the tools that may come with it. What nobody knows weighs as text. */
import { messagesNameLengthMax } from "../formats/convert/tool-names.ts"
import { isJsonObject, type Json, type JsonObject, objectsOf } from "../formats/json/json.ts"
import { isHosted } from "../formats/particulars/hosted-tools.ts"
import { addMedia, type Held, isHeld, isHolder, isMedia, isWeb, type Medium, type Member } from "./media.ts"
import { isLabel, memberKinds } from "./member-kinds.ts"
import { readReasoning, readSchemaHolder } from "./read-answer-form.ts"
import { serverToolTokens } from "./server-tools.ts"
import { later, parts, readPromptData, readToolData, readUnknown, tell } from "./walk.ts"

export const readContent = (node: Json): void => {
  if (typeof node === "string") return tell(node, "prompt")
  if (typeof node !== "object" || node === null) return readUnknown(node)
  parts.punctuation.unknown++
  if (!isJsonObject(node)) {
    for (const item of node) later(item, readContent)
    return
  }
  const type = node["type"]
  if (typeof type === "string" && Object.hasOwn(blocks, type)) return blocks[type]!(node)
  readMembers(node)
}

const readMembers = (node: JsonObject): void => {
  for (const key in node) readMember(key, node[key])
}

const readMember = (key: string, value: Json | undefined): void => {
  const kind = memberKinds.get(key)
  if (kind === undefined) tell(key, "unknown")
  if (typeof value === "string") {
    if (kind === "type") parts.typeCharacters += value.length
    if (kind === "opaque") parts.opaqueCharacters += value.length
    else if (!isLabel(kind, value)) tell(value, "prompt")
  } else if (kind === "json") later(value, readPromptData)
  else {
    if (key === "tool_calls" && Array.isArray(value)) parts.toolCalls += value.length
    if (key === "function_call" && isJsonObject(value)) parts.toolCalls++
    later(value, readContent)
  }
}

const readMedia =
  (medium: Medium) =>
  (block: JsonObject): void => {
    const held: Array<Held> = []
    for (const key in block) {
      const value = block[key]
      if (isJsonObject(value) && isHolder(key))
        for (const name in value) readHeld({ name, value: value[name], holder: value }, held)
      else if (Array.isArray(value) && isMedia(key))
        for (const item of value) readHeld({ name: key, value: item, holder: block }, held)
      else readHeld({ name: key, value, holder: block }, held)
    }
    addMedia(parts, block, medium, held)
  }

const readHeld = (member: Member, held: Array<Held>): void => {
  if (!isHeld(member)) return readMember(member.name, member.value)
  held.push(member)
  // Models that are shown nothing are told the address.
  if (isWeb(member.value)) tell(member.value, "unknown")
}

const readImage = readMedia("image")
const readFile = readMedia("document")
const readVideo = readMedia("video")
const readAudio = readMedia("audio")

const readDocument = (block: JsonObject): void => {
  const { citations, source } = block
  parts.citations ||= isJsonObject(citations) && citations["enabled"] === true
  const isText = isJsonObject(source) && (source["type"] === "content" || source["type"] === "text")
  if (isText) readMembers(block)
  else readFile(block)
}

const readRedacted = ({ data, ...block }: JsonObject): void => {
  if (typeof data === "string") parts.opaqueCharacters += data.length
  else later(data, readContent)
  readMembers(block)
}

const readToolUse = (block: JsonObject): void => {
  parts.toolCalls++
  readMembers(block)
}

export const readTools = (node: Json): void => {
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
  else later(mask, readContent)
}

/** A conversion makes tools of their own of those in a group, each by the group's name and its own. */
const readGroup = ({ tools, ...group }: JsonObject): void => {
  later(group, readToolData)
  later(tools, readTools)
  const { name } = group
  if (typeof name === "string")
    for (const _ of objectsOf(tools)) tell(name.slice(0, messagesNameLengthMax), "tools")
}

/** Items of the input bring tools along, as Codex gives its own; servers of tools are listed once for all later calls. */
const readListedTools = ({ tools, ...item }: JsonObject): void => {
  later(tools, readTools)
  readMembers(item)
}

/** A tool that is given on the way. */
const readToolAddition = ({ tool, ...block }: JsonObject): void => {
  readMembers(block)
  if (!isJsonObject(tool)) return later(tool, readContent)
  const { definition, ...addition } = tool
  if (isJsonObject(definition)) readTool(definition)
  else later(definition, readContent)
  readMembers(addition)
}

/** What follows is asked for otherwise. */
const readConfiguration = ({ reasoning, text, ...item }: JsonObject): void => {
  later(reasoning, readReasoning)
  later(text, readSchemaHolder)
  readMembers(item)
}

const blocks: Readonly<Record<string, (block: JsonObject) => void>> = {
  image: readImage,
  image_url: readImage,
  input_image: readImage,
  computer_screenshot: readImage,
  document: readDocument,
  document_url: readFile,
  file_url: readFile,
  file: readFile,
  input_file: readFile,
  video: readVideo,
  video_url: readVideo,
  input_video: readVideo,
  input_audio: readAudio,
  audio_url: readAudio,
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
  configuration_update: readConfiguration
}
