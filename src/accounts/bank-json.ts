/** JSON from a bank's messenger: an object or nothing. */

export type JsonRecord = Readonly<Record<string, unknown>>

export const isJsonRecord = (value: unknown): value is JsonRecord =>
  typeof value === "object" && value !== null && !Array.isArray(value)

export const parseJsonRecord = (raw: string): JsonRecord | undefined => {
  try {
    const value: unknown = JSON.parse(raw)
    return isJsonRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}
