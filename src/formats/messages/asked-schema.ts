/** The schema that a Messages request asks its answer to fit. */
import { objectAt, optional, refuse } from "../json/fields.ts"
import type { JsonObject } from "../json/json.ts"

/** Some clients ask for it by the older member. */
export const askedSchema = (body: JsonObject): JsonObject | undefined => {
  const config = optional(objectAt, body.output_config, "output_config")
  const newer = optional(objectAt, config?.format, "output_config.format")
  const format = newer ?? optional(objectAt, body.output_format, "output_format")
  if (format === undefined) return undefined
  const field = newer === undefined ? "output_format" : "output_config.format"
  if (format.type !== "json_schema") refuse(`${field}.type`, "must be json_schema")
  return objectAt(format.schema, `${field}.schema`)
}
