/** One step of a converted stream. */
import type { JsonObject } from "../json/json.ts"
import type { PiecePlace } from "./pieces.ts"
import type { StreamProgress } from "./stream-codec.ts"

/** A state machine that takes the events of one protocol and gives those of another. */
export interface StreamStage extends StreamProgress {
  push(event: JsonObject): ReadonlyArray<JsonObject>
  /**
   * Takes a piece and gives its place in the other protocol, where it goes on as it is. `undefined` asks for its event
   * instead, and nothing has happened.
   */
  piece(place: PiecePlace, json: string): PiecePlace | undefined
  /** No event will follow. Sets `failure` unless the stream was finished. */
  end(): ReadonlyArray<JsonObject>
}
