/** One step of a converted stream. */
import type { JsonObject } from "../json/json.ts"
import type { StreamProgress } from "./stream-codec.ts"

/** A state machine that takes the events of one protocol and gives those of another. */
export interface StreamStage extends StreamProgress {
  push(event: JsonObject): ReadonlyArray<JsonObject>
  /** No event will follow. Sets `failure` unless the stream was finished. */
  end(): ReadonlyArray<JsonObject>
}
