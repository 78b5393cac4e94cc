/** What chat providers refuse of a conversation: roles, empty contents, parts, tool calls without answers. */
import { isJsonObject, type Json, type JsonObject, listOf, stringOf } from "../../formats/json/json.ts"
import { isMistral, isOpenai } from "../models.ts"
import { givenString } from "../read-json.ts"
import type { Complaint, Request, Rule } from "../Protocol.ts"
import { toolTypesOf } from "./tool-rules.ts"
import { emptyArray, invalidValue, missing, tooLong, wrongType } from "../openai/complaints.ts"
import { checkName } from "../openai/shared-rules.ts"

const roles = ["system", "assistant", "user", "function", "tool", "developer"]
const callIdLengthMax = 40

const shapes: Rule<Request> = ({ body, model }) => {
  for (const [index, message] of listOf(body["messages"]).entries()) {
    const at = `messages[${index}]`
    if (!isJsonObject(message)) return wrongType(at, "an object", message)
    if (message["role"] === undefined) return missing(`${at}.role`)
    if (!roles.includes(String(message["role"]))) return invalidValue(`${at}.role`, message["role"], roles)
    if (message["role"] === "developer" && !isOpenai(model))
      return invalidValue(`${at}.role`, "developer", ["system", "user", "assistant", "tool"])
    const complaint =
      checkContent(message, at, `messages.[${index}].content`, model) ?? checkCalls(message, at, model)
    if (complaint !== undefined) return complaint
  }
  return undefined
}

/** Other providers' words for thoughts; its own stand in the content. */
const onlyOwnThoughts: Rule<Request> = ({ body, model }) =>
  isMistral(model) &&
  listOf(body["messages"]).some((message) => isJsonObject(message) && "reasoning_content" in message)
    ? { status: 422, message: "Extra inputs are not permitted", param: "reasoning_content" }
    : undefined

const checkContent = (
  message: JsonObject,
  at: string,
  param: string,
  model: string
): Complaint | undefined => {
  const { content, role } = message
  if (typeof content === "string") return undefined
  if (content === undefined || content === null)
    return role === "assistant" &&
      (listOf(message["tool_calls"]).length > 0 || message["refusal"] != null || message["audio"] != null)
      ? undefined
      : { message: "Invalid value for 'content': expected a string, got null.", param }
  if (!Array.isArray(content))
    return wrongType(`${at}.content`, "one of a string or array of objects", content)
  if (content.length === 0) return emptyArray(`${at}.content`)
  for (const [index, part] of listOf(content).entries()) {
    const complaint = checkPart(part, String(role), `${at}.content[${index}]`, model)
    if (complaint !== undefined) return complaint
  }
  return undefined
}

const partTypes: Readonly<Record<string, ReadonlyArray<string>>> = {
  user: ["text", "image_url", "input_audio", "file"],
  assistant: ["text", "refusal"]
}

/** Mistral has a form of its own for files. */
const partTypesOf = (role: string, model: string): ReadonlyArray<string> => {
  const types = partTypes[role] ?? ["text"]
  return isMistral(model) ? types.map((type) => (type === "file" ? "document_url" : type)) : types
}

const checkPart = (part: Json, role: string, at: string, model: string): Complaint | undefined => {
  if (!isJsonObject(part)) return wrongType(at, "an object", part)
  const type = givenString(part["type"])
  if (type === undefined) return missing(`${at}.type`)
  if (type === "image_url" && role !== "user")
    return {
      message: `Invalid 'messages'. Image URLs are only allowed for messages with role 'user', but this message with role '${role}' contains an image URL.`,
      param: at
    }
  const supported = partTypesOf(role, model)
  if (!supported.includes(type)) return invalidValue(`${at}.type`, type, supported)
  if (type === "text" && typeof part["text"] !== "string") return missing(`${at}.text`)
  return type === "image_url" ? checkImage(part["image_url"], `${at}.image_url`) : undefined
}

