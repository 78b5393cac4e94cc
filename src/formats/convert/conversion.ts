/** What the converters of all directions have in common. */
import type { Usage } from "../../domain/usage.ts"
import type { JsonObject } from "../json/json.ts"
import type { OutputMeter } from "../meter/output-meter.ts"
import type { StreamFailure } from "../stream/stream-codec.ts"
import type { ToolNames } from "./tool-names.ts"

export interface RequestConverted {
  readonly body: JsonObject
  readonly toolNames: ToolNames
}

/** What an answer needs to know of the call it belongs to. */
export interface ConversionContext {
  /** The catalogue id, which the answer carries in `model`. */
  readonly modelId: string
  /** Makes the answer's own id. */
  readonly callId: string
  /** Seconds since 1970. */
  readonly now: number
  readonly toolNames: ToolNames
  /** Shown where the protocol wants an input count before the upstream has given one, or none ever comes. */
  readonly inputEstimate: number
  /** How many answers the caller asked for; conversions give one. */
  readonly choices: number
  /** Chat clients: the caller asked for the usage of a stream. */
  readonly includeUsage: boolean
  /** Chat clients: the caller gave `functions`, the older form of tools. */
  readonly givesFunctions: boolean
}

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
  readonly meter: OutputMeter
  push(event: JsonObject): ReadonlyArray<JsonObject>
  /** No event will follow. Sets `failure` unless the stream was finished. */
  end(): ReadonlyArray<JsonObject>
}

export const messageIdOf = (context: ConversionContext): string => `msg_${context.callId}`
export const completionIdOf = (context: ConversionContext): string => `chatcmpl-${context.callId}`

export const brokenOff: StreamFailure = { type: "api_error", message: "The model's answer broke off." }
export const unreadable: StreamFailure = {
  type: "api_error",
  message: "The model's answer could not be read."
}
