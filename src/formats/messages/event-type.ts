/** What an event of a Messages stream is; some gateways leave the type out of their errors. */
import { isJsonObject, type Json, type JsonObject } from "../json.ts"

export const messagesEventType = (event: JsonObject): Json | undefined =>
  isJsonObject(event.error) ? "error" : event.type
