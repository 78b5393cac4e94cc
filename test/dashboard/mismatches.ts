/** Where a value is not as a schema of one of our documents says: as much of JSON Schema as these use. */
import type { Described } from "./around-bounds.ts"

export interface Schema extends Described {
  readonly $ref?: string
  readonly const?: unknown
  readonly anyOf?: ReadonlyArray<Schema>
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: ReadonlyArray<string>
}
export type Schemas = Readonly<Record<string, Schema>>

/** `whole`: what is not described may not be there. */
export const mismatches = (
  schema: Schema,
  value: unknown,
  schemas: Schemas,
  extent: "whole" | "part" = "part",
  at = "$"
): ReadonlyArray<string> => {
  if (schema.$ref !== undefined)
    return mismatches(schemas[schema.$ref.split("/").at(-1)!]!, value, schemas, extent, at)
  if (schema.anyOf !== undefined) {
    const found = schema.anyOf.map((each) => mismatches(each, value, schemas, extent, at))
    return found.some((each) => each.length === 0) ? [] : found.flat()
  }
  if ("const" in schema) return value === schema.const ? [] : [`${at} is not ${String(schema.const)}`]
  if (schema.enum !== undefined) return schema.enum.includes(value) ? [] : [`${at} is not one of those`]
  if (!isOfType(schema.type, value)) return [`${at} is no ${schema.type}`]
  if (typeof value === "string")
    return new RegExp(schema.pattern ?? "", "u").test(value) ? [] : [`${at} has another form`]
  if (Array.isArray(value))
    return value.flatMap((each, index) =>
      mismatches(schema.items ?? {}, each, schemas, extent, `${at}.${index}`)
    )
  return typeof value === "object" && value !== null
    ? ofObject(schema, value as Readonly<Record<string, unknown>>, schemas, extent, at)
    : []
}

const ofObject = (
  { properties, required = [] }: Schema,
  value: Readonly<Record<string, unknown>>,
  schemas: Schemas,
  extent: "whole" | "part",
  at: string
) => [
  ...required.filter((name) => !(name in value)).map((name) => `${at}.${name} is missing`),
  ...Object.entries(value).flatMap(([name, each]) => {
    const field = properties?.[name]
    if (field !== undefined) return mismatches(field, each, schemas, extent, `${at}.${name}`)
    return extent === "whole" && properties !== undefined ? [`${at}.${name} is not described`] : []
  })
]

const isOfType = (type: string | undefined, value: unknown): boolean => {
  switch (type) {
    case "null":
      return value === null
    case "array":
      return Array.isArray(value)
    case "integer":
      return Number.isInteger(value)
    case "object":
      return typeof value === "object" && value !== null && !Array.isArray(value)
    case undefined:
      return true
    default:
      return typeof value === type
  }
}
