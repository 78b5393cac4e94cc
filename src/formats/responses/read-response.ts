/** Whether a Responses answer failed, and the ids under which the provider stores it. */
import { brokenOff, type StreamFailure, unreadable } from "../errors/stream-failure.ts"
import { mapStreamError } from "../errors/upstream-errors.ts"
import { isJsonObject, type JsonObject, objectsOf } from "../json/json.ts"
import type { StoredAnswer } from "../../domain/stored-answer.ts"

/** Why a response is no answer. */
export const responseFailure = (response: JsonObject): StreamFailure | undefined => {
  const { output, status } = response
  const failure = failureOfEnd(response)
  if (failure !== undefined) return failure
  if (!Array.isArray(output)) return unreadable
  return status === "completed" || status === "incomplete" || status === undefined ? undefined : brokenOff
}

/** The same of a response that a stream ends with, whatever its last event is called. */
export const failureOfEnd = ({ error, status }: JsonObject): StreamFailure | undefined => {
  // Some write that there is none as `false` or an empty text.
  if (error) return mapStreamError(error)
  return status === "failed" || status === "cancelled" ? brokenOff : undefined
}

/** What a stream's last event tells. Its name says that the response is incomplete where that itself does not. */
export const responseOfEnd = ({ response, type }: JsonObject): JsonObject => ({
  ...(type === "response.incomplete" && { status: "incomplete" }),
  ...(isJsonObject(response) && response)
})

/** The ids of a response and of its items, unless the provider was told not to store it. */
export const storedResponse = ({ id, output, store }: JsonObject): StoredAnswer | undefined =>
  typeof id === "string" && store !== false
    ? { id, itemIds: objectsOf(output).flatMap((item) => (typeof item.id === "string" ? [item.id] : [])) }
    : undefined
