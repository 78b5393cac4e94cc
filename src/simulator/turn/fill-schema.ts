/** The smallest value that satisfies a JSON schema: what a simulated model passes to a tool or answers when asked for JSON. */
import { isJsonObject, type Json, type JsonObject, listOf, objectOf } from "../../formats/json/json.ts"
import { givenNumber } from "../read-json.ts"
import { ownEntry } from "../own-entry.ts"

/** Schemas may refer to themselves; beyond this depth only what is required matters, and `{}` has to do. */
const depthMax = 12

export const fillSchema = (schema: Json | undefined): Json => fill(schema, objectOf(schema), 0)

const fill = (schema: Json | undefined, root: JsonObject, depth: number): Json => {
  if (!isJsonObject(schema) || depth > depthMax) return {}
  if (typeof schema["$ref"] === "string") return fill(resolve(schema["$ref"], root), root, depth + 1)
  if (schema["const"] !== undefined) return schema["const"]
  if (schema["default"] !== undefined) return schema["default"]
  if (Array.isArray(schema["enum"]) && schema["enum"].length > 0) return schema["enum"][0] as Json
  for (const union of ["anyOf", "oneOf", "allOf"]) {
    const options = schema[union]
    if (Array.isArray(options) && options.length > 0 && schema["type"] === undefined)
      return fill(options[0] as Json, root, depth + 1)
  }
  const type = Array.isArray(schema["type"]) ? (schema["type"][0] as Json) : schema["type"]
  return ofType(type ?? (schema["properties"] === undefined ? "string" : "object"), schema, root, depth)
}

const ofType = (type: Json, schema: JsonObject, root: JsonObject, depth: number): Json => {
  switch (type) {
    case "object":
      return fillObject(schema, root, depth)
    case "array":
      return Array.from({ length: givenNumber(schema["minItems"]) ?? 0 }, () =>
        fill(schema["items"], root, depth + 1)
      )
    case "integer":
    case "number":
      return fillNumber(schema)
    case "boolean":
      return true
    case "null":
      return null
    default:
      return fillString(schema)
  }
}

const fillObject = (schema: JsonObject, root: JsonObject, depth: number): Json => {
  const properties = objectOf(schema["properties"])
  const value: Record<string, Json> = {}
  for (const name of listOf(schema["required"]))
    if (typeof name === "string") value[name] = fill(properties[name] ?? {}, root, depth + 1)
  return value
}

const fillNumber = (schema: JsonObject): number => {
  if (typeof schema["exclusiveMinimum"] === "number") return schema["exclusiveMinimum"] + 1
  const least = givenNumber(schema["minimum"]) ?? -Infinity
  const most = givenNumber(schema["maximum"]) ?? Infinity
  return Math.min(Math.max(1, least), most)
}

const formats: Readonly<Record<string, string>> = {
  date: "2025-01-31",
  "date-time": "2025-01-31T08:00:00Z",
  time: "08:00:00Z",
  email: "someone@example.com",
  uri: "https://example.com/",
  uuid: "00000000-0000-4000-8000-000000000000",
  ipv4: "192.0.2.1"
}

const fillString = (schema: JsonObject): string => {
  const format = typeof schema["format"] === "string" ? ownEntry(formats, schema["format"]) : undefined
  const text = format ?? "Hà Nội"
  const least = givenNumber(schema["minLength"]) ?? 0
  return text.padEnd(least, ".").slice(0, Math.max(least, givenNumber(schema["maxLength"]) ?? text.length))
}

const resolve = (reference: string, root: JsonObject): Json | undefined => {
  let found: Json | undefined = root
  for (const step of reference.replace(/^#\/?/, "").split("/"))
    if (step !== "") found = isJsonObject(found) ? found[step] : undefined
  return found
}
