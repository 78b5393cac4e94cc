/** What Converse refuses of a request as a whole. Unknown fields, which AWS drops in silence, are refused: they are mistakes. */
import { isJsonObject, type JsonObject, listOf, objectOf } from "../../formats/json/json.ts"
import { isClaude, knownModel } from "../models.ts"
import type { Complaint, Request, Rule } from "../Protocol.ts"
import { contentRules } from "./content-rules.ts"
import { knownBetas } from "./known-betas.ts"

const fields = new Set(
  (
    "messages system inferenceConfig toolConfig guardrailConfig additionalModelRequestFields promptVariables " +
    "additionalModelResponseFieldPaths requestMetadata performanceConfig serviceTier outputConfig"
  ).split(" ")
)
const inferenceFields = new Set(["maxTokens", "temperature", "topP", "stopSequences"])

const onlyKnown: Rule<Request> = ({ body, settings }) => {
  if (settings.lenient) return undefined
  const unknown =
    Object.keys(body).find((name) => !fields.has(name)) ??
    Object.keys(objectOf(body["inferenceConfig"])).find((name) => !inferenceFields.has(name))
  return unknown === undefined ? undefined : { message: `Unknown field '${unknown}' in the request.` }
}

const inference: Rule<Request> = ({ body, model }) => {
  const config = objectOf(body["inferenceConfig"])
  const cap = config["maxTokens"]
  if (cap !== undefined && !(Number.isInteger(cap) && (cap as number) >= 1))
    return constraint(cap, "inferenceConfig.maxTokens", "Member must have value greater than or equal to 1")
  const most = knownModel(model).maxOutputTokens
  if (cap !== undefined && most !== null && (cap as number) > most)
    return {
      message: `The maximum tokens you requested exceeds the model limit of ${most}. Try again with a maximum tokens value that is lower than ${most}.`
    }
  for (const name of ["temperature", "topP"]) {
    const value = config[name]
    if (value === undefined || (name === "temperature" && value === 1)) continue
    if (knownModel(model).refuses.has("sampling"))
      return {
        message: `The model returned the following errors: \`${name === "topP" ? "top_p" : name}\` is deprecated for this model.`
      }
    if (!(typeof value === "number" && value >= 0 && value <= 1))
      return constraint(value, `inferenceConfig.${name}`, "Member must have value less than or equal to 1")
  }
  return listOf(config["stopSequences"]).some((item) => typeof item !== "string" || item === "")
    ? constraint(
        config["stopSequences"],
        "inferenceConfig.stopSequences",
        "Member must have length greater than or equal to 1"
      )
    : undefined
}

const constraint = (value: unknown, at: string, what: string): Complaint => ({
  message: `1 validation error detected: Value '${String(value)}' at '${at}' failed to satisfy constraint: ${what}`
})

const tools: Rule<Request> = ({ body, model }) => {
  const toolConfig = body["toolConfig"]
  if (toolConfig === undefined) return undefined
  const list = listOf(objectOf(toolConfig)["tools"])
  if (list.length === 0)
    return constraint("[]", "toolConfig.tools", "Member must have length greater than or equal to 1")
  const names: Array<string> = []
  for (const [index, tool] of list.entries()) {
    const at = `toolConfig.tools.${index + 1}.member`
    if (isJsonObject(objectOf(tool)["cachePoint"]) || isJsonObject(objectOf(tool)["systemTool"])) continue
    const declared = objectOf(objectOf(tool)["toolSpec"])
    const complaint = checkTool(declared, `${at}.toolSpec`) ?? checkNovaTool(declared, index, model)
    if (complaint !== undefined) return complaint
    names.push(String(declared["name"]))
  }
  if (new Set(names).size !== names.length)
    return {
      message: `The tool configuration contains duplicate tool names. Use unique tool names and try again.`
    }
  return choice(objectOf(toolConfig), names, model)
}

