/** JSON from outside that is not one of the models' protocols: an object or nothing, and the text in its fields. */

export type JsonRecord = Readonly<Record<string, unknown>>

export const isJsonRecord = (value: unknown): value is JsonRecord =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** A string or a number as text; empty for anything else. */
export const textOf = (value: unknown): string =>
  typeof value === "string" ? value : typeof value === "number" ? String(value) : ""
