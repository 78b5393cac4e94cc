/** A field that must say something. */
import { refuse, stringAt } from "../json/fields.ts"
import type { Json } from "../json/json.ts"

export const requiredText = (value: Json | undefined, field: string): string => {
  const text = stringAt(value ?? undefined, field)
  return text.trim() === "" ? refuse(field, "must not be empty") : text
}
