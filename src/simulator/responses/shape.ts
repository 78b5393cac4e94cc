/** The members that an object of a request may have, and those that it must have. */
import { isJsonObject, type Json, type JsonObject } from "../../formats/json/json.ts"
import type { Complaint } from "../Protocol.ts"
import { invalidValue, missing, unknownParameter, wrongType } from "../openai/complaints.ts"

export interface Shape {
  readonly required: ReadonlyArray<string>
  readonly known: ReadonlySet<string>
}

/** `members`: names apart by blanks; those with a `!` are required. */
export const shapeOf = (members: string): Shape => {
  const names = members.split(" ")
  return {
    required: names.flatMap((name) => (name.endsWith("!") ? [name.slice(0, -1)] : [])),
    known: new Set(names.map((name) => name.replace("!", "")))
  }
}

/** By their `type`, which each has besides. */
export const shapesOf = (shapes: Readonly<Record<string, string>>): ReadonlyMap<string, Shape> =>
  new Map(Object.entries(shapes).map(([type, members]) => [type, shapeOf(`type ${members}`.trim())]))

export const checkShape = (
  value: JsonObject,
  { known, required }: Shape,
  at: string
): Complaint | undefined => {
  const absent = required.find((name) => value[name] === undefined)
  if (absent !== undefined) return missing(`${at}.${absent}`)
  const unknown = Object.keys(value).find((name) => !known.has(name))
  return unknown === undefined ? undefined : unknownParameter(`${at}.${unknown}`)
}

/** An object of one of these types. */
export const checkTyped = (
  value: Json | undefined,
  shapes: ReadonlyMap<string, Shape>,
  at: string
): Complaint | undefined => {
  if (!isJsonObject(value)) return wrongType(at, "an object", value)
  const { type } = value
  if (type === undefined) return missing(`${at}.type`)
  const shape = typeof type === "string" ? shapes.get(type) : undefined
  return shape === undefined
    ? invalidValue(`${at}.type`, type, [...shapes.keys()])
    : checkShape(value, shape, at)
}

/** The first complaint about an element of a list. */
export const checkEach = (
  list: Json | undefined,
  at: string,
  check: (element: Json, at: string) => Complaint | undefined
): Complaint | undefined => {
  if (!Array.isArray(list)) return wrongType(at, "an array", list)
  for (const [index, element] of (list as ReadonlyArray<Json>).entries()) {
    const complaint = check(element, `${at}[${index}]`)
    if (complaint !== undefined) return complaint
  }
  return undefined
}
