/** Schemas that Claude and AWS make a grammar of. */
import { eachValue, holdsNamed, isOfObjects, knownFormats } from "./json-schema.ts"
import { isJsonObject, type Json } from "./json.ts"

/**
 * A schema for structured output as Claude and AWS take it, who make a grammar of it: objects are closed, and constraints
 * that the grammar does not know move into the description, where the model still reads them. Source of AWS's: the Bedrock
 * user guide, "Get validated JSON results from models"; vectorize-io/hindsight #1289.
 */
export const grammarSchema = (schema: Json): Json => fitted(schema, false)

/** `narrows`: it only says more of an object that is told around it, and closed it would forbid that object's own. */
const fitted = (schema: Json, narrows: boolean): Json => {
  if (!isJsonObject(schema)) return schema
  const output: Record<string, Json | undefined> = {}
  const described: Record<string, Json | undefined> = {}
  for (const [key, value] of Object.entries(schema)) {
    if (value === undefined || key === "$schema") continue
    if (holdsNamed.has(key)) output[key] = eachValue(value, (named) => fitted(named, false))
    else if (key === "items") output[key] = fitted(value, false)
    else if (key === "anyOf" || key === "oneOf" || key === "allOf") {
      const isTold = schema.type !== undefined || schema.properties !== undefined
      const variants = Array.isArray(value) ? value.map((each: Json) => fitted(each, isTold)) : value
      output[key === "oneOf" ? "anyOf" : key] = variants
    } else if (isKept(key, value)) output[key] = value
    else described[key] = value
  }
  const isObject = narrows ? schema.type === "object" : isOfObjects(schema)
  if (isObject && allowsAnything(schema.additionalProperties)) output.additionalProperties = false
  if (Object.keys(described).length > 0) {
    const text = typeof schema.description === "string" ? `${schema.description}\n\n` : ""
    output.description = text + JSON.stringify(described)
  }
  return output
}

/** As schemas say it that do not care what else an object holds. */
const allowsAnything = (schema: Json | undefined): boolean =>
  schema === undefined || schema === true || (isJsonObject(schema) && Object.keys(schema).length === 0)

const keptKeywords: ReadonlySet<string> = new Set([
  "type",
  "enum",
  "const",
  "$ref",
  "required",
  "description",
  "title",
  "default",
  "additionalProperties"
])

const isKept = (key: string, value: Json): boolean =>
  keptKeywords.has(key) ||
  (key === "format" && knownFormats.has(value)) ||
  (key === "minItems" && (value === 0 || value === 1))
