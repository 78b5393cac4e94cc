/** One turn of a conversation without its wire format: what was asked, and what the simulated model does. */
import type { Json } from "../../formats/json/json.ts"
import type { Settings } from "../settings.ts"
import type { Pieces } from "./vocabulary.ts"

export interface ToolOffer {
  readonly name: string
  readonly schema: Json | undefined
  /** Called with a text instead of JSON. */
  readonly isCustom?: boolean
}

export interface Ask {
  readonly model: string
  readonly settings: Settings
  readonly inputTokens: number
  /** Tokens; `undefined` where the caller set none. */
  readonly outputCap: number | undefined
  readonly stopSequences: ReadonlyArray<string>
  readonly tools: ReadonlyArray<ToolOffer>
  readonly toolChoice: "auto" | "none" | "any" | { readonly name: string }
  readonly parallelTools: boolean
  /** Of the text that this provider's models say before they call a tool. */
  readonly prefaceTokens: number
  /** The last thing the user wrote. */
  readonly prompt: string
  /** The results, when the last message holds results of tools. */
  readonly toolResult: string | undefined
  readonly thinking: boolean
  /** Answer with JSON: of this schema, or any. */
  readonly json: { readonly schema: Json | undefined } | undefined
  readonly toolId: () => string
}

export type Stop = "end" | "length" | "stop_sequence" | "tool_use" | "refusal"

export interface Thinking {
  readonly pieces: Pieces
  readonly signature: string
  /** The thoughts are not shown, only this. */
  readonly redacted: string | undefined
}

export interface ToolCall {
  readonly id: string
  readonly name: string
  readonly arguments: Pieces
  readonly isCustom: boolean
}

/** Tokens as reported; `input` does not hold the cached ones. */
export interface TurnUsage {
  readonly input: number
  readonly cacheRead: number
  readonly cacheWrite: number
  /** Everything generated, thoughts included. */
  readonly output: number
  readonly reasoning: number
}

export interface Turn {
  readonly thinking: Thinking | undefined
  readonly text: Pieces
  readonly calls: ReadonlyArray<ToolCall>
  readonly stop: Stop
  readonly stopSequence: string | undefined
  /** `undefined` where the settings leave it out. */
  readonly usage: TurnUsage | undefined
}
