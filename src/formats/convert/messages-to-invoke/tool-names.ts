/** Claude takes tool names of 128 characters from Anthropic's own service, and of 64 from Bedrock. */
import { eachObject } from "../../json/each-object.ts"
import { noToolNames, originalName, ToolNameMap, type ToolNames } from "../tool-names.ts"
import { isJsonObject, type Json, type JsonObject, objectsOf } from "../../json/json.ts"

const nameLengthMax = 64

interface Shortened {
  /** The members of the request that had to change. */
  readonly set: Readonly<Record<string, Json>>
  readonly toolNames: ToolNames
}

const unchanged: Shortened = { set: {}, toolNames: noToolNames }

/** The request's tools, choice and history with names that Bedrock takes; usually all do already. */
export const shortenToolNames = (request: JsonObject): Shortened => {
  if (!holdsForbiddenName(request)) return unchanged
  const names = new ToolNameMap(nameLengthMax)
  const tools = eachObject(request.tools, (tool) => renamed(tool, names))
  const messages = eachObject(request.messages, (message) => {
    const content = eachObject(message.content, (block) =>
      block.type === "tool_use" ? renamed(block, names) : block
    )
    return { ...message, content }
  })
  const choice = request.tool_choice
  return {
    set: {
      ...(tools !== undefined && { tools }),
      ...(messages !== undefined && { messages }),
      ...(isJsonObject(choice) && { tool_choice: renamed(choice, names) })
    },
    toolNames: names.originals
  }
}

/** The content of an answer with the names as the caller gave them. */
export const withOriginalNames = (content: Json | undefined, toolNames: ToolNames): Json | undefined =>
  eachObject(content, (block) => withOriginalName(block, toolNames))

export const withOriginalName = (block: JsonObject, toolNames: ToolNames): JsonObject =>
  block.type === "tool_use" && typeof block.name === "string" && toolNames.has(block.name)
    ? { ...block, name: originalName(toolNames, block.name) }
    : block

const holdsForbiddenName = (request: JsonObject): boolean => {
  const isForbidden = ({ name }: JsonObject): boolean =>
    typeof name === "string" && !/^[a-zA-Z0-9_-]{1,64}$/.test(name)
  return (
    objectsOf(request.tools).some(isForbidden) ||
    objectsOf(request.messages).some(({ content }) =>
      objectsOf(content).some((block) => block.type === "tool_use" && isForbidden(block))
    )
  )
}

const renamed = (named: JsonObject, names: ToolNameMap): JsonObject =>
  typeof named.name === "string" ? { ...named, name: names.send(named.name) } : named
