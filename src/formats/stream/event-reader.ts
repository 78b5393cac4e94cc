/** Cuts an upstream's bytes into the parsed events of its protocol. */
import { errorInsteadOfStream, mayBeError } from "../errors/upstream-errors.ts"
import { isJsonObject, type Json, type JsonObject } from "../json/json.ts"
import { parseExactJson } from "../json/parse-exact-json.ts"
import { outline } from "../json/outline.ts"
import { hasTooManyValues, largeEventBytes, unreadable as unreadableText } from "./event-bounds.ts"
import { isDone, isKeepAlive, type SseEvent, SseReader } from "./sse.ts"
import { type StreamFailure, unreadable } from "../errors/stream-failure.ts"

export interface EventReader {
  /** What came could not be read. Events read before that are still given. */
  readonly failure: StreamFailure | undefined
  push(chunk: Buffer): ReadonlyArray<JsonObject>
  end(): ReadonlyArray<JsonObject>
}

/** The event that stands for `data: [DONE]`. */
export const streamDone: JsonObject = { type: "[DONE]" }

/** JSON in server-sent events, as Messages and chat upstreams send them. */
export class SseEventReader implements EventReader {
  failure: StreamFailure | undefined
  readonly #reader = new SseReader()
  /** All that has come, as long as it may be one JSON object, which no event begins like. */
  #plain: Buffer | undefined = Buffer.alloc(0)

  push(chunk: Buffer): ReadonlyArray<JsonObject> {
    if (this.#plain !== undefined)
      this.#keep(this.#plain.length === 0 ? chunk : Buffer.concat([this.#plain, chunk]))
    return this.#parse(this.#reader.push(chunk))
  }

  end(): ReadonlyArray<JsonObject> {
    const events = this.#parse(this.#reader.end())
    if (this.#plain !== undefined) this.failure ??= errorInsteadOfStream(this.#plain)
    return events
  }

  #keep(bytes: Buffer): void {
    this.#plain = mayBeError(bytes) ? bytes : undefined
  }

  #parse(frames: ReadonlyArray<SseEvent>): ReadonlyArray<JsonObject> {
    const events: Array<JsonObject> = []
    for (const frame of frames) {
      const event = parseFrame(frame)
      if (event === undefined) {
        this.failure = unreadable
        return events
      }
      if (event !== comment) events.push(event)
    }
    if (this.#reader.overflowed) this.failure = unreadable
    return events
  }
}

const comment: JsonObject = {}

/** A Responses stream says all it has said again, and the request with it: of that the outline suffices. */
const retells = ({ type }: JsonObject): boolean =>
  typeof type === "string" && type.startsWith("response.") && !type.endsWith(".delta")

const parseFrame = ({ event, data, isOutline }: SseEvent): JsonObject | undefined => {
  if (isDone(data)) return streamDone
  if (isKeepAlive(data)) return comment
  const isDense = hasTooManyValues(data)
  let parsed: Json
  try {
    parsed = parseExactJson(isDense ? (outline(Buffer.from(data), largeEventBytes) ?? unreadableText) : data)
  } catch {
    return undefined
  }
  if (!isJsonObject(parsed)) return undefined
  if ((isOutline || isDense) && !retells(parsed)) return undefined
  return event === "error" && parsed.error === undefined ? { type: "error", error: parsed } : parsed
}
