/** What the converters of all directions have in common. */
import type { UsageInParts } from "../../domain/usage.ts"
import type { JsonObject } from "../json/json.ts"
import type { OutputMeter } from "../meter/output-meter.ts"
import type { ToolNames } from "./tool-names.ts"

export interface RequestConverted {
  readonly body: JsonObject
  readonly toolNames: ToolNames
}

/** What the client's request asks of the answer's form. Plain data: it crosses threads. */
export interface AskedOfAnswer {
  /** A chat client asked for the chunk with the usage. */
  readonly includeUsage: boolean
  /** A chat client gave `functions`, the older form of tools. */
  readonly givesFunctions: boolean
  /** One call is taken at a time, of a model that can not be told so. */
  readonly oneCall: boolean
  /** A Messages client takes thinking with its text, or only what it comes back by. */
  readonly thinking: "shown" | "omitted" | "none"
  /** The client's protocol knows refusals from other text. */
  readonly tellsRefusals: boolean
  /** The client's protocol has what a tool is called with as the model wrote it, be it no JSON. */
  readonly keepsArguments: boolean
  /** The client's protocol has what a chat upstream cites. */
  readonly keepsCitations: boolean
  /** The text at which a Messages client wants its answer to stop, where it is one alone. */
  readonly onlyStop: string | null
  /** What a Responses client's answer repeats of its request; empty for others. */
  readonly echo: string
}

/** What an answer needs to know of the call it belongs to. */
export interface ConversionContext extends AskedOfAnswer {
  /** The catalogue id, which the answer carries in `model`. */
  readonly modelId: string
  /** Whose thoughts the answer holds. */
  readonly family: string
  /** Makes the answer's own id. */
  readonly callId: string
  /** Seconds since 1970. */
  readonly now: number
  readonly toolNames: ToolNames
  /** Shown where the protocol wants an input count before the upstream has given one, or none ever comes. */
  readonly inputEstimate: number
  /** Of a whole answer, the output that is billed: shown where the upstream gave no count. */
  readonly outputEstimate?: number
  /** Of a whole answer: its own counts are not believed, or not whole. The estimates are shown in their place. */
  readonly isEstimated?: boolean
  /** The same of a stream, by what was seen of it. */
  readonly countOutput?: (meter: OutputMeter) => number
  /** How many answers the caller asked for; conversions give one. */
  readonly choices: number
}

/** What an answer is shown to have written where the upstream gave no count. */
export const seenOutput = ({ countOutput, outputEstimate }: ConversionContext, meter: OutputMeter): number =>
  outputEstimate ?? countOutput?.(meter) ?? meter.events

/** What stands for a usage that was not told. */
export const estimatedUsage = ({ inputEstimate }: ConversionContext, outputTokens: number): UsageInParts => ({
  inputTokens: inputEstimate,
  outputTokens,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: 0
})

export const messageIdOf = (context: ConversionContext): string => `msg_${context.callId}`
export const completionIdOf = (context: ConversionContext): string => `chatcmpl-${context.callId}`
