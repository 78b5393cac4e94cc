/** What an event of a Responses stream is; some gateways leave the type out of their errors. */
import { errorIn } from "../errors/upstream-errors.ts"
import type { JsonObject } from "../json/json.ts"

export const responsesEventType = (event: JsonObject): string => {
  if (typeof event.type === "string") return event.type
  return errorIn(event) === undefined ? "" : "error"
}
