/** Lists that are changed, of which whoever compares them sees whether they were. */
import { isJsonObject, type Json, type JsonObject } from "./json.ts"

/** The former list where the one made of it holds the same values. */
export const formerIfSame = <Item>(
  made: ReadonlyArray<Item>,
  former: ReadonlyArray<Item>
): ReadonlyArray<Item> =>
  made.length === former.length && made.every((item, place) => item === former[place]) ? former : made

/** A list with its objects changed: the list itself where none of them changes, or where it is none. */
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
