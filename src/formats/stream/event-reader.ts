/** Cuts an upstream's bytes into the events of its protocol, and the pieces among them. */
import { errorInsteadOfAnswer, mayBeError } from "../errors/upstream-errors.ts"
import { type JsonObject, parseObject } from "../json/json.ts"
import { parseExactJson } from "../json/parse-exact-json.ts"
import { outline } from "../json/outline.ts"
import { hasTooManyValues, largeEventBytes, largeRetellingBytes } from "./event-bounds.ts"
import type { EventSink } from "./pieces.ts"
import { type PieceForm, PieceScanner } from "./PieceScanner.ts"
import {
  dataFrame,
  type FrameSink,
  isDone,
  isKeepAlive,
  namedFrame,
  type SseEvent,
  SseReader
} from "./sse.ts"
import { type StreamFailure, unreadable } from "../errors/stream-failure.ts"

/** Gives what it reads to the sink that it was made with. */
export interface EventReader {
  /** What came could not be read. What was read before that is still given. */
  readonly failure: StreamFailure | undefined
  push(chunk: Buffer): void
  end(): void
}

type ReadPart = (data: string) => JsonObject | undefined

/** The event that stands for `data: [DONE]`. */
export const streamDone: JsonObject = { type: "[DONE]" }

/** JSON in server-sent events, as Messages, chat and Responses upstreams send them. */
export class SseEventReader implements EventReader, FrameSink {
  failure: StreamFailure | undefined
  readonly #reader = new SseReader(this)
  readonly #sink: EventSink
  readonly #pieces: PieceScanner
  readonly #readPart: ReadPart
  /** All that has come, as long as it may be one JSON object, which no event begins like. */
  #plain: Buffer | undefined = Buffer.alloc(0)
  /** The chunk that is being read, a character for each byte, so that places in it are places in the bytes. */
  #latin = ""

  /** `readPart` reads an event that need not be parsed whole. */
  constructor(sink: EventSink, pieces: PieceForm, readPart: ReadPart = () => undefined) {
    this.#sink = sink
    this.#pieces = new PieceScanner(pieces)
    this.#readPart = readPart
  }

  push(chunk: Buffer): void {
    if (this.#plain !== undefined)
      this.#keep(this.#plain.length === 0 ? chunk : Buffer.concat([this.#plain, chunk]))
    this.#latin = chunk.length <= 2 * largeEventBytes ? chunk.toString("latin1") : ""
    this.#reader.push(chunk)
    this.#noticeOverflow()
  }

  end(): void {
    this.#reader.end()
    this.#noticeOverflow()
    if (this.#plain !== undefined) this.failure ??= errorInsteadOfAnswer(this.#plain)
  }

  frame(frame: SseEvent): void {
    if (this.failure !== undefined) return
    const event = this.#readPart(frame.data) ?? parseFrame(frame)
    if (event === undefined) {
      this.failure = unreadable
      return
    }
    if (event === comment) return
    this.#pieces.learn(textOf(frame))
    this.#sink.event(event)
  }

  skip(chunk: Buffer, start: number): number {
    const pieces = this.#pieces
    let at = start
    while (this.failure === undefined && pieces.find(this.#latin, at)) {
      if (!this.#sink.piece(pieces.place, pieces.text(chunk))) break
      at = pieces.eventEnd
    }
    return at
  }

  #keep(bytes: Buffer): void {
    this.#plain = mayBeError(bytes) ? bytes : undefined
  }

  #noticeOverflow(): void {
    if (this.#reader.overflowed) this.failure ??= unreadable
  }
}

const comment: JsonObject = {}

/** An event as it is usually written. */
const textOf = ({ data, event }: SseEvent): string => {
  if (data.length > largeEventBytes) return ""
  return event === "" ? dataFrame(data) : namedFrame(event, data)
}

/** A Responses stream says all it has said again, and the request with it: of that the outline suffices. */
const retells = ({ type }: JsonObject): boolean =>
  typeof type === "string" && type.startsWith("response.") && !type.endsWith(".delta")

const parseFrame = ({ event, data }: SseEvent): JsonObject | undefined => {
  if (isDone(data)) return streamDone
  if (isKeepAlive(data)) return comment
  const isDense = hasTooManyValues(data)
  const retold =
    isDense || data.length > largeRetellingBytes ? parseObject(outlineOf(data), parseExactJson) : undefined
  if (retold !== undefined && retells(retold)) return retold
  const parsed = isDense ? undefined : parseObject(data, parseExactJson)
  if (parsed === undefined) return undefined
  return event === "error" && parsed.error === undefined ? { type: "error", error: parsed } : parsed
}

const outlineOf = (data: string): string => outline(Buffer.from(data), largeEventBytes) ?? ""