const checkImage = (image: Json | undefined, at: string): Complaint | undefined => {
  if (!isJsonObject(image)) return wrongType(at, "an object", image)
  const url = givenString(image["url"])
  if (url === undefined) return missing(`${at}.url`)
  if (/^https?:\/\//.test(url)) return undefined
  return /^data:image\/(png|jpeg|jpg|gif|webp);base64,[A-Za-z0-9+/]+={0,2}$/.test(url)
    ? undefined
    : {
        message: `Invalid '${at}.url'. Expected a base64-encoded data URL with an image MIME type (e.g. 'data:image/png;base64,aW1nIGJ5dGVzIGhlcmU='), but got a value without the 'data:' prefix or of an unsupported type.`,
        param: `${at}.url`,
        code: "invalid_value"
      }
}

const checkCalls = (message: JsonObject, at: string, model: string): Complaint | undefined => {
  const calls = message["tool_calls"]
  if (calls === undefined || calls === null) return undefined
  if (message["role"] !== "assistant")
    return {
      message: `Invalid parameter: 'tool_calls' is only allowed with role 'assistant'.`,
      param: `${at}.tool_calls`
    }
  if (listOf(calls).length === 0) return emptyArray(`${at}.tool_calls`)
  for (const [index, call] of listOf(calls).entries()) {
    const where = `${at}.tool_calls[${index}]`
    if (!isJsonObject(call) || typeof call["id"] !== "string") return missing(`${where}.id`)
    if (isOpenai(model) && call["id"].length > callIdLengthMax)
      return tooLong(`${where}.id`, callIdLengthMax, call["id"].length)
    const types = toolTypesOf(model)
    if (!types.includes(String(call["type"]))) return invalidValue(`${where}.type`, call["type"], types)
    if (call["type"] === "custom") continue
    const declared = call["function"]
    if (!isJsonObject(declared) || typeof declared["name"] !== "string")
      return missing(`${where}.function.name`)
    const complaint = checkName(declared["name"], `${where}.function.name`)
    if (complaint !== undefined) return complaint
    if (typeof declared["arguments"] !== "string") return missing(`${where}.function.arguments`)
  }
  return undefined
}

const answeredCalls: Rule<Request> = ({ body }) => {
  let open: Array<string> = []
  const unanswered = (index: number): Complaint => ({
    message: `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${open.join(", ")}`,
    param: `messages.[${index}].role`
  })
  const list = listOf(body["messages"]) as ReadonlyArray<JsonObject>
  for (const [index, message] of list.entries()) {
    if (message["role"] === "tool") {
      const id = givenString(message["tool_call_id"])
      if (id === undefined) return missing(`messages[${index}].tool_call_id`)
      if (!open.includes(id))
        return {
          message:
            "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
          param: `messages.[${index}].role`
        }
      open = open.filter((other) => other !== id)
      continue
    }
    if (open.length > 0) return unanswered(index)
    open = listOf(message["tool_calls"]).map((call) => stringOf((call as JsonObject)["id"]))
  }
  return open.length > 0 ? unanswered(list.length) : undefined
}

/** Some providers want their thoughts back on a turn that called tools. */
const thoughtsReturned: Rule<Request> = ({ body, model, settings }) => {
  const asked = isJsonObject(body["thinking"]) && body["thinking"]["type"] === "enabled"
  if (!/^(deepseek|kimi)/.test(model) || !(asked || settings.thinking === "on")) return undefined
  const last = listOf(body["messages"]).findLast(
    (message) => isJsonObject(message) && message["role"] === "assistant"
  )
  return isJsonObject(last) &&
    listOf(last["tool_calls"]).length > 0 &&
    typeof last["reasoning_content"] !== "string"
    ? { message: "The `reasoning_content` in the thinking mode must be passed back to the API." }
    : undefined
}

export const messageRules: ReadonlyArray<Rule<Request>> = [
  shapes,
  onlyOwnThoughts,
  answeredCalls,
  thoughtsReturned
]
