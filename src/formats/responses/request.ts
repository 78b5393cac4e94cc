/** What a Responses request may not ask for. Everything else of it is the upstream's business. */
import { refuse } from "../json/fields.ts"
import { isJsonObject, type Json, type JsonObject } from "../json/json.ts"
import type { Member } from "../json/scan.ts"

/** OpenAI: "Expected a value >= 16". */
export const responsesCapMin = 16

/** Every call is charged exactly, and work that goes on behind its answer is billed by the provider but metered by nobody. */
export const requireResponsesRequest = (
  body: Buffer,
  members: ReadonlyArray<Member>,
  problem = "must be false or absent, since a response can not be fetched later from this service"
): void => {
  for (const { name, valueEnd, valueStart } of members) {
    // Of several members of the name the provider may read any.
    if (name !== "background" || /^(false|null)$/.test(body.toString("latin1", valueStart, valueEnd)))
      continue
    refuse("background", problem)
  }
}

/** Refuses what builds upon things that a provider would have kept: converted calls leave nothing behind. */
export const refuseStored = (body: JsonObject): void => {
  for (const field of ["previous_response_id", "conversation", "prompt"])
    if (body[field] !== undefined && body[field] !== null) refuse(field, keepsNothing)
  if (body.background === true) refuse("background", keepsNothing)
  if (!Array.isArray(body.input)) return
  for (const [index, item] of (body.input as ReadonlyArray<Json>).entries())
    if (isReference(item)) refuse(`input.${index}`, keepsNothing)
}

export const keepsNothing = "this model keeps no conversations; send the whole input instead"

/** A reference may do without a type. */
export const isReference = (item: Json): item is JsonObject =>
  isJsonObject(item) &&
  (item.type === "item_reference" || ((item.type ?? item.role ?? null) === null && item.id !== undefined))
