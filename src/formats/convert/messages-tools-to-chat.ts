/** Tools and the choice among them, from a Messages request to a chat request. */
import type { Model } from "../../domain/catalogue.ts"
import { objectAt, optional, refuse, stringAt } from "../fields.ts"
import type { JsonObject } from "../json.ts"
import { toolsOf } from "../messages/request.ts"
import { fitsStrictMode, withProperties } from "./json-schema.ts"
import { isServerTool, refuseForcedMissingTool } from "./server-tools.ts"
import type { ToolNameMap } from "./tool-names.ts"

export const chatTools = (body: JsonObject, model: Model, names: ToolNameMap): JsonObject => {
  const asked = toolsOf(body)
  const tools = asked.flatMap((tool, index) =>
    isServerTool(tool) ? [] : [functionTool(tool, `tools.${index}`, names)]
  )
  const choice = optional(objectAt, body.tool_choice, "tool_choice")
  refuseForcedMissingTool(choice, asked, isServerTool)
  if (tools.length === 0) return {}
  return {
    tools,
    tool_choice: choice && chosen(choice, model, names),
    parallel_tool_calls:
      choice?.disable_parallel_tool_use === true && choice.type !== "none" ? false : undefined
  }
}

const functionTool = (tool: JsonObject, field: string, names: ToolNameMap): JsonObject => {
  const schema = objectAt(tool.input_schema, `${field}.input_schema`)
  const parameters = withProperties(schema)
  return {
    type: "function",
    function: {
      name: names.send(stringAt(tool.name, `${field}.name`)),
      description: optional(stringAt, tool.description, `${field}.description`),
      parameters,
      strict: tool.strict === true && fitsStrictMode(parameters) ? true : undefined
    }
  }
}

const chosen = (choice: JsonObject, model: Model, names: ToolNameMap): JsonObject | string => {
  switch (choice.type) {
    case "none":
      return "none"
    case "any":
      return model.upstream.refuses.has("forced_tool_choice") ? "auto" : "required"
    case "tool": {
      const name = names.send(stringAt(choice.name, "tool_choice.name"))
      return model.upstream.refuses.has("forced_tool_choice")
        ? "auto"
        : { type: "function", function: { name } }
    }
    case "auto":
      return "auto"
    default:
      return refuse("tool_choice.type", "must be auto, any, tool or none")
  }
}
