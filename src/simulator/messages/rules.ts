/** What the Messages provider refuses of a request as a whole, in its own words. */
import { isJsonObject, type Json, listOf, objectOf } from "../../formats/json/json.ts"
import { knownModel } from "../models.ts"
import { givenNumber } from "../read-json.ts"
import type { Complaint, Request, Rule } from "../Protocol.ts"
import { betasOf } from "./betas.ts"
import { historyRules } from "./history-rules.ts"
import { toolRules } from "./tool-rules.ts"

const fields = new Set(
  (
    "model messages max_tokens system tools tool_choice thinking output_config output_format metadata stop_sequences " +
    "stream temperature top_p top_k service_tier container context_management mcp_servers cache_control inference_geo " +
    "speed diagnostics user_profile_id workspace_id billing_policy compaction fallbacks fallback_credit_token thread"
  ).split(" ")
)
const fieldsOfCount = new Set(
  [...fields].filter((name) => !["max_tokens", "stream", "temperature"].includes(name))
)

const onlyKnown =
  (known: ReadonlySet<string>): Rule<Request> =>
  (request) => {
    const { body, settings } = request
    if (settings.lenient) return undefined
    const safeguarded = betasOf(request).includes("dangerous-tool-use")
    const unknown = Object.keys(body).find(
      (name) => !known.has(name) && !(name === "safeguards" && safeguarded)
    )
    return unknown === undefined ? undefined : { message: `${unknown}: Extra inputs are not permitted` }
  }

const modelNamed: Rule<Request> = ({ model }) =>
  model === "" ? { message: "model: Field required" } : undefined

const capped: Rule<Request> = ({ body, model }) => {
  const cap = body["max_tokens"]
  if (cap === undefined) return { message: "max_tokens: Field required" }
  if (!Number.isInteger(cap)) return { message: "max_tokens: Input should be a valid integer" }
  if (givenNumber(cap)! < 0) return { message: "max_tokens: must be greater than or equal to 0" }
  const most = knownModel(model).maxOutputTokens
  return most !== null && givenNumber(cap)! > most
    ? {
        message: `max_tokens: ${cap as number} > ${most}, which is the maximum allowed number of output tokens for ${model}`
      }
    : undefined
}

/** Newer models refuse values other than the default: https://platform.claude.com/docs/en/about-claude/models/migration-guide */
const sampling: Rule<Request> = ({ body, model }) => {
  const set = ["temperature", "top_p", "top_k"].find(
    (name) => body[name] !== undefined && !(name === "temperature" && body[name] === 1)
  )
  if (set !== undefined && knownModel(model).refuses.has("sampling"))
    return { message: `\`${set}\` is deprecated for this model.` }
  const temperature = body["temperature"]
  if (temperature !== undefined && !(typeof temperature === "number" && temperature >= 0 && temperature <= 1))
    return { message: "temperature: range: 0..1" }
  if (temperature !== undefined && temperature !== 1 && thinkingType(body) === "enabled")
    return { message: "`temperature` may only be set to 1 when thinking is enabled." }
  return temperature !== undefined && body["top_p"] !== undefined && /-(4-[5-9]|5)/.test(model)
    ? { message: "`temperature` and `top_p` cannot both be specified for this model. Please use only one." }
    : undefined
}

const thinkingType = (body: { readonly [key: string]: Json | undefined }) =>
  isJsonObject(body["thinking"]) ? body["thinking"]["type"] : undefined

const thinking: Rule<Request> = ({ body, model }) => {
  const asked = body["thinking"]
  if (asked === undefined || asked === null) return undefined
  if (!isJsonObject(asked)) return { message: "thinking: Input should be a valid dictionary" }
  const { refuses } = knownModel(model)
  const choice = isJsonObject(body["tool_choice"]) ? body["tool_choice"]["type"] : undefined
  switch (asked["type"]) {
    case "adaptive":
    case "between_tools":
      return undefined
    case "disabled":
      return refuses.has("thinking_disabled")
        ? { message: '"thinking.type.disabled" is not supported for this model.' }
        : undefined
    case "enabled":
      if (refuses.has("thinking_budget"))
        return {
          message:
            '"thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.'
        }
      if (choice === "any" || choice === "tool")
        return { message: "Thinking may not be enabled when tool_choice forces tool use." }
      return budget(asked["budget_tokens"], body["max_tokens"])
    default:
      return {
        message: `thinking: Input tag '${String(asked["type"])}' found using 'type' does not match any of the expected tags: 'adaptive', 'disabled', 'enabled'`
      }
  }
}

