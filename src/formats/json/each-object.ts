/** A list with its objects changed: the list itself where none of them changes, or where it is none. */
import { formerIfSame } from "./former-if-same.ts"
import { isJsonObject, type Json, type JsonObject } from "./json.ts"

export const eachObject = (
  list: Json | undefined,
  change: (item: JsonObject, place: number) => JsonObject
): Json | undefined => {
  if (!Array.isArray(list)) return list
  const items = list as ReadonlyArray<Json>
  return formerIfSame(
    items.map((item, place) => (isJsonObject(item) ? change(item, place) : item)),
    items
  )
}
