/** The last step of a converted stream. */
import type { JsonObject } from "../json/json.ts"
import type { PiecePlace } from "./pieces.ts"
import type { CodedFailure, StreamProgress } from "./stream-codec.ts"

/** Takes events and writes the client's stream; what its members mean is told at `StreamCodec`. */
export interface StreamEnd {
  readonly progress: StreamProgress
  push(event: JsonObject): string
  /** Takes a piece; `undefined` asks for its event instead, and nothing has happened. */
  piece(place: PiecePlace, json: string): string | undefined
  /** No event will follow. */
  end?(): string
  /** The end of a finished stream: for the client once the charge is committed. */
  readonly tail: string
  readonly keepAlive?: string | undefined
  readonly nextSequenceNumber?: number
  begin?(): string
  failed?(failure: CodedFailure, lostEvents: number): string | undefined
}
