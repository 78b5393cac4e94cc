/** What the converters of all directions have in common. */
import type { JsonObject } from "../json/json.ts"
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

export const messageIdOf = (context: ConversionContext): string => `msg_${context.callId}`
export const completionIdOf = (context: ConversionContext): string => `chatcmpl-${context.callId}`
