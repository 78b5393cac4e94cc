/** Schemas that OpenAI holds a model to. */
import { isOfObjects, knownFormats } from "./json-schema.ts"
import { isJsonObject, type Json, type JsonObject, listOf } from "./json.ts"

// OpenAI refuses the whole request for any other, `default`, `oneOf` and `allOf` among them.
const strictKeywords: ReadonlySet<string> = new Set(
  (
    "$schema $ref $defs definitions title description type enum const anyOf properties required " +
    "additionalProperties items minItems maxItems pattern format minLength maxLength multipleOf minimum " +
    "maximum exclusiveMinimum exclusiveMaximum"
  ).split(" ")
)

/**
 * Whether OpenAI takes the schema in strict mode: an object whose objects are all closed and require what they have, told
 * in few words. In doubt it is not strict, which no request fails by. Source: OpenAI's guide to structured outputs.
 */
export const fitsStrictMode = (schema: JsonObject): boolean =>
  schema.type === "object" && schema.anyOf === undefined && isStrict(schema)

const isStrict = (schema: Json | undefined): boolean => {
  if (!isJsonObject(schema)) return false
  const given = Object.entries(schema).filter(([, value]) => value !== undefined)
  if (schema.$ref !== undefined) return given.length === 1
  if (!given.some(([key]) => saysWhat.has(key))) return false
  if (!given.every(([key, value]) => isStrictKeyword(key, value))) return false
  return (!isOfObjects(schema) || isClosed(schema)) && nestedSchemas(schema).every(isStrict)
}

/** A schema that has none of these allows anything. */
const saysWhat: ReadonlySet<string> = new Set(["type", "enum", "const", "anyOf"])

const isClosed = ({ additionalProperties, properties, required }: JsonObject): boolean => {
  const names = isJsonObject(properties) ? Object.keys(properties) : []
  const demanded = new Set<Json>(listOf(required))
  return (
    additionalProperties === false &&
    demanded.size === names.length &&
    names.every((name) => demanded.has(name))
  )
}

const nestedSchemas = (schema: JsonObject): ReadonlyArray<Json | undefined> => [
  ...[schema.properties, schema.$defs, schema.definitions].flatMap((named) =>
    isJsonObject(named) ? Object.values(named) : []
  ),
  ...(schema.items === undefined ? [] : [schema.items]),
  ...listOf(schema.anyOf)
]

const isStrictKeyword = (key: string, value: Json | undefined): boolean =>
  strictKeywords.has(key) && (key !== "format" || (value !== "uri" && knownFormats.has(value)))
