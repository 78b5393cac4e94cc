import { assert } from "@effect/vitest"
import { Result } from "effect"
import { refusable } from "../../src/formats/json/fields.ts"
import type { JsonObject } from "../../src/formats/json/json.ts"

/** The field that a reader complains about. */
export const refusedField = (read: (body: JsonObject) => unknown, body: JsonObject): string | undefined => {
  const result = refusable(() => read(body))
  if (Result.isSuccess(result)) return undefined
  assert.include(result.failure.message, result.failure.field)
  return result.failure.field
}
