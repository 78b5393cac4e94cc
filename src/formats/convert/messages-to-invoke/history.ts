/**
 * The history of a Messages request as Claude takes it on Bedrock: blocks of tools that only Anthropic runs as text, and
 * without what its messages may say elsewhere alone, as who made a call: "tool_use.caller: Extra inputs are not permitted"
 * (anthropics/anthropic-sdk-python #1107).
 */
import type { Model } from "../../../domain/catalogue.ts"
import { markerOf } from "../foreign-blocks.ts"
import { formerIfSame } from "../../json/each-object.ts"
import { isJsonObject, type Json, type JsonObject, listOf, objectOf } from "../../json/json.ts"
import { isToolChange } from "../../messages/tool-changes.ts"
import { messagesWordsFirst } from "../words-first.ts"

/** `isMissing` tells the tools that Bedrock does not have, of which `tools` may hold some. */
export interface HistoryContext {
  readonly model: Model
  readonly tools: ReadonlyArray<JsonObject>
  readonly isMissing: (tool: JsonObject) => boolean
}

/** The same value where nothing has to change. */
export const bedrockHistory = (messages: Json | undefined, context: HistoryContext): Json | undefined => {
  if (!Array.isArray(messages)) return messages
  const missing = new Set(context.tools.filter(context.isMissing).map(({ name }) => name))
  const fitted = messages.flatMap((message: Json) => fittedMessage(message, context, missing))
  return formerIfSame(fitted, messages)
}

const fittedMessage = (
  message: Json,
  context: HistoryContext,
  missing: ReadonlySet<Json | undefined>
): ReadonlyArray<Json> => {
  if (!isJsonObject(message)) return [message]
  const kept = takesTurnEffort(context.model) ? message : withoutMember(message, "output_config")
  const content = listOf(kept.content)
  const made = content.flatMap((block) => fittedBlock(block, context, missing))
  const ordered = objectOf(made.at(-1)).type === "text" ? messagesWordsFirst(made) : made
  const blocks = formerIfSame(ordered, content)
  const fitted = blocks === content ? kept : { ...kept, content: blocks }
  // What a message said may have been all for others: no upstream takes an empty one.
  const isEmptied = fitted !== message && blocks.length === 0 && typeof fitted.content !== "string"
  return isEmptied && fitted.output_config === undefined ? [] : [fitted]
}

/**
 * The effort of a turn: "Extra inputs are not permitted" with the flag for it too, before the models of autumn 2026. It is
 * a hint, and that of the whole request holds without it. Older models have the day of their making behind their number.
 */
const takesTurnEffort = ({ upstream }: Model): boolean => /-5-[1-9](?!\d)/.test(upstream.model)

const withoutMember = (object: JsonObject, name: string): JsonObject => {
  if (object[name] === undefined) return object
  const { [name]: _, ...rest } = object
  return rest
}

/** Blocks of tools that Anthropic runs. Its tool search runs on Bedrock too. */
const foreign =
  /^(server_tool_use|mcp_tool_use|mcp_tool_listing|fallback|(web_search|web_fetch|advisor|mcp|(bash_|text_editor_)?code_execution)_tool_result)$/

const fittedBlock = (
  block: Json,
  { isMissing }: HistoryContext,
  missing: ReadonlySet<Json | undefined>
): ReadonlyArray<Json> => {
  if (!isJsonObject(block)) return [block]
  const { citations, name, tool, type } = block
  if (isToolChange(type)) return isJsonObject(tool) && isOfMissing(tool, isMissing, missing) ? [] : [block]
  if (type === "text") return [Array.isArray(citations) ? withoutWebCitations(block, citations) : block]
  const isSearchOfTools = typeof name === "string" && name.startsWith("tool_search_tool")
  if (typeof type !== "string" || !foreign.test(type) || isSearchOfTools)
    return [withoutMember(block, "caller")]
  const text = markerOf(block)
  if (text === "") return []
  const { cache_control: mark } = block
  return [{ type: "text", text, ...(mark !== undefined && { cache_control: mark }) }]
}

const isOfMissing = (
  tool: JsonObject,
  isMissing: (tool: JsonObject) => boolean,
  missing: ReadonlySet<Json | undefined>
): boolean =>
  isJsonObject(tool.definition)
    ? isMissing(tool.definition)
    : tool.server_name !== undefined || missing.has(tool.name)

/** They point at results that are text now. */
const withoutWebCitations = (block: JsonObject, citations: ReadonlyArray<Json>): JsonObject => {
  const kept = citations.filter((citation) => objectOf(citation).type !== "web_search_result_location")
  if (kept.length === citations.length) return block
  return kept.length === 0 ? withoutMember(block, "citations") : { ...block, citations: kept }
}
