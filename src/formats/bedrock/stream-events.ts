/**
 * The events of a Bedrock stream, out of its bytes, each as `{ [event type]: payload }`: `chunk`, `messageStart`,
 * `contentBlockDelta` and so on. Exceptions and damage become the stream's failure.
 */
import { brokenOff, unreadable } from "../convert/conversion.ts"
import type { JsonObject } from "../json.ts"
import type { StreamFailure } from "../stream-codec.ts"
import { EventStreamDecoder, type EventStreamMessage } from "./event-stream.ts"
import { parseObject, streamException } from "./exceptions.ts"

export class BedrockEventReader {
  failure: StreamFailure | undefined
  readonly #decoder = new EventStreamDecoder()

  /** The events completed by `chunk`; those before a failure are still given. */
  push(chunk: Uint8Array): ReadonlyArray<JsonObject> {
    const events: Array<JsonObject> = []
    if (this.failure !== undefined) return events
    for (const message of this.#decoder.push(chunk)) {
      const event = this.#read(message)
      if (event === undefined) return events
      events.push(event)
    }
    if (this.#decoder.corrupt !== undefined) this.failure = unreadable
    return events
  }

  /** The upstream has closed. */
  end(): void {
    if (this.#decoder.midMessage) this.failure ??= brokenOff
  }

  #read(message: EventStreamMessage): JsonObject | undefined {
    const payload = parseObject(Buffer.from(message.body).toString("utf8"))
    const kind = textHeader(message, ":message-type")
    const type = textHeader(message, ":event-type")
    if (kind === "event" && type !== undefined && payload !== undefined) return { [type]: payload }
    this.failure =
      kind === "exception"
        ? streamException(textHeader(message, ":exception-type") ?? "unknown exception", payload)
        : kind === "error"
          ? streamException(textHeader(message, ":error-code") ?? "unknown error", {
              message: textHeader(message, ":error-message")
            })
          : unreadable
    return undefined
  }
}

const textHeader = ({ headers }: EventStreamMessage, name: string): string | undefined => {
  const header = headers[name]
  return header?.type === "string" ? header.value : undefined
}
