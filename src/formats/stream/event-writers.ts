/** Writes the events of a client's protocol as the bytes of its stream. */
import type { JsonObject } from "../json/json.ts"
import { dataFrame, namedFrame } from "./sse.ts"

export interface EventWriter {
  /** Empty for what is kept for the tail. */
  write(event: JsonObject): string
  /** The end of a finished stream: for the client once the charge is committed. */
  readonly tail: string
  /** What keeps the stream alive now, where that depends on what has been written. */
  readonly keepAlive?: string | undefined
  /** The number of the next event, where the protocol counts them. */
  readonly nextSequenceNumber?: number
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
