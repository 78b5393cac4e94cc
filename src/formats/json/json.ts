/** JSON as it comes from outside: nothing is known of it until it has been looked at. */
export type Json = null | boolean | number | string | ReadonlyArray<Json> | JsonObject
export interface JsonObject {
  readonly [key: string]: Json | undefined
}

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** The objects of an array; none where there is no array. */
export const objectsOf = (value: Json | undefined): ReadonlyArray<JsonObject> =>
  Array.isArray(value) ? (value as ReadonlyArray<Json>).filter(isJsonObject) : []

/** Empty for what is no string. */
export const stringOf = (value: Json | undefined): string => (typeof value === "string" ? value : "")
