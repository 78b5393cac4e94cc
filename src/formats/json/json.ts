/** JSON as it comes from outside: nothing is known of it until it has been looked at. */
export type Json = null | boolean | number | string | ReadonlyArray<Json> | JsonObject
export interface JsonObject {
  readonly [key: string]: Json | undefined
}

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** `undefined` where the text is no JSON, or that of something else. `parse` throws where it is none. */
export const parseObject = (
  text: string,
  parse: (text: string) => unknown = JSON.parse
): JsonObject | undefined => {
  try {
    const value = parse(text)
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** A member that is null says as much as one that is not there. */
export const isAbsent = (value: Json | undefined): value is null | undefined =>
  value === undefined || value === null

const nothing: JsonObject = {}
const none: ReadonlyArray<Json> = []

/** Empty for what is no object. */
export const objectOf = (value: Json | undefined): JsonObject => (isJsonObject(value) ? value : nothing)

/** Empty for what is no array. */
export const listOf = (value: Json | undefined): ReadonlyArray<Json> =>
  Array.isArray(value) ? (value as ReadonlyArray<Json>) : none

/** The objects of an array; none where there is no array. */
export const objectsOf = (value: Json | undefined): ReadonlyArray<JsonObject> =>
  listOf(value).filter(isJsonObject)

/** Empty for what is no string. */
export const stringOf = (value: Json | undefined): string => (typeof value === "string" ? value : "")
