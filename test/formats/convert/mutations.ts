/** What may stand in JSON where something else belongs. */
import { isJsonObject, type Json, type JsonObject } from "../../../src/formats/json/json.ts"

const nested = (levels: number): Json => JSON.parse("[".repeat(levels) + "]".repeat(levels)) as Json
export const deep = nested(10_000)
const junk: ReadonlyArray<Json | undefined> = [
  undefined,
  null,
  true,
  0,
  -1,
  1.5,
  "",
  "x",
  [],
  {},
  [null],
  [[]],
  [{}],
  { type: 7 },
  ["x"],
  deep
]

/** Every copy of `value` in which one place holds one piece of junk. */
export const mutations = function* (value: Json | undefined): Generator<Json | undefined> {
  yield* junk
  if (Array.isArray(value)) {
    for (const [index, item] of (value as ReadonlyArray<Json>).entries()) {
      for (const mutated of mutations(item)) yield value.with(index, mutated ?? null) as Json
    }
  } else if (isJsonObject(value)) {
    for (const [key, item] of Object.entries(value)) {
      for (const mutated of mutations(item)) yield { ...value, [key]: mutated }
    }
  }
}

export const bodiesOf = (body: JsonObject): ReadonlyArray<JsonObject> =>
  [...mutations(body)].filter(isJsonObject)
