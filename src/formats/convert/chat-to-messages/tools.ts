/** Tools and the choice among them, from a chat request to a Messages request. */
import type { Model } from "../../../domain/catalogue.ts"
import { arrayAt, booleanAt, objectAt, optional, refuse, stringAt } from "../../json/fields.ts"
import { isJsonObject, type Json, type JsonObject } from "../../json/json.ts"
import { withCacheControl } from "./content.ts"
import { fitsStrictMode, rootObject } from "../../json/json-schema.ts"
import { givesFunctions } from "../../chat/older-functions.ts"
import { refuseForcedMissingTool } from "../../messages/server-tools.ts"
import { hostedToolsOf, isHosted } from "../../particulars/hosted-tools.ts"
import { strictTools } from "../strict-tools.ts"
import type { ToolNameMap } from "../tool-names.ts"

export const messagesTools = (
  body: JsonObject,
  model: Model,
  names: ToolNameMap,
  goesOn: boolean
): JsonObject => {
  const named = firstOfEachName([...readTools(body, names), ...readFunctions(body, names)])
  // Whoever converts the request further knows what its provider takes.
  const asked = goesOn ? named : strictTools(named, model)
  const choice = readChoice(body)
  const allowed = choice.allowed && new Set(choice.allowed.map((name): Json => names.send(name)))
  const tools = allowed === undefined ? asked : asked.filter((tool) => allowed.has(tool.name ?? null))
  if (tools.length === 0 && asked.length > 0 && choice.mode === "required")
    refuse("tool_choice.allowed_tools.tools", "name none of the tools given")
  if (named.length === 0 && choice.mode === "required") {
    const hosted = hostedToolsOf(body).map(({ tool }) => ({ type: tool }))
    refuseForcedMissingTool({ type: "any" }, hosted, () => true)
  }
  if (tools.length === 0) return {}
  const parallel = optional(booleanAt, body.parallel_tool_calls, "parallel_tool_calls")
  // Who gives functions reads one call, and would pay for the others.
  const readsOne = model.family === "claude" && givesFunctions(body)
  const oneAtATime = parallel === false || choice.oneAtATime === true || readsOne
  return { tools, tool_choice: messagesChoice(choice, oneAtATime, model, names) }
}

/** OpenAI takes a tool that is there twice; "Tool names must be unique" (LuthienResearch/luthien-proxy #161). */
const firstOfEachName = (tools: ReadonlyArray<JsonObject>): ReadonlyArray<JsonObject> => {
  const named = new Map(tools.toReversed().map((tool) => [tool.name, tool]))
  return tools.filter((tool) => named.get(tool.name) === tool)
}

/** What another provider would run by itself is left out. */
const readTools = (body: JsonObject, names: ToolNameMap): ReadonlyArray<JsonObject> =>
  (optional(arrayAt, body.tools, "tools") ?? []).flatMap((value, index) => {
    const tool = objectAt(value, `tools.${index}`)
    return isHosted(tool) ? [] : [readTool(tool, `tools.${index}`, names)]
  })

const readTool = (tool: JsonObject, field: string, names: ToolNameMap): JsonObject => {
  if (isOfMessages(tool))
    return withCacheControl(
      messagesTool({ ...tool, parameters: tool.input_schema }, field, names),
      tool.cache_control
    )
  if (tool.type !== undefined && tool.type !== "function") {
    refuse(`${field}.type`, `tools of type ${JSON.stringify(tool.type)} can not be used on this model`)
  }
  const definition = objectAt(tool.function, `${field}.function`)
  const mark = tool.cache_control ?? definition.cache_control
  return withCacheControl(messagesTool(definition, `${field}.function`, names), mark)
}

/** Some clients, Cursor among them, define the tools of a model named after Claude as the Messages protocol does. */
const isOfMessages = (tool: JsonObject): boolean =>
  isJsonObject(tool.input_schema) && (tool.type === undefined || tool.type === "custom")

/** The protocol's older way to give tools. */
const readFunctions = (body: JsonObject, names: ToolNameMap): ReadonlyArray<JsonObject> =>
  (optional(arrayAt, body.functions, "functions") ?? []).map((value, index) =>
    messagesTool(objectAt(value, `functions.${index}`), `functions.${index}`, names)
  )

const messagesTool = (definition: JsonObject, field: string, names: ToolNameMap): JsonObject => {
  const description = optional(stringAt, definition.description, `${field}.description`)
  const schema = rootObject(optional(objectAt, definition.parameters, `${field}.parameters`) ?? {})
  return {
    name: names.send(stringAt(definition.name, `${field}.name`)),
    ...(description !== undefined && { description }),
    input_schema: schema,
    ...(definition.strict === true && fitsStrictMode(schema) && { strict: true })
  }
}

interface Choice {
  readonly mode: "auto" | "none" | "required" | undefined
  readonly oneAtATime?: boolean
  /** The one tool that must be called. */
  readonly name?: string
  /** The only tools that may be called. */
  readonly allowed?: ReadonlyArray<string>
}

const readChoice = (body: JsonObject): Choice => {
  const field = body.tool_choice === undefined ? "function_call" : "tool_choice"
  const choice = body.tool_choice ?? body.function_call
  if (choice === undefined || choice === null) return { mode: undefined }
  if (choice === "auto" || choice === "none" || choice === "required") return { mode: choice }
  // Mistral's word.
  if (choice === "any") return { mode: "required" }
  const asked = objectAt(choice, field)
  const oneAtATime = asked.disable_parallel_tool_use === true
  // The Messages protocol's own words.
  if (asked.type === "auto" || asked.type === "none") return { mode: asked.type, oneAtATime }
  if (asked.type === "any") return { mode: "required", oneAtATime }
  if (asked.type === "allowed_tools")
    return readAllowed(objectAt(asked.allowed_tools ?? asked, `${field}.allowed_tools`))
  const named = asked.function === undefined ? asked : objectAt(asked.function, `${field}.function`)
  return { mode: "required", name: stringAt(named.name, `${field}.function.name`), oneAtATime }
}

const readAllowed = (allowed: JsonObject): Choice => ({
  mode: allowed.mode === "required" ? "required" : "auto",
  allowed: arrayAt(allowed.tools, "tool_choice.allowed_tools.tools").map((value, index) => {
    const at = `tool_choice.allowed_tools.tools.${index}`
    const tool = objectAt(value, at)
    return stringAt(
      (tool.function === undefined ? tool : objectAt(tool.function, `${at}.function`)).name,
      `${at}.function.name`
    )
  })
})

export const isForced = ({ tool_choice: choice }: JsonObject): boolean =>
  isJsonObject(choice) && (choice.type === "any" || choice.type === "tool")

/** A model that refuses to be forced is left free to choose. */
const messagesChoice = (
  choice: Choice,
  oneAtATime: boolean,
  model: Model,
  names: ToolNameMap
): JsonObject | undefined => {
  if (choice.mode === "none") return { type: "none" }
  if (choice.mode === undefined && !oneAtATime) return undefined
  const forced = choice.mode === "required" && !model.upstream.refuses.has("forced_tool_choice")
  return {
    ...(forced ? forcedChoice(choice, names) : { type: "auto" }),
    ...(oneAtATime && { disable_parallel_tool_use: true })
  }
}

const forcedChoice = (choice: Choice, names: ToolNameMap): JsonObject =>
  choice.name === undefined ? { type: "any" } : { type: "tool", name: names.send(choice.name) }
