/** What chat providers refuse of tools. */
import { isJsonObject, type JsonObject, listOf, objectOf } from "../../formats/json/json.ts"
import { isOpenai } from "../models.ts"
import { givenString } from "../read-json.ts"
import type { Complaint, Request, Rule } from "../Protocol.ts"
import { emptyArray, invalidValue, missing, tooLong } from "./refuse.ts"

const nameLengthMax = 64

/** For a name of a function wherever it stands. */
export const checkName = (name: string, at: string): Complaint | undefined => {
  if (name.length > nameLengthMax) return tooLong(at, nameLengthMax, name.length)
  return /^[a-zA-Z0-9_-]+$/.test(name)
    ? undefined
    : {
        message: `Invalid '${at}': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.`,
        param: at,
        code: "invalid_value"
      }
}

const shapes: Rule<Request> = ({ body, model }) => {
  const { tools } = body
  if (tools === undefined || tools === null) return undefined
  if (listOf(tools).length === 0) return isOpenai(model) ? emptyArray("tools") : undefined
  for (const [index, tool] of listOf(tools).entries()) {
    const complaint = checkTool(objectOf(tool), `tools[${index}]`, model)
    if (complaint !== undefined) return complaint
  }
  return undefined
}

/** Tools that take a text are OpenAI's alone. */
export const toolTypesOf = (model: string): ReadonlyArray<string> =>
  isOpenai(model) ? ["function", "custom"] : ["function"]

const checkTool = (tool: JsonObject, at: string, model: string): Complaint | undefined => {
  const { type } = tool
  if (type === undefined) return missing(`${at}.type`)
  const types = toolTypesOf(model)
  if (!types.includes(String(type))) return invalidValue(`${at}.type`, type, types)
  if (type === "custom") return undefined
  const declared = tool["function"]
  if (!isJsonObject(declared)) return missing(`${at}.function`)
  const name = givenString(declared["name"])
  if (name === undefined) return missing(`${at}.function.name`)
  return (
    checkName(name, `${at}.function.name`) ?? checkParameters(declared, name, `${at}.function.parameters`)
  )
}

/** The same wherever a function is declared. */
export const checkParameters = (declared: JsonObject, name: string, at: string): Complaint | undefined => {
  const parameters = declared["parameters"]
  if (parameters === undefined || parameters === null) return undefined
  const complain = (what: string): Complaint => ({
    message: `Invalid schema for function '${name}': ${what}`,
    param: at,
    code: "invalid_function_parameters"
  })
  if (!isJsonObject(parameters) || parameters["type"] !== "object")
    return complain(
      `schema must be a JSON Schema of 'type: "object"', got 'type: "${isJsonObject(parameters) ? String(parameters["type"] ?? "None") : "None"}"'.`
    )
  if (parameters["type"] === "object" && parameters["properties"] === undefined)
    return complain("In context=(), object schema missing properties.")
  for (const union of ["oneOf", "anyOf", "allOf", "enum", "not"])
    if (parameters[union] !== undefined)
      return complain(
        `schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level.`
      )
  if (declared["strict"] !== true) return undefined
  if (parameters["additionalProperties"] !== false)
    return complain("In context=(), 'additionalProperties' is required to be supplied and to be false.")
  const required = listOf(parameters["required"])
  const names = Object.keys(objectOf(parameters["properties"]))
  return names.every((property) => required.includes(property))
    ? undefined
    : complain(
        "In context=(), 'required' is required to be supplied and to be an array including every key in properties."
      )
}

const choice: Rule<Request> = ({ body }) => {
  const asked = body["tool_choice"]
  const none = listOf(body["tools"]).length === 0
  if (none)
    for (const name of ["tool_choice", "parallel_tool_calls"])
      if (body[name] != null)
        return {
          message: `Invalid value for '${name}': '${name}' is only allowed when 'tools' are specified.`,
          param: name
        }
  if (asked === undefined || asked === null) return undefined
  if (typeof asked === "string")
    return ["none", "auto", "required"].includes(asked)
      ? undefined
      : invalidValue("tool_choice", asked, ["none", "auto", "required"])
  const named = isJsonObject(asked) ? asked["function"] : undefined
  if (!isJsonObject(named))
    return isJsonObject(asked) && asked["type"] !== "function" ? undefined : missing("tool_choice.function")
  const known = listOf(body["tools"]).some(
    (tool) =>
      isJsonObject(tool) && isJsonObject(tool["function"]) && tool["function"]["name"] === named["name"]
  )
  return known
    ? undefined
    : {
        message: `Tool choice '${String(named["name"])}' not found in 'tools' parameter.`,
        param: "tool_choice"
      }
}

export const toolRules: ReadonlyArray<Rule<Request>> = [shapes, choice]
