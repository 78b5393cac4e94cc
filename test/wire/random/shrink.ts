/** The least of a request that still breaks a promise. */
import { isJsonObject, type Json, type JsonObject } from "../../../src/formats/json/json.ts"

export const shrunk = (request: JsonObject, fails: (smaller: JsonObject) => boolean): JsonObject => {
  let least = request
  for (let next: JsonObject | undefined = request; next !== undefined;) {
    least = next
    next = [...smaller(least)].find((each): each is JsonObject => isJsonObject(each) && fails(each))
  }
  return least
}

/** Every copy of `value` that has one thing less. */
const smaller = function* (value: Json | undefined): Generator<Json> {
  if (Array.isArray(value)) {
    const list: ReadonlyArray<Json> = value
    for (let place = 0; place < list.length; place++) yield list.toSpliced(place, 1)
    for (const [place, item] of list.entries()) for (const each of smaller(item)) yield list.with(place, each)
  } else if (isJsonObject(value)) {
    for (const name of Object.keys(value))
      yield Object.fromEntries(Object.entries(value).filter(([each]) => each !== name)) as JsonObject
    for (const [name, item] of Object.entries(value))
      for (const each of smaller(item)) yield { ...value, [name]: each }
  }
}
