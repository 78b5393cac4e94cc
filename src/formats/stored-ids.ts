/** The ids of things a provider stores that a Responses or Messages request builds upon, or has stored. */
import { optional, refuse, stringAt } from "./json/fields.ts"
import { isAbsent, isJsonObject, type Json, type JsonObject } from "./json/json.ts"
import { elementsOf, type Member, memberNamed, scanMembers } from "./json/scan.ts"
import { isReference } from "./responses/request.ts"

export interface StoredReference {
  readonly field: string
  readonly id: string
}

type Place = readonly [field: string, inner: string]

/** Where such an id stands: in the member itself, or in this member of it. */
const continued: ReadonlyArray<Place> = [
  ["previous_response_id", "id"],
  ["conversation", "id"],
  ["thread", "previous_message_id"]
]

/** What comes back tells in what the prompts differ. */
const compared: Place = ["prompt_cache_options", "comparison_response_id"]
export const comparedField = compared.join(".")

/** Refuses a member that is there twice: the provider may read the other one. `isSent` says that it is told all. */
export const referencedIds = (
  body: JsonObject,
  bytes: Buffer,
  members: ReadonlyArray<Member>,
  isSent: boolean
): ReadonlyArray<StoredReference> =>
  (isSent ? [...continued, compared] : continued).flatMap(([field, inner]) => {
    const value = body[field]
    refuseTwice(members, field, field)
    if (isAbsent(value)) return []
    // What is no id to us may be one to the provider.
    if (!isJsonObject(value)) return [{ field, id: stringAt(value, field) }]
    const { valueEnd, valueStart } = memberNamed(members, field)!
    refuseTwice(scanMembers(bytes.subarray(valueStart, valueEnd)) ?? [], inner, `${field}.${inner}`)
    const id = optional(stringAt, value[inner], `${field}.${inner}`)
    return id === undefined ? [] : [{ field: `${field}.${inner}`, id }]
  })

/** What a request may refer to at most. */
const referencesMax = 2_000

/** Ids of the items in the input that the provider has to look up. */
export const referencedItems = (
  { input }: JsonObject,
  bytes: Buffer,
  members: ReadonlyArray<Member>
): ReadonlyArray<string> => {
  if (!Array.isArray(input) || !(input as ReadonlyArray<Json>).some(isLookedUp)) return []
  const items = input as ReadonlyArray<Json>
  const whole = memberNamed(members, "input")!
  const places = elementsOf(bytes, whole.valueStart, items.length)!
  const ids = items.flatMap((item, index) => {
    if (!isLookedUp(item)) return []
    const field = `input.${index}`
    const { end, start } = places[index]!
    refuseTwice(scanMembers(bytes.subarray(start, end)) ?? [], "id", `${field}.id`)
    return [stringAt(item.id, `${field}.id`)]
  })
  return ids.length <= referencesMax
    ? ids
    : refuse("input", `refers to more than ${referencesMax} stored items`)
}

/** What holds nothing by itself, so that its id stands for it. */
const isLookedUp = (item: Json): item is JsonObject => {
  if (isReference(item)) return true
  if (!isJsonObject(item) || isAbsent(item.id)) return false
  if (item.type === "reasoning") return typeof item.encrypted_content !== "string"
  return item.type === "image_generation_call" && typeof item.result !== "string"
}

const refuseTwice = (members: ReadonlyArray<Member>, name: string, field: string): void => {
  if (members.filter((member) => member.name === name).length > 1) refuse(field, "is there more than once")
}

/** Whether a Messages provider keeps the answer so that a later call can continue it. */
export const isThreaded = (body: JsonObject): boolean => !isAbsent(body.thread)
