/** The events of Bedrock streams, out of their bytes. Exceptions and damage become the reader's failure. */
import { type StreamFailure, brokenOff, unreadable } from "../errors/stream-failure.ts"
import { hasTooManyValues, parsedEventBytesMax } from "../stream/event-bounds.ts"
import type { EventReader } from "../stream/event-reader.ts"
import { mapStreamError } from "../errors/upstream-errors.ts"
import { isJsonObject, type JsonObject } from "../json/json.ts"
import { EventStreamDecoder, type EventStreamMessage } from "./event-stream.ts"

/** What is parsed of a model's event, and a third more, as base64 takes. */
const payloadBytesMax = 1.5 * parsedEventBytesMax

/** Each event as `{ [event type]: payload }`: `messageStart`, `contentBlockDelta`, `chunk` and so on. */
export class BedrockEventReader implements EventReader {
  failure: StreamFailure | undefined
  readonly #decoder = new EventStreamDecoder()

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

  end(): ReadonlyArray<JsonObject> {
    if (this.#decoder.midMessage) this.failure ??= brokenOff
    return []
  }

  #read(message: EventStreamMessage): JsonObject | undefined {
    const { body } = message
    const payload =
      body.length > payloadBytesMax ? undefined : parseObject(Buffer.from(body).toString("utf8"))
    const kind = textHeader(message, ":message-type")
    const type = textHeader(message, ":event-type")
    if (kind === "event" && type !== undefined && payload !== undefined) return { [type]: payload }
    const error =
      kind === "exception"
        ? { type: textHeader(message, ":exception-type"), message: payload?.message ?? payload?.Message }
        : { type: textHeader(message, ":error-code"), message: textHeader(message, ":error-message") }
    this.failure = kind === "exception" || kind === "error" ? mapStreamError(error) : unreadable
    return undefined
  }
}

/** One event of Claude's own stream and its JSON text, as it stood inside a `chunk`. */
export interface InvokeEvent {
  readonly event: JsonObject
  readonly text: string
}

/** The events of Claude's own stream, which InvokeModelWithResponseStream wraps in `chunk` events. */
export class InvokeEventReader implements EventReader {
  failure: StreamFailure | undefined
  readonly #reader = new BedrockEventReader()

  push(chunk: Uint8Array): ReadonlyArray<JsonObject> {
    return this.pushTexts(chunk).map(({ event }) => event)
  }

  pushTexts(chunk: Uint8Array): ReadonlyArray<InvokeEvent> {
    const events: Array<InvokeEvent> = []
    if (this.failure !== undefined) return events
    for (const wrapped of this.#reader.push(chunk)) {
      // Other events may come to exist; only chunks are Claude's.
      if (!isJsonObject(wrapped.chunk)) continue
      const { bytes } = wrapped.chunk
      const text = typeof bytes === "string" ? Buffer.from(bytes, "base64").toString("utf8") : ""
      const event = parseObject(text)
      if (event === undefined) {
        this.failure = unreadable
        return events
      }
      events.push({ event, text })
    }
    this.failure = this.#reader.failure
    return events
  }

  end(): ReadonlyArray<JsonObject> {
    this.#reader.end()
    this.failure ??= this.#reader.failure
    return []
  }
}

const textHeader = ({ headers }: EventStreamMessage, name: string): string | undefined => {
  const header = headers[name]
  return header?.type === "string" ? header.value : undefined
}

const parseObject = (text: string): JsonObject | undefined => {
  if (hasTooManyValues(text)) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
