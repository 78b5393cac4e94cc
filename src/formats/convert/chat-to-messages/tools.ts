/** Tools and the choice among them, from a chat request to a Messages request. */
import type { Model } from "../../../domain/catalogue.ts"
import {
  arrayAt,
  booleanAt,
  objectAt,
  optional,
  optionalArray,
  refuse,
  refuseType
} from "../../json/fields.ts"
import { isAbsent, isJsonObject, type Json, type JsonObject } from "../../json/json.ts"
import { withCacheControl } from "./content.ts"
import { givesFunctions } from "../../chat/older-functions.ts"
import { isOfCustomTool } from "../../chat/tool-calls.ts"
import { refuseForcedMissingTool } from "../../messages/server-tools.ts"
import { hostedToolsOf, isHosted } from "../../particulars/hosted-tools.ts"
import { OfferedTools } from "../OfferedTools.ts"
import { strictTools } from "../strict-tools.ts"
import { chatGrammar, customTool, functionTool } from "../tool-definitions.ts"
import { originAt } from "../tool-origin.ts"

export const messagesTools = (
  body: JsonObject,
  model: Model,
  offered: OfferedTools,
  goesOn: boolean
): JsonObject => {
  // Whoever converts the request further knows what its provider takes.
  const asked = goesOn ? offered.tools : strictTools(offered.tools, model)
  const choice = readChoice(body, offered)
  const { allowed } = choice
  const tools = allowed === undefined ? asked : asked.filter(({ name }) => allowed.has(name))
  if (tools.length === 0 && asked.length > 0 && choice.mode === "required")
    refuse("tool_choice.allowed_tools.tools", "name none of the tools given")
  if (asked.length === 0 && choice.mode === "required") {
    const hosted = hostedToolsOf(body).map(({ tool }) => ({ type: tool }))
    refuseForcedMissingTool({ type: "any" }, hosted, () => true)
  }
  if (tools.length === 0) return {}
  const parallel = optional(booleanAt, body.parallel_tool_calls, "parallel_tool_calls")
  // Who gives functions reads one call, and would pay for the others.
  const readsOne = model.family === "claude" && givesFunctions(body)
  const oneAtATime = parallel === false || choice.oneAtATime === true || readsOne
  return { tools, tool_choice: messagesChoice(choice, oneAtATime, model) }
}

/** What another provider would run by itself is left out. */
export const offeredTools = (body: JsonObject): OfferedTools => {
  const offered = new OfferedTools()
  for (const [index, value] of optionalArray(body.tools, "tools").entries()) {
    const tool = objectAt(value, `tools.${index}`)
    if (!isHosted(tool)) offerTool(tool, `tools.${index}`, offered)
  }
  // The protocol's older way to give tools.
  for (const [index, value] of optionalArray(body.functions, "functions").entries())
    offerFunction(objectAt(value, `functions.${index}`), `functions.${index}`, undefined, offered)
  return offered
}

const offerTool = (tool: JsonObject, field: string, offered: OfferedTools): void => {
  const { cache_control: mark, type } = tool
  if (isOfMessages(tool))
    return offerFunction({ ...tool, parameters: tool.input_schema }, field, mark, offered)
  if (type === "custom") {
    const at = `${field}.custom`
    const definition = objectAt(tool.custom, at)
    const told = customTool(definition, at, chatGrammar(definition))
    const marked = withCacheControl(told, mark ?? definition.cache_control)
    return offered.offer(originAt(definition, at, true), marked)
  }
  if (type !== undefined && type !== "function") refuseType("tools", tool, field)
  const definition = objectAt(tool.function, `${field}.function`)
  offerFunction(definition, `${field}.function`, mark ?? definition.cache_control, offered)
}

const offerFunction = (
  definition: JsonObject,
  field: string,
  mark: Json | undefined,
  offered: OfferedTools
): void =>
  offered.offer(originAt(definition, field, false), withCacheControl(functionTool(definition, field), mark))

/** Some clients, Cursor among them, define the tools of a model named after Claude as the Messages protocol does. */
const isOfMessages = (tool: JsonObject): boolean =>
  isJsonObject(tool.input_schema) && (tool.type === undefined || tool.type === "custom")

interface Choice {
  readonly mode: "auto" | "none" | "required" | undefined
  readonly oneAtATime?: boolean
  /** The one tool that must be called, as it is sent. */
  readonly name?: string
  /** The only tools that may be called. */
  readonly allowed?: ReadonlySet<string>
}

const readChoice = (body: JsonObject, offered: OfferedTools): Choice => {
  const field = body.tool_choice === undefined ? "function_call" : "tool_choice"
  const choice = body.tool_choice ?? body.function_call
  if (isAbsent(choice)) return { mode: undefined }
  if (choice === "auto" || choice === "none" || choice === "required") return { mode: choice }
  // Mistral's word.
  if (choice === "any") return { mode: "required" }
  if (typeof choice === "string") refuse(field, "must be auto, none, required or an object that names a tool")
  const asked = objectAt(choice, field)
  const oneAtATime = asked.disable_parallel_tool_use === true
  // The Messages protocol's own words.
  if (asked.type === "auto" || asked.type === "none") return { mode: asked.type, oneAtATime }
  if (asked.type === "any") return { mode: "required", oneAtATime }
  if (asked.type === "allowed_tools")
    return readAllowed(objectAt(asked.allowed_tools ?? asked, `${field}.allowed_tools`), offered)
  return { mode: "required", name: nameOfChosen(asked, field, offered), oneAtATime }
}

const readAllowed = (allowed: JsonObject, offered: OfferedTools): Choice => {
  const field = "tool_choice.allowed_tools.tools"
  const names = arrayAt(allowed.tools, field).map((value, index) =>
    nameOfChosen(objectAt(value, `${field}.${index}`), `${field}.${index}`, offered)
  )
  return { mode: allowed.mode === "required" ? "required" : "auto", allowed: new Set(names) }
}

const nameOfChosen = (chosen: JsonObject, field: string, offered: OfferedTools): string => {
  const isCustom = isOfCustomTool(chosen)
  const kind = isCustom ? "custom" : "function"
  const named = chosen[kind] === undefined ? chosen : objectAt(chosen[kind], `${field}.${kind}`)
  return offered.nameOfCall(originAt(named, `${field}.${kind}`, isCustom))
}

export const isForced = ({ tool_choice: choice }: JsonObject): boolean =>
  isJsonObject(choice) && (choice.type === "any" || choice.type === "tool")

/** A model that refuses to be forced is left free to choose. */
const messagesChoice = (choice: Choice, oneAtATime: boolean, model: Model): JsonObject | undefined => {
  if (choice.mode === "none") return { type: "none" }
  if (choice.mode === undefined && !oneAtATime) return undefined
  const forced = choice.mode === "required" && !model.upstream.refuses.has("forced_tool_choice")
  return {
    ...(forced ? forcedChoice(choice) : { type: "auto" }),
    ...(oneAtATime && { disable_parallel_tool_use: true })
  }
}

const forcedChoice = ({ name }: Choice): JsonObject =>
  name === undefined ? { type: "any" } : { type: "tool", name }
