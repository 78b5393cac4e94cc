/** What a chat request must have before anything is done with it, and what of it the gateway needs to know. */
import { chatCapNames } from "../../domain/output-cap-names.ts"
import { booleanAt, optional, positiveIntegerAt, refuse } from "../json/fields.ts"
import { type JsonObject, objectOf } from "../json/json.ts"
import { requireModelAndMessages } from "../messages/request.ts"

export const requireChatRequest = (body: JsonObject): void => {
  requireModelAndMessages(body)
  askedOutputCap(body)
  refuseDeferred(body)
}

/**
 * Every call is charged with its answer, and work that goes on behind it is billed by the provider but metered by nobody.
 * Source: docs.x.ai, "Deferred Chat Completions".
 */
const refuseDeferred = (body: JsonObject): void => {
  if (optional(booleanAt, body.deferred, "deferred") === true)
    refuse(
      "deferred",
      "must be false or absent, since a completion can not be fetched later from this service"
    )
}

/** The cap the caller asked for; the smallest where it is given under several names. */
export const askedOutputCap = (body: JsonObject): number | undefined => {
  const asked = chatCapNames.flatMap((name) => optional(positiveIntegerAt, body[name], name) ?? [])
  return asked.length === 0 ? undefined : Math.min(...asked)
}

/** Whether the caller wants the chunk with the usage at the end of a stream. */
export const asksForUsage = (body: JsonObject): boolean =>
  objectOf(body.stream_options).include_usage === true
