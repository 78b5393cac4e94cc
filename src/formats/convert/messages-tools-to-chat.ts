/** Tools and the choice among them, from a Messages request to a chat request. */
import type { Model } from "../../domain/catalogue.ts"
import { objectAt, optional, refuse, stringAt } from "../fields.ts"
import type { JsonObject } from "../json.ts"
import { toolsOf } from "../messages/request.ts"
import { fitsStrictMode, kimiSchema, withProperties } from "./json-schema.ts"
import { isServerTool, refuseForcedMissingTool } from "./server-tools.ts"
import { type ToolChoiceDialect, toolChoiceDialect } from "./tool-choice-dialects.ts"
import type { ToolNameMap } from "./tool-names.ts"

export const chatTools = (body: JsonObject, model: Model, names: ToolNameMap): JsonObject => {
  const asked = toolsOf(body)
  const choice = optional(objectAt, body.tool_choice, "tool_choice")
  refuseForcedMissingTool(choice, asked, isServerTool)
  const dialect = toolChoiceDialect(model)
  // Where it can not be named, the tool that must be called is the only one there is.
  const isAlone = dialect === "no_names" && choice?.type === "tool"
  const tools = asked.flatMap((tool, index) =>
    isServerTool(tool) || (isAlone && tool.name !== choice.name)
      ? []
      : [functionTool(tool, `tools.${index}`, model, names)]
  )
  if (isAlone && tools.length === 0) refuse("tool_choice.name", "is not among the tools")
  if (tools.length === 0 || (dialect === "auto" && choice?.type === "none")) return {}
  return {
    tools,
    tool_choice: choice && chosen(choice, dialect, names),
    parallel_tool_calls:
      choice?.disable_parallel_tool_use === true && choice.type !== "none" ? false : undefined
  }
}

/** Whether the tools of a chat request leave the model no other answer than a call. */
export const isCallForced = ({ tool_choice: choice }: JsonObject): boolean =>
  choice === "required" || typeof choice === "object"

const functionTool = (tool: JsonObject, field: string, model: Model, names: ToolNameMap): JsonObject => {
  const schema = withProperties(objectAt(tool.input_schema, `${field}.input_schema`))
  const parameters = model.upstream.provider === "moonshotai" ? kimiSchema(schema) : schema
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

const chosen = (
  choice: JsonObject,
  dialect: ToolChoiceDialect | undefined,
  names: ToolNameMap
): JsonObject | string => {
  const isNeverForced = dialect === "auto" || dialect === "never_forced"
  switch (choice.type) {
    case "none":
      return "none"
    case "any":
      return isNeverForced ? "auto" : "required"
    case "tool": {
      const name = names.send(stringAt(choice.name, "tool_choice.name"))
      if (isNeverForced) return "auto"
      return dialect === "no_names" ? "required" : { type: "function", function: { name } }
    }
    case "auto":
      return "auto"
    default:
      return refuse("tool_choice.type", "must be auto, any, tool or none")
  }
}
