/**
 * Schemas of tools as Google takes them: beside a reference one "cannot contain any other fields except for description
 * and default" (su-kaka/gcli2api #374). The root says what it is all the same.
 */
import type { JsonObject } from "../json/json.ts"
import { mapNested } from "../json/json-schema.ts"

export const googleSchema = (schema: JsonObject): JsonObject =>
  mapNested(schema, (nested) =>
    typeof nested.$ref === "string"
      ? Object.fromEntries(Object.entries(nested).filter(([key]) => besideReferences.has(key)))
      : googleSchema(nested)
  )

const besideReferences: ReadonlySet<string> = new Set(["$ref", "description", "default"])
