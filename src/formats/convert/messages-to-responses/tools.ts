/** Tools and the choice among them, from a Messages request to a Responses request. */
import { objectAt, optional, refuse, stringAt } from "../../json/fields.ts"
import { plainObject, withItems, withProperties } from "../../json/json-schema.ts"
import { fitsStrictMode } from "../../json/strict-schema.ts"
import type { Json, JsonObject } from "../../json/json.ts"
import { isServerTool, refuseForcedMissingTool } from "../../messages/server-tools.ts"
import { toolsInEffect } from "../../messages/tool-changes.ts"
import type { ToolNameMap } from "../tool-names.ts"

export const responsesTools = (body: JsonObject, names: ToolNameMap): JsonObject => {
  const asked = toolsInEffect(body)
  const choice = optional(objectAt, body.tool_choice, "tool_choice")
  refuseForcedMissingTool(choice, asked, isServerTool)
  const tools = asked.flatMap((tool, index) =>
    isServerTool(tool) ? [] : [functionTool(tool, `tools.${index}`, names)]
  )
  if (tools.length === 0) return {}
  return {
    tools,
    ...(choice !== undefined && { tool_choice: chosen(choice, names) }),
    ...(choice?.disable_parallel_tool_use === true &&
      choice.type !== "none" && { parallel_tool_calls: false })
  }
}

const functionTool = (tool: JsonObject, field: string, names: ToolNameMap): JsonObject => {
  const parameters = withItems(
    withProperties(plainObject(objectAt(tool.input_schema, `${field}.input_schema`)))
  )
  const description = optional(stringAt, tool.description, `${field}.description`)
  return {
    type: "function",
    name: names.send(stringAt(tool.name, `${field}.name`)),
    ...(description !== undefined && { description }),
    parameters,
    // Where nothing is said the provider makes it strict.
    strict: tool.strict === true && fitsStrictMode(parameters)
  }
}

const chosen = (choice: JsonObject, names: ToolNameMap): Json => {
  switch (choice.type) {
    case "none":
    case "auto":
      return choice.type
    case "any":
      return "required"
    case "tool":
      return { type: "function", name: names.send(stringAt(choice.name, "tool_choice.name")) }
    default:
      return refuse("tool_choice.type", "must be auto, any, tool or none")
  }
}
