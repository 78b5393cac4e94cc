/** What a model is given with a text request, beside the texts themselves. */
import type { DocumentSource } from "./document-tokens.ts"
import type { JsonObject } from "../formats/json/json.ts"
import type { ImageSource } from "./image-tokens.ts"

/**
 * Where a text stands: in the conversation, in the definition of a tool, in the schema asked of the answer; or where nobody
 * knows whether a model is shown it, which is held for and not counted.
 */
export type Part = "prompt" | "tools" | "schema" | "unknown"

export interface RequestParts {
  messages: number
  tools: number
  /** Those among them that take a text. */
  customTools: number
  toolCalls: number
  /** Characters of what blocks and items call themselves, which models that know no such block are told. */
  typeCharacters: number
  readonly images: Array<ImageSource>
  readonly documents: Array<DocumentSource>
  /** However they are given: what one holds can not be seen from outside. */
  videos: number
  /** Base64 characters of sound; compressed unless it is WAV. */
  audioCharacters: number
  /** Characters of encrypted reasoning and results, which the provider decrypts before the model reads them. */
  opaqueCharacters: number
  /** The most that tools run by the provider are expected to add by themselves. */
  serverToolTokens: number
  /** Tools that the provider runs. */
  readonly hostedTools: Array<JsonObject>
  thinking: boolean
  /** What is thought is to be told, however much it is. */
  thoughtsTold: boolean
  /** The answer is to be JSON of any form. */
  jsonMode: boolean
  citations: boolean
  /** The provider may sum the conversation up first, for which the model reads it a first time. */
  compaction: boolean
  /** Tokens of JSON's punctuation, by part; the texts within are told one by one. */
  readonly punctuation: Record<Part, number>
}

export const noParts = (): RequestParts => ({
  messages: 0,
  tools: 0,
  customTools: 0,
  toolCalls: 0,
  typeCharacters: 0,
  images: [],
  documents: [],
  videos: 0,
  audioCharacters: 0,
  opaqueCharacters: 0,
  serverToolTokens: 0,
  hostedTools: [],
  thinking: false,
  thoughtsTold: false,
  jsonMode: false,
  citations: false,
  compaction: false,
  punctuation: { prompt: 0, tools: 0, schema: 0, unknown: 0 }
})
