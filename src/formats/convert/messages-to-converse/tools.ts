/** Tools and the choice among them, from a Messages request to Converse's `toolConfig`. */
import { blocksOf } from "../../messages/blocks.ts"
import type { Model } from "../../../domain/catalogue.ts"
import { objectAt, optional, optionalText, refuse, stringAt } from "../../json/fields.ts"
import { isJsonObject, type Json, type JsonObject, listOf } from "../../json/json.ts"
import { answerTool } from "../../bedrock/answer-tool.ts"
import { novaSchema } from "../../bedrock/nova-schema.ts"
import { toolsInEffect } from "../../messages/tool-changes.ts"
import { withProperties } from "../../json/json-schema.ts"
import { grammarSchema } from "../../json/grammar-schema.ts"
import { fitsStrictMode } from "../../json/strict-schema.ts"
import type { ConverseRequestContext } from "./content.ts"
import { isServerTool, refuseForcedMissingTool } from "../../messages/server-tools.ts"

export interface ConverseTools {
  readonly toolConfig:
    | { readonly tools: ReadonlyArray<JsonObject>; readonly toolChoice?: Json | undefined }
    | undefined
  /** Tools are declared only because the history holds calls: the model is to be told not to call them now. */
  readonly callsForbidden: boolean
}

/** `answer` is the schema of an answer that is asked for as the call of a tool. */
export const converseTools = (
  body: JsonObject,
  model: Model,
  context: ConverseRequestContext,
  answer?: JsonObject
): ConverseTools => {
  const tools = clientsTools(body, model, context)
  const choice = tools.toolConfig?.toolChoice
  const isForced = isJsonObject(choice) && choice.auto === undefined
  return answer === undefined || isForced ? tools : withAnswerTool(tools, answer, context)
}

/** The model calls one of the client's tools, where it may, or answers. */
const withAnswerTool = (
  { callsForbidden, toolConfig }: ConverseTools,
  schema: JsonObject,
  context: ConverseRequestContext
): ConverseTools => {
  const name = context.toolNames.send(answerTool)
  const told = optionalText(schema.description, "description")
  const tool = {
    name,
    description: `Gives the whole answer to the user, once no other tool is needed. ${told}`.trimEnd(),
    inputSchema: { json: novaSchema(schema) }
  }
  const mayCall = toolConfig !== undefined && !callsForbidden
  return {
    toolConfig: {
      tools: [...(toolConfig?.tools ?? []), { toolSpec: tool }],
      toolChoice: mayCall ? { any: {} } : { tool: { name } }
    },
    callsForbidden: false
  }
}

const clientsTools = (body: JsonObject, model: Model, context: ConverseRequestContext): ConverseTools => {
  const asked = toolsInEffect(body)
  const choice = optional(objectAt, body.tool_choice, "tool_choice")
  const kept = [...asked.entries()].filter(([, tool]) => !isServerTool(tool))
  refuseForcedMissingTool(choice, asked, isServerTool)
  const used = toolNamesInHistory(body)
  const forbidden = kept.length === 0 || choice?.type === "none"
  // Converse has no choice "none", and refuses a history with tool calls without the tools.
  if (forbidden && used.size === 0) return { toolConfig: undefined, callsForbidden: false }
  const tools =
    kept.length > 0
      ? kept.map(([index, tool]) => declared(tool, `tools.${index}`, context))
      : [...used].map((name) => ({ toolSpec: { name: context.toolNames.send(name), inputSchema: anyInput } }))
  const toolChoice = forbidden || choice === undefined ? undefined : chosen(choice, model, context)
  return { toolConfig: { tools, toolChoice }, callsForbidden: forbidden }
}

const anyInput: JsonObject = { json: { type: "object", properties: {} } }

const declared = (tool: JsonObject, field: string, context: ConverseRequestContext): JsonObject => {
  const fit = context.traits.bareToolSchemas ? novaSchema : withProperties
  const schema = fit(objectAt(tool.input_schema, `${field}.input_schema`))
  const description = optional(stringAt, tool.description, `${field}.description`)
  const isStrict = tool.strict === true && context.traits.schemas && fitsStrictMode(schema)
  const toolSpec = {
    name: context.toolNames.send(stringAt(tool.name, `${field}.name`)),
    description: description?.trim() === "" ? undefined : description,
    inputSchema: { json: isStrict ? grammarSchema(schema) : schema },
    strict: isStrict ? true : undefined
  }
  return { toolSpec }
}

const chosen = (choice: JsonObject, model: Model, context: ConverseRequestContext): JsonObject => {
  const refused = !context.traits.forcedTools || model.upstream.refuses.has("forced_tool_choice")
  const forced = refused ? { auto: {} } : undefined
  switch (choice.type) {
    case "any":
      return forced ?? { any: {} }
    case "tool":
      return forced ?? { tool: { name: context.toolNames.send(stringAt(choice.name, "tool_choice.name")) } }
    case "auto":
      return { auto: {} }
    default:
      return refuse("tool_choice.type", "must be auto, any, tool or none")
  }
}

/** The tools that the history's calls name. A result whose call is not there is told as text, which needs none. */
const toolNamesInHistory = ({ messages }: JsonObject): ReadonlySet<string> =>
  new Set(
    listOf(messages)
      .flatMap((message) => blocksOf(message, "tool_use"))
      .map(({ name }) => name)
      .filter((name) => typeof name === "string")
  )