const budget = (tokens: Json | undefined, cap: Json | undefined): Complaint | undefined => {
  if (tokens === undefined) return { message: "thinking.enabled.budget_tokens: Field required" }
  if (givenNumber(tokens) === undefined || givenNumber(tokens)! < 1024)
    return { message: "thinking.enabled.budget_tokens: Input should be greater than or equal to 1024" }
  return givenNumber(cap) !== undefined && givenNumber(tokens)! >= givenNumber(cap)!
    ? {
        message:
          "`max_tokens` must be greater than `thinking.budget_tokens`. Please consult our documentation at https://docs.claude.com/en/docs/build-with-claude/extended-thinking#max-tokens-and-context-window-size"
      }
    : undefined
}

const stops: Rule<Request> = ({ body }) => {
  const list = body["stop_sequences"]
  if (list === undefined || list === null) return undefined
  if (!Array.isArray(list)) return { message: "stop_sequences: Input should be a valid list" }
  return listOf(list).some((item) => typeof item !== "string" || item.trim() === "")
    ? { message: "stop_sequences: each stop sequence must contain non-whitespace" }
    : undefined
}

const structured: Rule<Request> = ({ body, model }) => {
  const config = objectOf(body["output_config"])
  const effort = config["effort"]
  if (
    effort !== undefined &&
    effort !== null &&
    !["low", "medium", "high", "xhigh", "max"].includes(String(effort))
  )
    return { message: "output_config.effort: Input should be 'low', 'medium', 'high', 'xhigh' or 'max'" }
  if (effort === "xhigh" && /-4-[0-6]\b/.test(model))
    return {
      message: "This model does not support effort level 'xhigh'. Supported levels: high, low, max, medium."
    }
  const format = config["format"] ?? body["output_format"]
  if (!isJsonObject(format)) return undefined
  if (format["type"] !== "json_schema")
    return { message: "output_config.format.type: Input should be 'json_schema'" }
  const schema = format["schema"]
  if (!isJsonObject(schema)) return { message: "output_config.format.schema: Field required" }
  return schema["type"] === "object" && schema["additionalProperties"] !== false
    ? {
        message:
          "output_config.format.schema: For 'object' type, 'additionalProperties' must be explicitly set to false"
      }
    : undefined
}

const system: Rule<Request> = ({ body }) => {
  const value = body["system"]
  if (value === undefined || typeof value === "string") return undefined
  if (!Array.isArray(value)) return { message: "system: Input should be a valid string or list" }
  for (const [index, block] of listOf(value).entries()) {
    if (!isJsonObject(block) || block["type"] !== "text")
      return { message: `system.${index}.type: Input should be 'text'` }
    if (typeof block["text"] !== "string") return { message: `system.${index}.text: Field required` }
    if (block["text"] === "") return { message: "system: text content blocks must be non-empty" }
  }
  return undefined
}

const cacheMarksMax = 4

const cacheMarks: Rule<Request> = ({ body }) => {
  let marks = 0
  const walk = (value: Json | undefined): void => {
    for (const item of listOf(value))
      if (isJsonObject(item)) {
        if (isJsonObject(item["cache_control"])) marks++
        walk(item["content"])
      }
  }
  for (const part of ["tools", "system", "messages"]) walk(body[part])
  return marks > cacheMarksMax
    ? { message: `A maximum of ${cacheMarksMax} blocks with cache_control may be provided. Found ${marks}.` }
    : undefined
}

const shared: ReadonlyArray<Rule<Request>> = [
  thinking,
  system,
  ...toolRules,
  ...historyRules,
  structured,
  cacheMarks
]

export const countRules: ReadonlyArray<Rule<Request>> = [modelNamed, onlyKnown(fieldsOfCount), ...shared]
export const messagesRules: ReadonlyArray<Rule<Request>> = [
  modelNamed,
  capped,
  onlyKnown(fields),
  sampling,
  stops,
  ...shared
]

/** The same rules for a body that names neither the model nor streaming, as Bedrock takes it. */
export const bodyRules = (extra: ReadonlyArray<string>): ReadonlyArray<Rule<Request>> => [
  capped,
  onlyKnown(new Set([...fields, ...extra].filter((name) => name !== "model" && name !== "stream"))),
  sampling,
  stops,
  ...shared
]
