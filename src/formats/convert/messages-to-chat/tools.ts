/** Tools and the choice among them, from a Messages request to a chat request. */
import type { Model } from "../../../domain/catalogue.ts"
import { objectAt, optional, refuse, stringAt } from "../../json/fields.ts"
import type { JsonObject } from "../../json/json.ts"
import { toolsInEffect } from "../../messages/tool-changes.ts"
import { chatTraitsOf, type ToolChoice } from "../../chat/chat-traits.ts"
import { withItems, withProperties } from "../../json/json-schema.ts"
import { fitsStrictMode } from "../../json/strict-schema.ts"
import { isServerTool, refuseForcedMissingTool } from "../../messages/server-tools.ts"
import type { ToolNameMap } from "../tool-names.ts"

export const chatTools = (body: JsonObject, model: Model, names: ToolNameMap): JsonObject => {
  const asked = toolsInEffect(body)
  const choice = optional(objectAt, body.tool_choice, "tool_choice")
  refuseForcedMissingTool(choice, asked, isServerTool)
  const takes = toolChoiceOf(model)
  // Where it can not be named, the tool that must be called is the only one there is.
  const isAlone = takes === "no-names" && choice?.type === "tool"
  const tools = asked.flatMap((tool, index) =>
    isServerTool(tool) || (isAlone && tool.name !== choice.name)
      ? []
      : [functionTool(tool, `tools.${index}`, model, names)]
  )
  if (isAlone && tools.length === 0) refuse("tool_choice.name", "is not among the tools")
  if (tools.length === 0 || (takes === "auto" && choice?.type === "none")) return {}
  return {
    tools,
    tool_choice: choice && chosen(choice, takes, names),
    parallel_tool_calls:
      choice?.disable_parallel_tool_use === true && choice.type !== "none" ? false : undefined
  }
}

/** Whether the tools of a chat request leave the model no other answer than a call. */
export const isCallForced = ({ tool_choice: choice }: JsonObject): boolean =>
  choice === "required" || typeof choice === "object"

export const functionTool = (
  tool: JsonObject,
  field: string,
  model: Model,
  names: ToolNameMap
): JsonObject => {
  const schema = withItems(withProperties(objectAt(tool.input_schema, `${field}.input_schema`)))
  const parameters = chatTraitsOf(model).toolSchema(schema)
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

const toolChoiceOf = (model: Model): ToolChoice => {
  const { toolChoice } = chatTraitsOf(model)
  if (toolChoice === "auto") return toolChoice
  return model.upstream.refuses.has("forced_tool_choice") ? "never-forced" : toolChoice
}

const chosen = (choice: JsonObject, takes: ToolChoice, names: ToolNameMap): JsonObject | string => {
  const isNeverForced = takes === "auto" || takes === "never-forced"
  switch (choice.type) {
    case "none":
      return "none"
    case "any":
      return isNeverForced ? "auto" : "required"
    case "tool": {
      const name = names.send(stringAt(choice.name, "tool_choice.name"))
      if (isNeverForced) return "auto"
      return takes === "no-names" ? "required" : { type: "function", function: { name } }
    }
    case "auto":
      return "auto"
    default:
      return refuse("tool_choice.type", "must be auto, any, tool or none")
  }
}
