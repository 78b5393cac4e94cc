/** What chat providers refuse of a request as a whole, in their own words; some rules hold for OpenAI's models alone. */
import { isJsonObject, type JsonObject, listOf } from "../../formats/json/json.ts"
import { isOpenai, isReasoning, knownModel } from "../models.ts"
import { givenString } from "../read-json.ts"
import type { Request, Rule } from "../Protocol.ts"
import { messageRules } from "./message-rules.ts"
import { toolRules } from "./tool-rules.ts"
import {
  belowMinimum,
  emptyArray,
  invalidValue,
  missing,
  onlyStreamed,
  unsupported,
  wrongPattern,
  wrongType
} from "../openai/complaints.ts"
import { checkDecimal, checkIdentifiers, efforts, openObject } from "../openai/shared-rules.ts"

const fields = new Set(
  (
    "messages model audio frequency_penalty function_call functions logit_bias logprobs max_completion_tokens max_tokens " +
    "metadata modalities moderation n parallel_tool_calls prediction presence_penalty prompt_cache_key " +
    "prompt_cache_options prompt_cache_retention reasoning_effort response_format safety_identifier seed service_tier " +
    "stop store stream stream_options temperature tool_choice tools top_logprobs top_p user verbosity web_search_options " +
    "access_programs"
  ).split(" ")
)

const onlyKnown: Rule<Request> = ({ body, model, settings }) => {
  if (settings.lenient || !isOpenai(model)) return undefined
  const unknown = Object.keys(body).find((name) => !fields.has(name))
  return unknown === undefined ? undefined : { message: `Unrecognized request argument supplied: ${unknown}` }
}

const modelNamed: Rule<Request> = ({ model }) =>
  model === "" ? { message: "you must provide a model parameter" } : undefined

/** Reasoning models take the output cap under its new name only. */
const cap: Rule<Request> = ({ body, model }) => {
  if (isReasoning(model) && body["max_tokens"] !== undefined)
    return unsupported("max_tokens", "max_completion_tokens")
  for (const name of ["max_tokens", "max_completion_tokens"]) {
    const value = body[name]
    if (value === undefined || value === null) continue
    if (!Number.isInteger(value)) return wrongType(name, "an integer", value)
    const number = value as number
    if (number < 1) return belowMinimum(name, 1, number)
    const most = knownModel(model).maxOutputTokens
    if (most !== null && number > most)
      return {
        message: `${name} is too large: ${number}. This model supports at most ${most} completion tokens, whereas you provided ${number}.`,
        param: name,
        code: "invalid_value"
      }
  }
  return body["max_tokens"] != null && body["max_completion_tokens"] != null && isOpenai(model)
    ? {
        message: "Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported.",
        param: "max_tokens"
      }
    : undefined
}

const samplingOfReasoning: Rule<Request> = ({ body, model }) => {
  const { refuses } = knownModel(model)
  if (refuses.has("sampling") || isReasoning(model)) {
    if (body["temperature"] !== undefined && body["temperature"] !== 1 && body["temperature"] !== null)
      return {
        message: `Unsupported value: 'temperature' does not support ${String(body["temperature"])} with this model. Only the default (1) value is supported.`,
        param: "temperature",
        code: "unsupported_value"
      }
    const given = [
      "top_p",
      "presence_penalty",
      "frequency_penalty",
      "logit_bias",
      "logprobs",
      "top_logprobs"
    ].find((name) => body[name] != null && body[name] !== false && !(name === "top_p" && body[name] === 1))
    if (given !== undefined) return unsupported(given)
  }
  return (refuses.has("stop") || isReasoning(model)) && body["stop"] != null ? unsupported("stop") : undefined
}

const temperature: Rule<Request> = ({ body }) => checkDecimal(body["temperature"], "temperature", 2)

const stop: Rule<Request> = ({ body }) => {
  const count = listOf(body["stop"]).length
  return count > 4
    ? {
        message: `Invalid 'stop': array too long. Expected an array with maximum length 4, but got an array with length ${count} instead.`,
        param: "stop",
        code: "array_above_max_length"
      }
    : undefined
}

const streaming: Rule<Request> = ({ body }) =>
  body["stream_options"] != null && body["stream"] !== true ? onlyStreamed : undefined

const choices: Rule<Request> = ({ body }) => {
  const n = body["n"]
  if (n === undefined || n === null) return undefined
  return Number.isInteger(n) && (n as number) >= 1 && (n as number) <= 128
    ? undefined
    : {
        message: `Invalid 'n': integer out of range. Expected a value between 1 and 128.`,
        param: "n",
        code: "invalid_value"
      }
}

const effort: Rule<Request> = ({ body, model }) => {
  const value = body["reasoning_effort"]
  if (value === undefined || value === null || !isOpenai(model)) return undefined
  return efforts.includes(String(value)) ? undefined : invalidValue("reasoning_effort", value, efforts)
}

const identifiers: Rule<Request> = ({ body, model }) =>
  isOpenai(model) ? checkIdentifiers(body, ["user", "safety_identifier"]) : undefined

const format: Rule<Request> = ({ body }) => {
  const asked = body["response_format"]
  if (!isJsonObject(asked)) return undefined
  switch (asked["type"]) {
    case "text":
      return undefined
    case "json_object":
      return /json/i.test(JSON.stringify(body["messages"]))
        ? undefined
        : {
            message:
              "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.",
            param: "messages"
          }
    case "json_schema":
      return schemaFormat(asked["json_schema"] as JsonObject | undefined)
    default:
      return invalidValue("response_format.type", asked["type"], ["json_object", "json_schema", "text"])
  }
}

const schemaFormat = (declared: JsonObject | undefined) => {
  if (!isJsonObject(declared)) return missing("response_format.json_schema")
  const name = givenString(declared["name"])
  if (name === undefined) return missing("response_format.json_schema.name")
  if (!/^[a-zA-Z0-9_-]{1,64}$/.test(name)) return wrongPattern("response_format.json_schema.name")
  const schema = declared["schema"]
  return declared["strict"] === true && isJsonObject(schema) && schema["additionalProperties"] !== false
    ? {
        message: `Invalid schema for response_format '${name}': ${openObject}`,
        param: "response_format"
      }
    : undefined
}

const messagesGiven: Rule<Request> = ({ body }) => {
  const { messages } = body
  if (messages === undefined || messages === null) return missing("messages")
  if (!Array.isArray(messages)) return wrongType("messages", "an array of objects", messages)
  return messages.length === 0 ? emptyArray("messages") : undefined
}

export const chatRules: ReadonlyArray<Rule<Request>> = [
  modelNamed,
  messagesGiven,
  onlyKnown,
  cap,
  samplingOfReasoning,
  temperature,
  stop,
  streaming,
  choices,
  effort,
  identifiers,
  ...toolRules,
  ...messageRules,
  format
]
