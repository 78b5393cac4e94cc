/** One step of a converted stream. */
import type { Usage } from "../../domain/usage.ts"
import type { StreamFailure } from "../errors/stream-failure.ts"
import type { JsonObject } from "../json/json.ts"
import type { OutputMeter } from "../meter/output-meter.ts"

/** A state machine that takes the events of one protocol and gives those of another. */
export interface StreamStage {
  /** Text, thinking, a tool call or a refusal has been given. */
  readonly contentSeen: boolean
  readonly finished: boolean
  /** Only what stands behind the answer is missing; `end` would finish it. */
  readonly isWhole?: boolean
  readonly failure: StreamFailure | undefined
  readonly usage: Usage | undefined
  /** As in `StreamCodec`; absent where the usage comes with the end. */
  readonly usageIsFinal?: boolean
  readonly usageIsNonsense?: boolean
  readonly meter: OutputMeter
  push(event: JsonObject): ReadonlyArray<JsonObject>
  /** No event will follow. Sets `failure` unless the stream was finished. */
  end(): ReadonlyArray<JsonObject>
}
