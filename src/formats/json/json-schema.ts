/** JSON schemas of tools and structured output, and what most providers want of them. Depth is bounded before these run. */
import { isJsonObject, type Json, type JsonObject, listOf, stringOf } from "./json.ts"
import { levelsMax } from "./nesting.ts"
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
  return { ...rest, type: "object", properties: propertiesWithin(told, whole) }
}

const alternativesOf = ({ allOf, anyOf, oneOf }: JsonObject): ReadonlyArray<Json> =>
  [anyOf, oneOf, allOf].flatMap((variants) => listOf(variants))

/** Also of alternatives within alternatives. What is one thing here and another there may be either. */
const propertiesWithin = (schema: JsonObject, whole: JsonObject): JsonObject => {
  const found = new Map<string, Map<string, Json>>()
  const followed = new Set<string>()
  // What a schema says itself holds, whatever its alternatives say. Each is looked at once, however deep it stands.
  const told = new Set<string>()
  const collect = (within: Json, levelsLeft: number): void => {
    if (!isJsonObject(within) || levelsLeft === 0) return
    const { $ref: reference, properties } = within
    const own = isJsonObject(properties) ? Object.entries(properties).filter(([name]) => !told.has(name)) : []
    for (const [name] of own) told.add(name)
    const variants = [...alternativesOf(within)]
    // Before an alternative follows it, whose own properties would hide those of the same name.
    if (typeof reference === "string" && !followed.has(reference)) {
      followed.add(reference)
      variants.push(targetOf(reference, whole) ?? {})
    }
    for (const variant of variants) collect(variant, levelsLeft - 1)
    for (const [name, value] of own) {
      told.delete(name)
      if (!found.has(name)) found.set(name, new Map())
      found.get(name)!.set(JSON.stringify(value), value!)
    }
  }
  collect(schema, levelsMax)
  const merged = [...found].map(([name, each]): [string, Json] => {
    const [first, ...others] = each.values()
    return [name, others.length === 0 ? first! : { anyOf: [first!, ...others] }]
  })
  return Object.fromEntries(merged)
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

const isData: ReadonlySet<string> = new Set(["default", "enum", "const", "examples"])
export const holdsNamed: ReadonlySet<string> = new Set(["properties", "$defs", "definitions"])

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

export const eachValue = (named: Json, change: (value: Json) => Json): Json =>
  isJsonObject(named)
    ? Object.fromEntries(Object.entries(named).map(([name, value]) => [name, change(value ?? null)]))
    : named

/** A schema that says what it is for. OpenAI's protocols say that of an answer's form beside its schema. */
export const describedSchema = (schema: JsonObject, description: string): JsonObject => {
  if (description === "") return schema
  const own = stringOf(schema.description)
  return { ...schema, description: own === "" ? description : `${description}\n\n${own}` }
}

/** Also where an object is one of several types, as what may be null is written, or where properties alone say it. */
export const isOfObjects = ({ properties, type }: JsonObject): boolean =>
  type === "object" || properties !== undefined || (Array.isArray(type) && type.includes("object"))

/** What a `format` may be for who makes a grammar of a schema. */
export const knownFormats: ReadonlySet<Json | undefined> = new Set([
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
