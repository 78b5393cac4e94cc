/** What chat providers refuse of tools. */
import { isJsonObject, type JsonObject, listOf, objectOf } from "../../formats/json/json.ts"
import { isOpenai } from "../models.ts"
import { givenString } from "../read-json.ts"
import type { Complaint, Request, Rule } from "../Protocol.ts"
import { emptyArray, invalidValue, missing } from "../openai/complaints.ts"
import { checkName, checkParameters } from "../openai/shared-rules.ts"

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
