/** Writes the events of a client's protocol as the bytes of its stream. */
import type { JsonObject } from "../json/json.ts"
import type { PieceKind, PiecePlace } from "./pieces.ts"
import { dataFrame, namedFrame } from "./sse.ts"

export interface EventWriter {
  /** Empty for what is kept for the tail. */
  write(event: JsonObject): string
  piece(place: PiecePlace, json: string): string
  /** The end of a finished stream: for the client once the charge is committed. */
  readonly tail: string
}

/** Puts pieces into a frame that is made anew only where another place begins. */
abstract class FramedPieces {
  #place: PiecePlace | undefined
  #before = ""
  #behind = ""

  /** The frame of this piece there. */
  protected abstract frameOf(place: PiecePlace, piece: string): string

  piece(place: PiecePlace, json: string): string {
    if (place !== this.#place) {
      const frame = this.frameOf(place, mark)
      const at = frame.lastIndexOf(mark)
      this.#before = frame.slice(0, at)
      this.#behind = frame.slice(at + mark.length)
      this.#place = place
    }
    return this.#before + json + this.#behind
  }
}

/** Stands for the piece in its frame, which has no other behind it. */
const mark = "@"

export class MessagesWriter extends FramedPieces implements EventWriter {
  readonly tail = namedFrame("message_stop", `{"type":"message_stop"}`)

  write(event: JsonObject): string {
    return event.type === "message_stop" ? "" : namedFrame(String(event.type), JSON.stringify(event))
  }

  protected frameOf(place: PiecePlace, piece: string): string {
    return this.write(messagesDelta(place, piece))
  }
}

export class ChatWriter extends FramedPieces implements EventWriter {
  readonly tail = dataFrame("[DONE]")
  readonly #chunkOf: (delta: JsonObject) => JsonObject

  /** `chunkOf` makes the chunk of a delta. */
  constructor(chunkOf: (delta: JsonObject) => JsonObject) {
    super()
    this.#chunkOf = chunkOf
  }

  write(event: JsonObject): string {
    return dataFrame(JSON.stringify(event))
  }

  protected frameOf(place: PiecePlace, piece: string): string {
    return this.write(this.#chunkOf(chatDelta(place, piece)))
  }
}

const chatDelta = ({ index, kind }: PiecePlace, piece: string): JsonObject => {
  switch (kind) {
    case "text":
      return { content: piece }
    case "thinking":
      return { reasoning_content: piece }
    case "input":
      return { tool_calls: [{ index, function: { arguments: piece } }] }
  }
}

/** The event that adds a piece to a block of a Messages stream. */
export const messagesDelta = ({ index, kind }: PiecePlace, piece: string): JsonObject => ({
  type: "content_block_delta",
  index,
  delta: messagesDeltaOf(kind, piece)
})

const messagesDeltaOf = (kind: PieceKind, piece: string): JsonObject => {
  switch (kind) {
    case "text":
      return { type: "text_delta", text: piece }
    case "thinking":
      return { type: "thinking_delta", thinking: piece }
    case "input":
      return { type: "input_json_delta", partial_json: piece }
  }
}