const checkTool = (declared: JsonObject, at: string): Complaint | undefined => {
  const name = declared["name"]
  if (typeof name !== "string" || name === "")
    return constraint(name, `${at}.name`, "Member must have length greater than or equal to 1")
  if (name.length > 64)
    return constraint(name, `${at}.name`, "Member must have length less than or equal to 64")
  if (!/^[a-zA-Z0-9_-]+$/.test(name))
    return constraint(name, `${at}.name`, "Member must satisfy regular expression pattern: [a-zA-Z0-9_-]+")
  if (declared["description"] === "")
    return constraint("", `${at}.description`, "Member must have length greater than or equal to 1")
  const schema = objectOf(declared["inputSchema"])["json"]
  return isJsonObject(schema) && schema["type"] === "object"
    ? undefined
    : { message: `The value at ${at}.inputSchema.json.type must be one of the following: object.` }
}

/** The last is not documented, and was seen to be taken. */
const novaSchemaKeys = new Set(["type", "properties", "required", "additionalProperties"])

const checkNovaTool = (declared: JsonObject, index: number, model: string): Complaint | undefined => {
  const schema = objectOf(objectOf(declared["inputSchema"])["json"])
  const extraneous = Object.keys(schema).find((key) => !novaSchemaKeys.has(key))
  return extraneous === undefined || !/\bnova\b/.test(model)
    ? undefined
    : {
        message: `The model returned the following errors: Malformed input request: #/toolConfig/tools/${index}/toolSpec/inputSchema/json: extraneous key [${extraneous}] is not permitted, please reformat your input and try again.`
      }
}

const choice = (
  toolConfig: JsonObject,
  names: ReadonlyArray<string>,
  model: string
): Complaint | undefined => {
  const asked = toolConfig["toolChoice"]
  if (asked === undefined) return undefined
  const kinds = Object.keys(objectOf(asked))
  if (kinds.length !== 1 || !["auto", "any", "tool"].includes(kinds[0]!))
    return { message: "Exactly one of 'auto', 'any' or 'tool' must be set at 'toolConfig.toolChoice'." }
  if (kinds[0] !== "auto" && knownModel(model).refuses.has("forced_tool_choice"))
    return {
      message: `The model returned the following errors: tool_choice: type "${kinds[0]!}" is not supported for this model.`
    }
  if (kinds[0] !== "auto" && /llama|deepseek/.test(model))
    return {
      message: `This model doesn't support the toolConfig.toolChoice.${kinds[0]!} field. Remove toolConfig.toolChoice.${kinds[0]!} and try again.`
    }
  const name = objectOf(objectOf(asked)["tool"])["name"]
  return kinds[0] === "tool" && !names.includes(String(name))
    ? { message: `The tool '${String(name)}' of toolConfig.toolChoice is not in toolConfig.tools.` }
    : undefined
}

/** Source: docs.aws.amazon.com, "Get validated JSON results from models", which lists those that can be bound. */
const structuredAnswers: Rule<Request> = ({ body, model }) =>
  body["outputConfig"] !== undefined && /\bnova\b|llama/.test(model)
    ? {
        message:
          "This model doesn't support the outputConfig.textFormat field. Remove outputConfig.textFormat and try again."
      }
    : undefined

const claudeFields: Rule<Request> = ({ body, model }) => {
  const more = objectOf(body["additionalModelRequestFields"])
  if (listOf(more["anthropic_beta"]).some((beta) => !knownBetas.has(String(beta))))
    return { message: "The model returned the following errors: invalid beta flag" }
  const thinking = objectOf(more["thinking"])["type"]
  if (thinking === undefined) return undefined
  const { refuses } = knownModel(model)
  return !isClaude(model) ||
    (thinking === "enabled" && refuses.has("thinking_budget")) ||
    (thinking === "disabled" && refuses.has("thinking_disabled"))
    ? {
        message: `The model returned the following errors: "thinking.type.${String(thinking)}" is not supported for this model.`
      }
    : undefined
}

export const converseRules: ReadonlyArray<Rule<Request>> = [
  onlyKnown,
  inference,
  tools,
  structuredAnswers,
  claudeFields,
  ...contentRules
]
