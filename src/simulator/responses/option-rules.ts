/** What the Responses provider refuses of a request's settings. The members are those of the official SDK's types. */
import { isJsonObject, type Json, type JsonObject } from "../../formats/json/json.ts"
import { knownModel } from "../models.ts"
import type { Complaint, Request, Rule } from "../Protocol.ts"
import { checkShape, shapeOf, shapesOf } from "./shape.ts"
import { ownItems } from "./read-ask.ts"
import {
  belowMinimum,
  invalidValue,
  missing,
  onlyStreamed,
  tooLong,
  unknownParameter,
  unsupported,
  wrongPattern,
  wrongType
} from "../openai/complaints.ts"
import { checkDecimal, checkIdentifiers, efforts, strictProblem } from "../openai/shared-rules.ts"

const fields = new Set(
  (
    "access_programs background background_options client_metadata context_management conversation image include input instructions " +
    "max_output_tokens max_tool_calls metadata model moderation parallel_tool_calls previous_response_id prompt " +
    "prompt_cache_key prompt_cache_options prompt_cache_retention reasoning safety_identifier service_tier store stream " +
    "stream_options temperature text tool_choice tools top_logprobs top_p truncation user"
  ).split(" ")
)

const onlyKnown: Rule<Request> = ({ body }) => {
  const unknown = Object.keys(body).find((name) => !fields.has(name))
  return unknown === undefined ? undefined : unknownParameter(unknown)
}

/** The members that are one of some words. */
const words: Readonly<Record<string, ReadonlyArray<string>>> = {
  truncation: ["auto", "disabled"],
  service_tier: "auto default flex scale priority fast ultrafast".split(" "),
  prompt_cache_retention: ["in_memory", "24h"]
}

const inWords: Rule<Request> = ({ body }) => {
  for (const [name, supported] of Object.entries(words))
    if (body[name] != null && !supported.includes(String(body[name])))
      return invalidValue(name, body[name], supported)
  return undefined
}

const types: Readonly<Record<string, "string" | "boolean" | "object">> = {
  instructions: "string",
  user: "string",
  safety_identifier: "string",
  prompt_cache_key: "string",
  store: "boolean",
  stream: "boolean",
  background: "boolean",
  parallel_tool_calls: "boolean",
  metadata: "object",
  reasoning: "object",
  text: "object",
  stream_options: "object"
}

const typed: Rule<Request> = ({ body }) => {
  for (const [name, type] of Object.entries(types)) {
    const value = body[name]
    if (value === undefined || value === null) continue
    if (typeof value !== type || Array.isArray(value))
      return wrongType(name, type === "object" ? "an object" : `a ${type}`, value)
  }
  return undefined
}

const includable = [
  "file_search_call.results",
  "web_search_call.results",
  "web_search_call.action.sources",
  "message.input_image.image_url",
  "computer_call_output.output.image_url",
  "code_interpreter_call.outputs",
  "reasoning.encrypted_content",
  "message.output_text.logprobs"
]

const included: Rule<Request> = ({ body }) => {
  const { include } = body
  if (include === undefined || include === null) return undefined
  if (!Array.isArray(include)) return wrongType("include", "an array of strings", include)
  const index = include.findIndex((each: Json) => !includable.includes(String(each)))
  return index === -1 ? undefined : invalidValue(`include[${index}]`, include[index], includable)
}

const identifiers: Rule<Request> = ({ body }) =>
  checkIdentifiers(body, ["user", "safety_identifier", "prompt_cache_key"])

const metadata: Rule<Request> = ({ body }) => {
  if (!isJsonObject(body["metadata"])) return undefined
  const entries = Object.entries(body["metadata"])
  if (entries.length > 16)
    return {
      message: `Invalid 'metadata': too many properties. Expected an object with at most 16 properties, but got an object with ${entries.length} properties instead.`,
      param: "metadata",
      code: "object_above_max_properties"
    }
  for (const [name, value] of entries) {
    if (typeof value !== "string") return wrongType(`metadata.${name}`, "a string", value)
    if (value.length > 512) return tooLong(`metadata.${name}`, 512, value.length)
  }
  return undefined
}

