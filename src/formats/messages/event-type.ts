/** What an event of a Messages stream is; some gateways leave the type out of their errors. */
import { errorIn } from "../errors/upstream-errors.ts"
import type { Json, JsonObject } from "../json/json.ts"

export const messagesEventType = (event: JsonObject): Json | undefined =>
  errorIn(event) === undefined ? event.type : "error"
