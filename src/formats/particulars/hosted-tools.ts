/** The tools that providers run by themselves, by one name for each whatever the protocols call them. */
import { tokenCount } from "../../domain/usage.ts"
import { isJsonObject, type Json, type JsonObject, objectOf, objectsOf, stringOf } from "../json/json.ts"

/** A tool of a request that its provider runs. Plain data: it crosses threads. */
export interface HostedTool {
  readonly tool: string
  /** Where the request says so. */
  readonly field: string
  /** How often it may be used: what the request allows, else what is usual. */
  readonly usesMax: number
  /** The model that it asks, and how much that may write each time, in tokens. */
  readonly asks: { readonly model: string; readonly outputTokens: number } | undefined
}

/** Names begin with these; the first that fits is the tool's. */
const prefixes: ReadonlyArray<readonly [prefix: string, tool: string]> = [
  ["web_search", "web_search"],
  ["web_fetch", "web_fetch"],
  ["code_execution", "code_execution"],
  ["bash_code_execution", "code_execution"],
  ["text_editor_code_execution", "code_execution"],
  ["code_interpreter", "code_interpreter"],
  ["file_search", "file_search"],
  ["image_generation", "image_generation"],
  ["advisor", "advisor"],
  ["mcp", "mcp"],
  ["x_search", "x_search"],
  ["collections_search", "collections_search"],
  ["live_search", "live_search"],
  ["browser_search", "browser_search"],
  ["google_search", "google_search"],
  ["tool_search", "tool_search"]
]

/** What finds tools among those of the request costs nothing but its tokens. */
const free: ReadonlySet<string> = new Set(["tool_search"])

/** The tool that a provider calls so; `undefined` where it is none that the provider runs. */
export const hostedName = (name: string): string | undefined =>
  prefixes.find(([prefix]) => name.startsWith(prefix))?.[1]

/** A tool that a provider runs and nobody here has heard of. */
export const unknownTool = "other"

const usualUses = 5
const adviceTokens = 4_096
/** No provider says how many it takes to think of an SVG and write it. */
const svgTokens = 16_384

/** More than any answer has of one tool: no more is held for, and what is told beyond is not believed. */
export const usesMost = 1_000
/** No model writes more at a time. */
const adviceTokensMost = 1_000_000

/** Whether the provider runs a tool of a request. One that the caller runs has a schema or is called a function. */
export const isHosted = (tool: JsonObject): boolean => hostedToolOf(tool) !== undefined

/** What a request allows that says nothing of tools but in its own members. */
export const hostedToolsOf = (body: JsonObject): ReadonlyArray<HostedTool> =>
  readHostedTools(objectsOf(body.tools).filter(isHosted), body)

/** What a request allows: `tools` are those of its tools that the provider runs. */
export const readHostedTools = (
  tools: ReadonlyArray<JsonObject>,
  body: JsonObject
): ReadonlyArray<HostedTool> => {
  const usual = Math.min(count(body.max_tool_calls) ?? usualUses, usesMost)
  const found: Array<HostedTool> = tools.map((tool) => {
    const name = hostedToolOf(tool) ?? unknownTool
    return {
      tool: name,
      field: "tools",
      usesMax: Math.min(count(tool.max_uses) ?? usual, usesMost),
      asks: askedBy(name, tool)
    }
  })
  for (const [member, tool] of switches) {
    if (isSwitchedOn(body[member]) && !found.some((each) => each.tool === tool))
      found.push({ tool, field: member, usesMax: usual, asks: undefined })
  }
  return found
}

/**
 * Members that turn a tool on without naming it among the tools. Alibaba's two: "Web search" and "Code interpreter" in the
 * help of its Model Studio.
 */
export const switches = [
  ["web_search_options", "web_search"],
  ["enable_search", "web_search"],
  ["search_parameters", "live_search"],
  ["enable_code_interpreter", "code_interpreter"],
  ["mcp_servers", "mcp"]
] as const

export const isSwitchedOn = (value: Json | undefined): boolean => {
  if (Array.isArray(value)) return value.length > 0
  return value === true || (isJsonObject(value) && value.mode !== "off")
}

/** Moonshot's own tools look like functions: `{"type": "builtin_function", "function": {"name": "$web_search"}}`. */
export const builtinName = ({ function: called, type }: JsonObject): string | undefined => {
  const name = type === "builtin_function" ? objectOf(called).name : undefined
  return typeof name === "string" ? name.replace(/^\$/, "") : undefined
}

/** A shell is the provider's where it is one of a container; else the caller runs it. The same in requests and answers. */
export const isHostedShell = ({ environment, type }: JsonObject): boolean =>
  (type === "shell" || type === "shell_call") &&
  isJsonObject(environment) &&
  (environment.type === "container_auto" || environment.type === "container_reference")

const hostedToolOf = (tool: JsonObject): string | undefined => {
  if (isHostedShell(tool)) return "shell"
  const type = builtinName(tool) ?? tool.type
  if (typeof type !== "string" || type === "function" || type === "custom") return undefined
  if (isJsonObject(tool.input_schema)) return undefined
  const name = hostedName(type)
  return name === undefined || free.has(name) ? undefined : name
}

const askedBy = (name: string, tool: JsonObject): HostedTool["asks"] => {
  const { max_tokens: most, model, output_format: format, svg } = tool
  if (name === "advisor" && typeof model === "string")
    return { model, outputTokens: Math.min(count(most) ?? adviceTokens, adviceTokensMost) }
  if (name !== "image_generation" || format !== "svg") return undefined
  // "omitting this object uses the outer response model": what nobody is named by has the price of the called one.
  return { model: stringOf(objectOf(svg).model), outputTokens: svgTokens }
}

const count = (value: Json | undefined): number | undefined => {
  const known = tokenCount(value)
  return known === undefined || known === 0 ? undefined : known
}
