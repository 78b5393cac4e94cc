/** What the Messages provider refuses of tools. */
import { isJsonObject, type JsonObject, listOf } from "../../formats/json/json.ts"
import { knownModel } from "../models.ts"
import type { Complaint, Request, Rule } from "../Protocol.ts"

const namePattern = /^[a-zA-Z0-9_-]{1,128}$/

const shapes: Rule<Request> = ({ body }) => {
  const { tools } = body
  if (tools === undefined || tools === null) return undefined
  if (!Array.isArray(tools)) return { message: "tools: Input should be a valid list" }
  for (const [index, tool] of listOf(tools).entries()) {
    if (!isJsonObject(tool)) return { message: `tools.${index}: Input should be an object` }
    const complaint =
      (tool["type"] ?? "custom") === "custom" ? customTool(tool, `tools.${index}.custom`) : undefined
    if (complaint !== undefined) return complaint
  }
  return undefined
}

const customTool = (tool: JsonObject, at: string): Complaint | undefined => {
  if (typeof tool["name"] !== "string") return { message: `${at}.name: Field required` }
  if (!namePattern.test(tool["name"]))
    return { message: `${at}.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'` }
  if (tool["description"] !== undefined && typeof tool["description"] !== "string")
    return { message: `${at}.description: Input should be a valid string` }
  for (const foreign of ["function", "parameters"])
    if (tool[foreign] !== undefined) return { message: `${at}.${foreign}: Extra inputs are not permitted` }
  const schema = tool["input_schema"]
  if (!isJsonObject(schema)) return { message: `${at}.input_schema: Field required` }
  if (schema["type"] === undefined) return { message: `${at}.input_schema.type: Field required` }
  if (schema["type"] !== "object") return { message: `${at}.input_schema.type: Input should be 'object'` }
  return ["oneOf", "allOf", "anyOf"].some((union) => schema[union] !== undefined)
    ? { message: `${at}.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level` }
    : undefined
}

const uniqueNames: Rule<Request> = ({ body }) => {
  const names = toolNames(body)
  return new Set(names).size === names.length ? undefined : { message: "tools: Tool names must be unique." }
}

const toolNames = (body: JsonObject): ReadonlyArray<string> =>
  listOf(body["tools"]).flatMap((tool) =>
    isJsonObject(tool) && typeof tool["name"] === "string" ? [tool["name"]] : []
  )

const choices = new Set(["auto", "any", "tool", "none"])

const choice: Rule<Request> = ({ body, model }) => {
  const asked = body["tool_choice"]
  if (asked === undefined || asked === null) return undefined
  if (!isJsonObject(asked)) return { message: "tool_choice: Input should be an object" }
  const type = String(asked["type"])
  if (!choices.has(type))
    return {
      message: `tool_choice: Input tag '${type}' found using 'type' does not match any of the expected tags: 'auto', 'any', 'tool', 'none'`
    }
  if (listOf(body["tools"]).length === 0 && body["mcp_servers"] === undefined)
    return { message: "tool_choice may only be specified while providing tools" }
  if (type === "none" && asked["disable_parallel_tool_use"] !== undefined)
    return { message: "tool_choice.none.disable_parallel_tool_use: Extra inputs are not permitted" }
  if ((type === "any" || type === "tool") && knownModel(model).refuses.has("forced_tool_choice"))
    return { message: `tool_choice: type "${type}" is not supported for this model.` }
  if (type !== "tool") return undefined
  if (typeof asked["name"] !== "string") return { message: "tool_choice.tool.name: Field required" }
  return toolNames(body).includes(asked["name"])
    ? undefined
    : { message: `Tool '${asked["name"]}' not found in provided tools` }
}

export const toolRules: ReadonlyArray<Rule<Request>> = [shapes, uniqueNames, choice]
