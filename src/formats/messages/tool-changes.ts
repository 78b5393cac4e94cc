/** Tools that are given and taken away in the middle of a Messages conversation. */
import { isJsonObject, type Json, type JsonObject, objectsOf } from "../json/json.ts"
import { toolsOf } from "./request.ts"

export const isToolChange = (type: Json | undefined): boolean =>
  type === "tool_addition" || type === "tool_removal"

/** All tools that the request defines, wherever it does, but for those that are taken away again. */
export const toolsInEffect = (body: JsonObject): ReadonlyArray<JsonObject> => {
  const changes = changesIn(body.messages)
  if (changes.length === 0) return toolsOf(body)
  const tools = new Map(
    toolsOf(body).map((tool): [Json | undefined, JsonObject] => [tool.name ?? tool, tool])
  )
  const removed = new Set<Json | undefined>()
  for (const { tool, type } of changes) {
    if (!isJsonObject(tool)) continue
    const { definition } = tool
    const name = isJsonObject(definition) ? definition.name : tool.name
    if (isJsonObject(definition)) tools.set(name, definition)
    if (type === "tool_removal") removed.add(name)
    else removed.delete(name)
  }
  return [...tools].filter(([name]) => !removed.has(name)).map(([, tool]) => tool)
}

/** In the order in which they hold; a summary carries those of what it stands for. */
const changesIn = (messages: Json | undefined): ReadonlyArray<JsonObject> =>
  objectsOf(messages)
    .flatMap(({ content }) => objectsOf(content))
    .flatMap((block) => (block.type === "compaction" ? objectsOf(block.tool_changes) : [block]))
    .filter(({ type }) => isToolChange(type))
