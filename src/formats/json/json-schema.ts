/** JSON schemas of tools and structured output, made to fit what each side takes. Depth is bounded before these run. */
import { isJsonObject, type Json, type JsonObject, listOf, stringOf } from "./json.ts"
import { isLongNumber } from "./parse-exact-json.ts"

/** A tool's schema with `properties`, without which several chat upstreams refuse it. */
export const withProperties = (schema: JsonObject): JsonObject => {
  const told = withoutNulls(schema)
  return {
    ...told,
    ...(told.type === undefined && { type: "object" }),
    ...(told.properties === undefined && { properties: {} })
  }
}

/** Servers written in Go tell an empty map or list as `null`, which no schema knows. */
const withoutNulls = (schema: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(schema).filter(([, value]) => value !== null))

/**
 * A tool's schema with `items` in all its arrays, without which OpenAI and Google refuse the request: "array schema
 * missing items" (apify/apify-mcp-server #36), "items: missing field" (Skyvern-AI/skyvern #8611).
 */
export const withItems = (schema: JsonObject): JsonObject => {
  const lacksItems = isOfArrays(schema) && schema.items === undefined && schema.prefixItems === undefined
  return { ...mapNested(schema, withItems), ...(lacksItems && { items: {} }) }
}

const isOfArrays = ({ type }: JsonObject): boolean =>
  type === "array" || (Array.isArray(type) && type.includes("array"))

/**
 * A tool's schema as the Messages protocol takes it: an object at its root. Alternatives at the root become one object
 * with the properties of all of them, none required. `whole` is what references within the schema start from.
 */
export const rootObject = (schema: JsonObject, whole = schema): JsonObject => {
  const told = withoutNulls(schema)
  if (alternativesOf(told).length === 0) return { ...told, type: "object" }
  const { anyOf: _, oneOf: __, allOf: ___, ...rest } = told
  return { ...rest, type: "object", properties: propertiesWithin(told, whole, new Set()) }
}

const alternativesOf = ({ allOf, anyOf, oneOf }: JsonObject): ReadonlyArray<Json> =>
  [anyOf, oneOf, allOf].flatMap((variants) => listOf(variants))

/** Also of alternatives within alternatives. What is one thing here and another there may be either. */
const propertiesWithin = (schema: Json, whole: JsonObject, followed: Set<string>): JsonObject => {
  if (!isJsonObject(schema)) return {}
  const { $ref: reference, properties } = schema
  const variants = [...alternativesOf(schema)]
  if (typeof reference === "string" && !followed.has(reference)) {
    followed.add(reference)
    variants.push(targetOf(reference, whole) ?? {})
  }
  const found = new Map<string, Map<string, Json>>()
  for (const variant of variants) {
    for (const [name, told] of Object.entries(propertiesWithin(variant, whole, followed))) {
      if (!found.has(name)) found.set(name, new Map())
      found.get(name)!.set(JSON.stringify(told), told!)
    }
  }
  const merged = [...found].map(([name, each]): [string, Json] => {
    const [first, ...others] = each.values()
    return [name, others.length === 0 ? first! : { anyOf: [first!, ...others] }]
  })
  return { ...Object.fromEntries(merged), ...(isJsonObject(properties) && properties) }
}

/**
 * A tool's schema as OpenAI takes it: "schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the
 * top level". One that is such an object stays as it is.
 */
export const plainObject = (schema: JsonObject): JsonObject => {
  const { enum: values, not, ...rest } = schema
  const isPlain = [values, not, schema.anyOf, schema.oneOf, schema.allOf].every((each) => each === undefined)
  return isPlain && !Array.isArray(schema.type) ? schema : rootObject(rest)
}

/** The schema that a reference within a schema leads to. */
export const targetOf = (reference: string, whole: JsonObject): JsonObject | undefined => {
  if (reference !== "#" && !reference.startsWith("#/")) return undefined
  let target: Json | undefined = whole
  for (const step of reference.split("/").slice(1)) target = memberOf(target, step)
  return isJsonObject(target) ? target : undefined
}

/** Generators of schemas write names as they are, or as in an address (RFC 6901, §6): `List%3CItem%3E`. */
const memberOf = (target: Json | undefined, step: string): Json | undefined => {
  if (typeof target !== "object" || target === null) return undefined
  const name = [step, decoded(step)]
    .map((written) => written.replaceAll("~1", "/").replaceAll("~0", "~"))
    .find((each) => Object.hasOwn(target, each))
  return name === undefined ? undefined : (target as JsonObject)[name]
}

const decoded = (name: string): string => {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

/** The schema with what its root refers to, as a root that tells itself. */
export const withRoot = (schema: JsonObject): JsonObject => {
  const followed = new Set<string>()
  let root = schema
  while (typeof root.$ref === "string") {
    const { $ref: reference, ...rest } = root
    root = { ...rest, ...(followed.has(root.$ref) ? {} : targetOf(root.$ref, schema)) }
    followed.add(reference as string)
  }
  return root
}

/**
 * A tool's schema as Google takes it: beside a reference it "cannot contain any other fields except for description and
 * default" (su-kaka/gcli2api #374). The root says what it is all the same.
 */
export const googleSchema = (schema: JsonObject): JsonObject =>
  mapNested(schema, (nested) =>
    typeof nested.$ref === "string"
      ? Object.fromEntries(Object.entries(nested).filter(([key]) => besideReferences.has(key)))
      : googleSchema(nested)
  )

const besideReferences: ReadonlySet<string> = new Set(["$ref", "description", "default"])

const isData: ReadonlySet<string> = new Set(["default", "enum", "const", "examples"])
const holdsNamed: ReadonlySet<string> = new Set(["properties", "$defs", "definitions"])

/**
 * The schema with each schema right within it changed, those of its properties too, whatever their names. `named` is what
 * a property becomes that is just `true`.
 */
export const mapNested = (
  schema: JsonObject,
  change: (nested: JsonObject) => JsonObject,
  named: Json = true
): JsonObject => {
  const changed = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(changed)
    return isJsonObject(value) && !isLongNumber(value) ? change(value) : value
  }
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => {
      if (value === undefined || isData.has(key)) return [key, value]
      if (!holdsNamed.has(key)) return [key, changed(value)]
      return [key, eachValue(value, (property) => (property === true ? named : changed(property)))]
    })
  )
}

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
  strictKeywords.has(key) && (key !== "format" || (value !== "uri" && keptFormats.has(value)))

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
const keptFormats: ReadonlySet<Json | undefined> = new Set([
  "date-time",
  "time",
  "date",
  "duration",
  "email",
  "hostname",
  "uri",
  "ipv4",
  "ipv6",
  "uuid"
])

/** A schema that says what it is for. OpenAI's protocols say that of an answer's form beside its schema. */
export const describedSchema = (schema: JsonObject, description: string): JsonObject => {
  if (description === "") return schema
  const own = stringOf(schema.description)
  return { ...schema, description: own === "" ? description : `${description}\n\n${own}` }
}

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

/** Also where an object is one of several types, as what may be null is written, or where properties alone say it. */
const isOfObjects = ({ properties, type }: JsonObject): boolean =>
  type === "object" || properties !== undefined || (Array.isArray(type) && type.includes("object"))

const isKept = (key: string, value: Json): boolean =>
  keptKeywords.has(key) ||
  (key === "format" && keptFormats.has(value)) ||
  (key === "minItems" && (value === 0 || value === 1))

const eachValue = (named: Json, change: (value: Json) => Json): Json =>
  isJsonObject(named)
    ? Object.fromEntries(Object.entries(named).map(([name, value]) => [name, change(value ?? null)]))
    : named
