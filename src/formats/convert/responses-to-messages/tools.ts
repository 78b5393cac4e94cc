/**
 * The tools of a Responses request, wherever it gives them, as those of Messages: custom tools become functions of one
 * text, groups are flattened, and what only OpenAI runs is left out.
 */
import type { Model } from "../../../domain/catalogue.ts"
import { objectAt, optionalArray, optionalText, refuse, stringAt } from "../../json/fields.ts"
import { type Json, type JsonObject, listOf, objectOf } from "../../json/json.ts"
import { OfferedTools } from "../OfferedTools.ts"
import { strictTools } from "../strict-tools.ts"
import { customTool, functionTool } from "../tool-definitions.ts"
import { separator } from "../tool-origin.ts"
import type { MessagesDialect } from "../messages-dialect.ts"

/** All tools of the request: its own, and those that items of the input bring along. */
export const offeredTools = (body: JsonObject, model: Model, { goesOn }: MessagesDialect): OfferedTools => {
  const offered = new OfferedTools()
  offerAll(optionalArray(body.tools, "tools"), "tools", undefined, offered)
  for (const [index, value] of listOf(body.input).entries()) {
    const item = objectOf(value)
    if (!bringsTools.has(item.type)) continue
    const field = `input.${index}.tools`
    offerAll(optionalArray(item.tools, field), field, undefined, offered)
  }
  // Whoever converts the request further knows what its provider takes.
  if (goesOn) return offered
  for (const [index, tool] of strictTools(offered.tools, model).entries()) offered.tools[index] = tool
  return offered
}

const bringsTools: ReadonlySet<Json | undefined> = new Set(["additional_tools", "tool_search_output"])

const offerAll = (
  tools: ReadonlyArray<Json>,
  field: string,
  namespace: string | undefined,
  offered: OfferedTools
): void => {
  for (const [index, value] of tools.entries()) {
    const at = `${field}.${index}`
    const tool = objectAt(value, at)
    if (tool.type === "namespace" && namespace === undefined) offerGroup(tool, at, offered)
    else if (tool.type === "function")
      offered.offer({ name: nameAt(tool, at), namespace, isCustom: false }, functionTool(tool, at))
    else if (tool.type === "custom")
      offered.offer({ name: nameAt(tool, at), namespace, isCustom: true }, customTool(tool, at, tool.format))
    else stringAt(tool.type, `${at}.type`)
  }
}

/** What a group is for is told with its first tool. */
const offerGroup = (group: JsonObject, field: string, offered: OfferedTools): void => {
  const name = nameAt(group, field)
  const told = optionalText(group.description, `${field}.description`)
  const first = offered.tools.length
  offerAll(optionalArray(group.tools, `${field}.tools`), `${field}.tools`, name, offered)
  const tool = offered.tools[first]
  if (tool === undefined || told.trim() === "") return
  const own = typeof tool.description === "string" ? `${tool.description}\n\n` : ""
  offered.tools[first] = { ...tool, description: `${own}Of all tools of the group ${name}: ${told}` }
}

const nameAt = (tool: JsonObject, field: string): string => {
  const name = stringAt(tool.name, `${field}.name`)
  return name === "" || name.includes(separator) ? refuse(`${field}.name`, "is no name of a tool") : name
}
