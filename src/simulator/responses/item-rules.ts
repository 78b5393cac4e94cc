/** What the Responses provider refuses of one item of the input. The members are those of the official SDK's types. */
import { isJsonObject, type Json, type JsonObject } from "../../formats/json/json.ts"
import { givenString } from "../read-json.ts"
import type { Complaint } from "../Protocol.ts"
import { checkEach, checkTyped, shapesOf } from "./shape.ts"
import { checkTool } from "./tool-rules.ts"
import { invalidValue, missing, tooLong, wrongType } from "../openai/complaints.ts"
import { checkName } from "../openai/shared-rules.ts"

/** Whatever it gives out as an output item it takes back, its id and status with it. */
const items = shapesOf({
  message: "role! content! id status phase",
  function_call: "call_id! name! arguments! id status namespace async caller",
  function_call_output: "call_id! output! id status name namespace caller",
  custom_tool_call: "call_id! name! input! id status namespace async caller",
  custom_tool_call_output: "call_id! output! id status caller",
  reasoning: "summary! id content encrypted_content status",
  compaction: "encrypted_content! id",
  compaction_trigger: "id",
  configuration_update: "id reasoning text",
  additional_tools: "role! tools! id",
  tool_search_call: "arguments! id call_id execution status",
  tool_search_output: "tools! id call_id execution status",
  web_search_call: "id! action status",
  file_search_call: "id! queries! status results",
  computer_call: "id! call_id! pending_safety_checks action actions status",
  computer_call_output: "call_id! output! id acknowledged_safety_checks status",
  image_generation_call:
    "id! result! status action background error output_format quality revised_prompt size svg_usage",
  code_interpreter_call: "id! code! container_id! outputs! status",
  local_shell_call: "id! action! call_id! status",
  local_shell_call_output: "id! output! status",
  shell_call: "action! call_id! id caller environment status",
  shell_call_output: "call_id! output! id caller max_output_length status",
  apply_patch_call: "call_id! operation! status! id caller",
  apply_patch_call_output: "call_id! status! id caller output",
  mcp_list_tools: "id! server_label! tools! error",
  mcp_approval_request: "id! arguments! name! server_label!",
  mcp_approval_response: "approval_request_id! approve! id reason",
  mcp_call: "id! arguments! name! server_label! approval_request_id error output status",
  program: "id! call_id! code! fingerprint!",
  program_output: "id! call_id! result! status"
})

const told = {
  input_text: "text! prompt_cache_breakpoint",
  input_image: "image_url file_id detail prompt_cache_breakpoint",
  input_file: "file_data file_id file_url filename detail prompt_cache_breakpoint"
}
const toldParts = shapesOf(told)
const userParts = shapesOf({ ...told, computer_screenshot: "image_url file_id detail" })
const saidParts = shapesOf({ output_text: "text! annotations logprobs", refusal: "refusal!" })
const summaryParts = shapesOf({ summary_text: "text!" })
const thoughtParts = shapesOf({ reasoning_text: "text!" })

/** What it says of a part that no item has. */
const partTypes =
  "input_text input_image output_text refusal input_file computer_screenshot summary_text".split(" ")

const roles = ["assistant", "system", "developer", "user"]

/** How the ids of items begin that their maker gave one. */
const idPrefixes: Readonly<Record<string, string>> = {
  message: "msg",
  function_call: "fc",
  custom_tool_call: "ctc",
  reasoning: "rs"
}

const callIdLengthMax = 64

export const checkItem = (value: Json, at: string): Complaint | undefined => {
  if (!isJsonObject(value)) return wrongType(at, "an object", value)
  const item = { type: "message", ...value }
  return checkTyped(item, items, at) ?? checkIds(item, at) ?? checkContents(item, at)
}

const checkIds = (item: JsonObject, at: string): Complaint | undefined => {
  const prefix = idPrefixes[String(item["type"])]
  const id = givenString(item["id"])
  if (prefix !== undefined && id !== undefined && !id.startsWith(prefix))
    return {
      message: `Invalid '${at}.id': '${id}'. Expected an ID that begins with '${prefix}'.`,
      param: `${at}.id`,
      code: "invalid_value"
    }
  const callId = item["call_id"]
  if (callId === undefined || callId === null) return undefined
  if (typeof callId !== "string") return wrongType(`${at}.call_id`, "a string", callId)
  if (callId === "") return missing(`${at}.call_id`)
  return callId.length > callIdLengthMax
    ? tooLong(`${at}.call_id`, callIdLengthMax, callId.length)
    : undefined
}

