/** Writes the events of a client's protocol as the bytes of its stream. */
import type { JsonObject } from "../json/json.ts"
import { dataFrame, namedFrame } from "./sse.ts"

export interface EventWriter {
  /** Empty for what is kept for the tail. */
  write(event: JsonObject): string
  /** The end of a finished stream: for the client once the charge is committed. */
  readonly tail: string
}

export const messagesWriter: EventWriter = {
  tail: namedFrame("message_stop", `{"type":"message_stop"}`),
  write: (event) =>
    event.type === "message_stop" ? "" : namedFrame(String(event.type), JSON.stringify(event))
}

export const chatWriter: EventWriter = {
  tail: dataFrame("[DONE]"),
  write: (event) => dataFrame(JSON.stringify(event))
}
