/** A field that must say something. */
import { refuse, stringAt } from "../fields.ts"
import type { Json } from "../json.ts"

export const requiredText = (value: Json | undefined, field: string): string => {
  const text = stringAt(value ?? undefined, field)
  return text.trim() === "" ? refuse(field, "must not be empty") : text
}