const checkContents = (item: JsonObject, at: string): Complaint | undefined => {
  switch (item["type"]) {
    case "message":
      return checkMessage(item, at)
    case "function_call":
      return checkCall(item, "arguments", at)
    case "custom_tool_call":
      return checkCall(item, "input", at)
    case "function_call_output":
    case "custom_tool_call_output":
      return checkText(item["output"], `${at}.output`, (part, place) => checkPart(part, toldParts, place))
    case "reasoning":
      return (
        checkEach(item["summary"], `${at}.summary`, (part, place) => checkTyped(part, summaryParts, place)) ??
        (item["content"] === undefined || item["content"] === null
          ? undefined
          : checkEach(item["content"], `${at}.content`, (part, place) =>
              checkTyped(part, thoughtParts, place)
            ))
      )
    case "additional_tools":
    case "tool_search_output":
      return checkEach(item["tools"], `${at}.tools`, checkTool)
    default:
      return undefined
  }
}

const checkMessage = (item: JsonObject, at: string): Complaint | undefined => {
  const role = givenString(item["role"])
  if (role === undefined || !roles.includes(role)) return invalidValue(`${at}.role`, item["role"], roles)
  const parts = role === "assistant" ? saidParts : userParts
  return checkText(item["content"], `${at}.content`, (part, place) => checkPart(part, parts, place))
}

const checkCall = (item: JsonObject, input: string, at: string): Complaint | undefined => {
  for (const name of ["name", input])
    if (typeof item[name] !== "string") return wrongType(`${at}.${name}`, "a string", item[name])
  return checkName(String(item["name"]), `${at}.name`)
}

/** A string, or parts. */
const checkText = (
  value: Json | undefined,
  at: string,
  check: (part: Json, at: string) => Complaint | undefined
): Complaint | undefined => {
  if (typeof value === "string") return undefined
  return Array.isArray(value)
    ? checkEach(value, at, check)
    : wrongType(at, "one of an array of objects or string", value)
}

const checkPart = (
  part: Json,
  shapes: Parameters<typeof checkTyped>[1],
  at: string
): Complaint | undefined => {
  const type = isJsonObject(part) ? String(part["type"]) : ""
  if (isJsonObject(part) && part["type"] !== undefined && !partTypes.includes(type))
    return invalidValue(`${at}.type`, type, partTypes)
  const complaint = checkTyped(part, shapes, at)
  if (complaint !== undefined || !isJsonObject(part)) return complaint
  const text = ["text", "refusal"].find((name) => part[name] !== undefined && typeof part[name] !== "string")
  if (text !== undefined) return wrongType(`${at}.${text}`, "a string", part[text])
  if (type === "input_image") return checkImage(part, at)
  return type === "input_file" ? checkFile(part, at) : undefined
}

const details = ["low", "high", "auto", "original"]

const checkImage = (part: JsonObject, at: string): Complaint | undefined => {
  const { detail, image_url: url } = part
  if (detail !== undefined && detail !== null && !details.includes(String(detail)))
    return invalidValue(`${at}.detail`, detail, details)
  if (url === undefined || url === null)
    return part["file_id"] == null ? missing(`${at}.image_url`) : undefined
  if (typeof url !== "string") return wrongType(`${at}.image_url`, "an image URL", url)
  if (/^data:/i.test(url) && !/^data:image\/[a-z+.-]+;base64,[A-Za-z0-9+/=_\s-]+$/i.test(url))
    return {
      message: `Invalid '${at}.image_url'. Expected a base64-encoded data URL with an image MIME type (e.g. 'data:image/png;base64,aW1nIGJ5dGVzIGhlcmU='), but got an invalid base64-encoded value.`,
      param: `${at}.image_url`,
      code: "invalid_value"
    }
  return /^(https?:\/\/.|data:)/i.test(url)
    ? undefined
    : {
        message: `Invalid '${at}.image_url'. Expected a valid URL, but got a value with an invalid format.`,
        param: `${at}.image_url`,
        code: "invalid_value"
      }
}

const checkFile = (part: JsonObject, at: string): Complaint | undefined => {
  const given = ["file_data", "file_id", "file_url"].filter((name) => part[name] != null)
  if (given.length === 1) return undefined
  return given.length === 0
    ? missing(`${at}.file_id`)
    : {
        message: `Mutually exclusive parameters: ${given.map((name) => `'${at}.${name}'`).join(" and ")}. Ensure you are only providing one of them.`,
        param: at,
        code: "mutually_exclusive_parameters"
      }
}
