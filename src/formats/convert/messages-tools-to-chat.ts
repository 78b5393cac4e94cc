/** Tools and the choice among them, from a Messages request to a chat request. */
import type { Model } from "../../domain/catalogue.ts"
import { arrayAt, objectAt, optional, refuse, stringAt } from "../fields.ts"
import type { JsonObject } from "../json.ts"
import { fitsStrictMode, withProperties } from "./json-schema.ts"
import type { ToolNameMap } from "./tool-names.ts"

export const chatTools = (body: JsonObject, model: Model, names: ToolNameMap): JsonObject => {
  const asked = optional(arrayAt, body.tools, "tools") ?? []
  const tools: Array<JsonObject> = []
  asked.forEach((value, index) => {
    const field = `tools.${index}`
    const tool = objectAt(value, field)
    if (!isServerTool(tool)) tools.push(functionTool(tool, field, names))
  })
  const choice = optional(objectAt, body.tool_choice, "tool_choice")
  refuseServerToolForced(choice, asked as ReadonlyArray<JsonObject>, tools)
  if (tools.length === 0) return {}
  return {
    tools,
    tool_choice: choice && chosen(choice, model, names),
    parallel_tool_calls:
      choice?.disable_parallel_tool_use === true && choice.type !== "none" ? false : undefined
  }
}

/** Tools that the provider runs or defines by itself have a type and no schema. A chat client's function is the caller's own. */
const isServerTool = (tool: JsonObject): boolean =>
  tool.input_schema === undefined &&
  typeof tool.type === "string" &&
  tool.type !== "custom" &&
  tool.type !== "function"

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

const refuseServerToolForced = (
  choice: JsonObject | undefined,
  asked: ReadonlyArray<JsonObject>,
  kept: ReadonlyArray<JsonObject>
): void => {
  if (choice === undefined || asked.length === 0) return
  const named =
    choice.type === "tool" && asked.some((tool) => isServerTool(tool) && tool.name === choice.name)
  if (named || (choice.type === "any" && kept.length === 0)) {
    refuse("tool_choice", "forces a tool that this model's provider does not have")
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