const cap: Rule<Request> = ({ body }) => {
  const value = body["max_output_tokens"]
  if (value === undefined || value === null) return undefined
  if (!Number.isInteger(value)) return wrongType("max_output_tokens", "an integer", value)
  const least = 16
  return (value as number) < least ? belowMinimum("max_output_tokens", least, value as number) : undefined
}

const sampling: Rule<Request> = ({ body, model }) => {
  for (const [name, most] of [
    ["temperature", 2],
    ["top_p", 1],
    ["top_logprobs", 20]
  ] as const) {
    const complaint = checkDecimal(body[name], name, most)
    if (complaint !== undefined) return complaint
  }
  if (!knownModel(model).refuses.has("sampling")) return undefined
  const given = ["temperature", "top_p"].find((name) => body[name] != null && body[name] !== 1)
  return given === undefined ? undefined : unsupported(given)
}

const reasoningShape = shapeOf("context effort generate_summary mode summary")
const summaries = ["auto", "concise", "detailed"]

const reasoning: Rule<Request> = ({ body }) => {
  const asked = body["reasoning"]
  if (!isJsonObject(asked)) return undefined
  const complaint = checkShape(asked, reasoningShape, "reasoning")
  if (complaint !== undefined) return complaint
  if (asked["effort"] != null && !efforts.includes(String(asked["effort"])))
    return invalidValue("reasoning.effort", asked["effort"], efforts)
  return asked["summary"] != null && !summaries.includes(String(asked["summary"]))
    ? invalidValue("reasoning.summary", asked["summary"], summaries)
    : undefined
}

const textShape = shapeOf("format verbosity")
const formats = shapesOf({ text: "", json_object: "", json_schema: "name! schema! description strict" })
const verbosities = ["low", "medium", "high"]

const text: Rule<Request> = ({ body }) => {
  const asked = body["text"]
  if (!isJsonObject(asked)) return undefined
  const complaint = checkShape(asked, textShape, "text")
  if (complaint !== undefined) return complaint
  if (asked["verbosity"] != null && !verbosities.includes(String(asked["verbosity"])))
    return invalidValue("text.verbosity", asked["verbosity"], verbosities)
  return isJsonObject(asked["format"]) ? checkFormat(asked["format"], body) : undefined
}

const checkFormat = (format: JsonObject, body: JsonObject): Complaint | undefined => {
  const shape = formats.get(String(format["type"]))
  if (shape === undefined)
    return format["type"] === undefined
      ? missing("text.format.type")
      : invalidValue("text.format.type", format["type"], [...formats.keys()])
  const complaint = checkShape(format, shape, "text.format")
  if (complaint !== undefined) return complaint
  if (format["type"] === "json_schema") return checkSchema(format)
  return format["type"] !== "json_object" ||
    /json/i.test(JSON.stringify([ownItems(body), body["instructions"]]))
    ? undefined
    : {
        message:
          "Response input messages must contain the word 'json' in some form to use 'text.format' of type 'json_object'.",
        param: "input"
      }
}

const checkSchema = ({ name, schema, strict }: JsonObject): Complaint | undefined => {
  if (typeof name !== "string" || !/^[a-zA-Z0-9_-]{1,64}$/.test(name)) return wrongPattern("text.format.name")
  if (!isJsonObject(schema)) return wrongType("text.format.schema", "an object", schema)
  const complain = (what: string): Complaint => ({
    message: `Invalid schema for response_format '${name}': ${what}`,
    param: "text.format.schema",
    code: "invalid_json_schema"
  })
  if (strict !== true) return undefined
  if (schema["type"] !== "object")
    return complain(
      `schema must be a JSON Schema of 'type: "object"', got 'type: "${String(schema["type"])}"'.`
    )
  const problem = strictProblem(schema)
  return problem === undefined ? undefined : complain(problem)
}

const streaming: Rule<Request> = ({ body }) => {
  const options = body["stream_options"]
  if (!isJsonObject(options)) return undefined
  return body["stream"] === true
    ? checkShape(options, shapeOf("include_obfuscation"), "stream_options")
    : onlyStreamed
}

export const optionRules: ReadonlyArray<Rule<Request>> = [
  onlyKnown,
  typed,
  inWords,
  included,
  identifiers,
  metadata,
  cap,
  sampling,
  reasoning,
  text,
  streaming
]
