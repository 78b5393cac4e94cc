/** What the Responses provider refuses, in its own words. */
import { isJsonObject, type Json, type JsonObject } from "../../formats/json/json.ts"
import { emptyArray, invalidValue, missing, unsupported, wrongType } from "../chat/refuse.ts"
import { checkName, checkParameters } from "../chat/tool-rules.ts"
import { isOpenai, knownModel } from "../models.ts"
import { type Complaint, listOf, type Request, type Rule, stringOf } from "../Protocol.ts"
import { recall } from "./kept.ts"
import { continued, conversationId, ownItems, referredId } from "./read-ask.ts"

const fields = new Set(
  (
    "access_programs background client_metadata context_management conversation include input instructions " +
    "max_output_tokens max_tool_calls metadata model moderation parallel_tool_calls previous_response_id prompt " +
    "prompt_cache_key prompt_cache_options prompt_cache_retention reasoning safety_identifier service_tier store stream " +
    "stream_options temperature text tool_choice tools top_logprobs top_p truncation user"
  ).split(" ")
)

const required: Rule<Request> = ({ model, body }) => {
  if (model === "") return missing("model")
  return ["input", "prompt", "previous_response_id", "conversation"].some((name) => body[name] != null)
    ? undefined
    : missing("input")
}

const onlyKnown: Rule<Request> = ({ body, model, settings }) => {
  if (settings.lenient || !isOpenai(model)) return undefined
  const unknown = Object.keys(body).find((name) => !fields.has(name))
  return unknown === undefined
    ? undefined
    : { message: `Unknown parameter: '${unknown}'.`, param: unknown, code: "unknown_parameter" }
}

const continuation: Rule<Request> = ({ body }) => {
  const previous = stringOf(body["previous_response_id"])
  const conversation = conversationId(body)
  if (previous !== undefined && conversation !== undefined)
    return {
      message:
        "Mutually exclusive parameters: 'previous_response_id' and 'conversation'. Ensure you are only providing one of: 'previous_response_id' or 'conversation'.",
      code: "mutually_exclusive_parameters"
    }
  if (previous !== undefined && recall(previous) === undefined)
    return {
      message: `Previous response with id '${previous}' not found.`,
      param: "previous_response_id",
      code: "previous_response_not_found"
    }
  return conversation !== undefined && recall(conversation) === undefined
    ? {
        message: `Conversation with id '${conversation}' not found.`,
        param: "conversation",
        code: "conversation_not_found"
      }
    : undefined
}

const cap: Rule<Request> = ({ body }) => {
  const value = body["max_output_tokens"]
  if (value === undefined || value === null) return undefined
  if (!Number.isInteger(value)) return wrongType("max_output_tokens", "an integer", value)
  return (value as number) < 16
    ? {
        message: `Invalid 'max_output_tokens': integer below minimum value. Expected a value >= 16, but got ${value as number} instead.`,
        param: "max_output_tokens",
        code: "integer_below_min_value"
      }
    : undefined
}

const sampling: Rule<Request> = ({ body, model }) => {
  if (!knownModel(model).refuses.has("sampling")) return undefined
  const given = ["temperature", "top_p"].find((name) => body[name] != null && body[name] !== 1)
  return given === undefined ? undefined : unsupported(given)
}

const tools: Rule<Request> = ({ body }) => {
  for (const [index, tool] of listOf(body["tools"]).entries()) {
    const at = `tools[${index}]`
    if (!isJsonObject(tool) || tool["type"] === undefined) return missing(`${at}.type`)
    if (tool["type"] !== "function" && tool["type"] !== "custom") continue
    const name = stringOf(tool["name"])
    if (name === undefined) return missing(`${at}.name`)
    if (tool["type"] === "custom") continue
    const complaint = checkName(name, `${at}.name`) ?? checkParameters(tool, name, `${at}.parameters`)
    if (complaint !== undefined) return complaint
  }
  return undefined
}

const contentTypes = [
  "input_text",
  "input_image",
  "output_text",
  "refusal",
  "input_file",
  "computer_screenshot",
  "summary_text"
]

const items: Rule<Request> = ({ body }) => {
  if (body["input"] != null && typeof body["input"] !== "string" && !Array.isArray(body["input"]))
    return wrongType("input", "one of a string or array of input items", body["input"])
  if (Array.isArray(body["input"]) && body["input"].length === 0 && body["previous_response_id"] == null)
    return emptyArray("input")
  for (const [index, item] of ownItems(body).entries()) {
    if (!isJsonObject(item)) return wrongType(`input[${index}]`, "an object", item)
    const complaint = checkItem(item, `input[${index}]`)
    if (complaint !== undefined) return complaint
  }
  return undefined
}

const checkItem = (item: JsonObject, at: string): Complaint | undefined => {
  const type = stringOf(item["type"]) ?? "message"
  if (type === "item_reference")
    return { status: 404, message: `Item with id '${referredId(item)}' not found.`, param: "input" }
  if (type === "function_call_output" && typeof item["call_id"] !== "string") return missing(`${at}.call_id`)
  if (type === "function_call")
    for (const name of ["call_id", "name", "arguments"])
      if (typeof item[name] !== "string") return missing(`${at}.${name}`)
  if (type === "custom_tool_call_output" && typeof item["call_id"] !== "string")
    return missing(`${at}.call_id`)
  if (type === "custom_tool_call")
    for (const name of ["call_id", "name", "input"])
      if (typeof item[name] !== "string") return missing(`${at}.${name}`)
  if (type !== "message") return undefined
  if (!["user", "assistant", "system", "developer"].includes(String(item["role"])))
    return invalidValue(`${at}.role`, item["role"], ["assistant", "system", "developer", "user"])
  for (const [index, part] of listOf(item["content"]).entries()) {
    const partType = isJsonObject(part) ? String(part["type"]) : ""
    if (!contentTypes.includes(partType))
      return invalidValue(`${at}.content[${index}].type`, partType, contentTypes)
  }
  return undefined
}

const pairedCalls: Rule<Request> = ({ body }) => {
  const all = [...continued(body).items, ...ownItems(body)]
  const ids = (type: string) => all.flatMap((item) => (isType(item, type) ? [String(item["call_id"])] : []))
  return (
    checkPairs(ids("function_call"), ids("function_call_output"), "function") ??
    checkPairs(ids("custom_tool_call"), ids("custom_tool_call_output"), "custom tool")
  )
}

const checkPairs = (
  calls: ReadonlyArray<string>,
  outputs: ReadonlyArray<string>,
  kind: string
): Complaint | undefined => {
  const orphan = outputs.find((id) => !calls.includes(id))
  if (orphan !== undefined)
    return { message: `No tool call found for ${kind} call output with call_id ${orphan}.`, param: "input" }
  const open = calls.find((id) => !outputs.includes(id))
  return open === undefined
    ? undefined
    : { message: `No tool output found for ${kind} call ${open}.`, param: "input" }
}

const isType = (item: Json, type: string): item is JsonObject => isJsonObject(item) && item["type"] === type

export const responsesRules: ReadonlyArray<Rule<Request>> = [
  required,
  onlyKnown,
  continuation,
  cap,
  sampling,
  tools,
  items,
  pairedCalls
]
