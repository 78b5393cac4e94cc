/** Every place of a request where a text could stand, be it one that nobody has thought of. */
import { isJsonObject, type Json, type JsonObject } from "../../../src/formats/json/json.ts"

export interface Place {
  /** Its names, and the types of what is in lists. */
  readonly path: ReadonlyArray<string>
  readonly holding: (text: string) => JsonObject
}

type Change = (text: string) => Json
type Set = (value: Json) => Json

/** What takes the place of a value. */
const instead: ReadonlyArray<Change> = [
  (text) => text,
  (text) => [text],
  (text) => ({ novelty: text }),
  (text) => ({ [text]: 1 }),
  (text) => [{ type: "text", text }],
  (text) => [{ type: "novelty", inside: { of: [{ [text]: true }] } }]
]

/** What an object has as well. */
const members: ReadonlyArray<(text: string) => JsonObject> = [
  (text) => ({ novelty: text }),
  (text) => ({ [text]: 1 }),
  (text) => ({ novelty: { deep: [{ deeper: text }] } }),
  ..."text content name title arguments filename reasoning_content url signature cache_control caller tools"
    .split(" ")
    .map((name) => (text: string) => ({ [name]: name.length % 2 === 0 ? text : { [text]: 1 } }))
]

export const placesIn = (request: JsonObject): ReadonlyArray<Place> => [
  ...within(request, [], (value) => value)
]

const within = function* (value: Json, path: ReadonlyArray<string>, set: Set): Generator<Place> {
  const placed = (name: string, change: Change): Place => ({
    path: [...path, name],
    holding: (text) => set(change(text)) as JsonObject
  })
  if (path.length > 0) for (const change of instead) yield placed("", change)
  if (isJsonObject(value)) {
    for (const more of members)
      yield placed(Object.keys(more("novelty"))[0]!, (text) => ({ ...more(text), ...value }))
    for (const [name, member] of Object.entries(value))
      if (member !== undefined)
        yield* within(member, [...path, name], (changed) => set({ ...value, [name]: changed }))
  } else if (Array.isArray(value)) {
    const list: ReadonlyArray<Json> = value
    for (const change of instead) yield placed("", (text) => [...list, change(text)])
    for (const [index, item] of list.entries())
      yield* within(item, [...path, typeOf(item)], (changed) => set(list.with(index, changed)))
  }
}

const typeOf = (item: Json): string =>
  isJsonObject(item) && typeof item["type"] === "string" ? item["type"] : "item"
