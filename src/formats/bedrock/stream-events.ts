/** The events of Bedrock streams, out of their bytes. Exceptions and damage become the reader's failure. */
import { type StreamFailure, brokenOff, unreadable } from "../errors/stream-failure.ts"
import { hasTooManyValues, largeEventBytes } from "../stream/event-bounds.ts"
import type { EventReader } from "../stream/event-reader.ts"
import { mapStreamError } from "../errors/upstream-errors.ts"
import { type JsonObject, parseObject } from "../json/json.ts"
import { bareMessagesPieces } from "../messages/piece-form.ts"
import type { EventSink } from "../stream/pieces.ts"
import { type PieceForm, PieceScanner } from "../stream/PieceScanner.ts"
import { EventStreamDecoder, type EventStreamMessage } from "./event-stream.ts"
import { conversePieces } from "./piece-form.ts"

/** AWS cuts an answer into small frames. */
const payloadBytesMax = 1.5 * 1024 * 1024

abstract class FrameReader implements EventReader {
  failure: StreamFailure | undefined
  readonly #decoder = new EventStreamDecoder()

  /** An event of this type. Sets `failure` where its body can not be read. */
  protected abstract read(type: string, body: Buffer): void

  push(chunk: Uint8Array): void {
    if (this.failure !== undefined) return
    for (const message of this.#decoder.push(chunk)) {
      const type = textHeader(message, ":event-type")
      const isEvent = textHeader(message, ":message-type") === "event" && type !== undefined
      if (isEvent && message.body.length <= payloadBytesMax) this.read(type, message.body)
      else this.failure = failureOf(message)
      if (this.failure !== undefined) return
    }
    if (this.#decoder.corrupt !== undefined) this.failure = unreadable
  }

  end(): void {
    if (this.#decoder.midMessage) this.failure ??= brokenOff
  }
}

/** Each event as `{ [event type]: payload }`: `messageStart`, `contentBlockDelta`, `chunk` and so on. */
export class BedrockEventReader extends FrameReader {
  readonly #sink: EventSink
  readonly #pieces = new BodyPieces(conversePieces)

  constructor(sink: EventSink) {
    super()
    this.#sink = sink
  }

  protected read(type: string, body: Buffer): void {
    const isDelta = type === "contentBlockDelta"
    if (isDelta && this.#pieces.take(body, this.#sink)) return
    const text = body.toString("utf8")
    const payload = boundedObject(text)
    if (isDelta) this.#pieces.learn(text)
    if (payload === undefined) this.failure = unreadable
    else this.#sink.event({ [type]: payload })
  }
}

/** Who takes Claude's own events, each with its JSON text as it stood inside a `chunk`. */
export interface InvokeSink extends Pick<EventSink, "piece"> {
  event(event: JsonObject, text: string): void
}

/** The events of Claude's own stream, which InvokeModelWithResponseStream wraps in `chunk` events. */
export class InvokeEventReader extends FrameReader {
  readonly #sink: InvokeSink
  readonly #pieces = new BodyPieces(bareMessagesPieces)

  constructor(sink: InvokeSink) {
    super()
    this.#sink = sink
  }

  protected read(type: string, body: Buffer): void {
    const bytes = type === "chunk" ? wrappedIn(body.toString("latin1")) : undefined
    if (bytes === undefined) return this.#readPayload(type, body)
    if (!this.#pieces.take(bytes, this.#sink)) this.#readEvent(bytes.toString("utf8"))
  }

  #readPayload(type: string, body: Buffer): void {
    const payload = boundedObject(body.toString("utf8"))
    if (payload === undefined) this.failure = unreadable
    // Other events may come to exist; only chunks are Claude's.
    else if (type === "chunk")
      this.#readEvent(
        typeof payload.bytes === "string" ? Buffer.from(payload.bytes, "base64").toString("utf8") : ""
      )
  }

  #readEvent(text: string): void {
    const event = boundedObject(text)
    this.#pieces.learn(text)
    if (event === undefined) this.failure = unreadable
    else this.#sink.event(event, text)
  }
}

/** Pieces that are all there is of a message's body. */
class BodyPieces {
  readonly #scanner: PieceScanner

  constructor(form: PieceForm) {
    this.#scanner = new PieceScanner(form)
  }

  /** Whether the body is a piece, and the sink has taken it. */
  take(body: Buffer, sink: Pick<EventSink, "piece">): boolean {
    const scanner = this.#scanner
    if (body.length > largeEventBytes || !scanner.find(body.toString("latin1"), 0)) return false
    return sink.piece(scanner.place, scanner.text(body))
  }

  learn(text: string): void {
    this.#scanner.learn(text.length > largeEventBytes ? "" : text)
  }
}

const wrapping = '{"bytes":"'
const behindBytes = /"(?:,"p":"[a-zA-Z0-9]*")?\}$/y

/** What is in a `chunk` that is written as AWS does. */
const wrappedIn = (json: string): Buffer | undefined => {
  const end = json.startsWith(wrapping) ? json.indexOf('"', wrapping.length) : -1
  if (end === -1) return undefined
  behindBytes.lastIndex = end
  if (!behindBytes.test(json)) return undefined
  const bytes = Buffer.from(json.slice(wrapping.length, end), "base64")
  // Whatever is no base64 is left out by who decodes it.
  const padding = json[end - 1] !== "=" ? 0 : json[end - 2] !== "=" ? 1 : 2
  return (bytes.length + padding) * 4 === (end - wrapping.length) * 3 ? bytes : undefined
}

const failureOf = (message: EventStreamMessage): StreamFailure => {
  const kind = textHeader(message, ":message-type")
  if (kind === "error") {
    const [type, said] = [textHeader(message, ":error-code"), textHeader(message, ":error-message")]
    return mapStreamError({ type, message: said })
  }
  if (kind !== "exception") return unreadable
  const { body } = message
  const payload = body.length > payloadBytesMax ? undefined : boundedObject(body.toString("utf8"))
  const type = textHeader(message, ":exception-type")
  return mapStreamError({ type, message: payload?.message ?? payload?.Message })
}

const textHeader = ({ headers }: EventStreamMessage, name: string): string | undefined => {
  const header = headers[name]
  return header?.type === "string" ? header.value : undefined
}

const boundedObject = (text: string): JsonObject | undefined =>
  hasTooManyValues(text) ? undefined : parseObject(text)
