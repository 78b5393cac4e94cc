/** The ids of things a provider stores that a Responses or Messages request builds upon, or has stored. */
import { optional, refuse, stringAt } from "./json/fields.ts"
import { isJsonObject, type JsonObject } from "./json/json.ts"
import { type Member, scanMembers } from "./json/scan.ts"

export interface StoredReference {
  readonly field: string
  readonly id: string
}

/** Where such an id stands: in the member itself, or in this member of it. */
const places = [
  ["previous_response_id", "id"],
  ["conversation", "id"],
  ["thread", "previous_message_id"]
] as const

/** Refuses a member that is there twice: the provider may read the other one. */
export const referencedIds = (
  body: JsonObject,
  bytes: Buffer,
  members: ReadonlyArray<Member>
): ReadonlyArray<StoredReference> =>
  places.flatMap(([field, inner]) => {
    const value = body[field]
    refuseTwice(members, field, field)
    if (value === undefined || value === null) return []
    // What is no id to us may be one to the provider.
    if (!isJsonObject(value)) return [{ field, id: stringAt(value, field) }]
    const { valueEnd, valueStart } = members.find(({ name }) => name === field)!
    refuseTwice(scanMembers(bytes.subarray(valueStart, valueEnd)) ?? [], inner, `${field}.${inner}`)
    const id = optional(stringAt, value[inner], `${field}.${inner}`)
    return id === undefined ? [] : [{ field: `${field}.${inner}`, id }]
  })

const refuseTwice = (members: ReadonlyArray<Member>, name: string, field: string): void => {
  if (members.filter((member) => member.name === name).length > 1) refuse(field, "is there more than once")
}

/** Whether a Messages provider keeps the answer so that a later call can continue it. */
export const isThreaded = (body: JsonObject): boolean =>
  body["thread"] !== undefined && body["thread"] !== null
