/** What is kept of a call: metadata only, never a prompt or an answer. */
import type { AccountId, CallId, KeyId } from "./ids.ts"
import type { MicroVnd } from "./money.ts"
import type { PricedTokens, PricedUses } from "./price.ts"

export const endpointNames = [
  "messages",
  "chat_completions",
  "responses",
  "count_tokens",
  "images_generations",
  "images_edits",
  "audio_speech"
] as const

export type Endpoint = (typeof endpointNames)[number]

/** Where text models are called. */
export type TextEndpoint = Extract<Endpoint, "messages" | "chat_completions" | "responses">

/** They cost nothing, on either side, and work with an empty wallet. */
export const freeEndpoints: ReadonlySet<Endpoint> = new Set(["count_tokens"])

/** One try at one route of a provider. */
export interface Attempt {
  readonly route: string
  /** The answer's status, or a word for why there was none: `left` where nobody waited for it any more; `broken` also where it came in part. */
  readonly outcome: number | string
  readonly ms: number
}

/** What tells the margin of a call, and how its cost came about where tokens and price alone do not say. */
export interface CallExtras {
  /** Of the input: read from a cache of the provider's, and written to one. */
  readonly cacheReadTokens: number
  readonly cacheWriteTokens: number
  /** Of the output. */
  readonly reasoningTokens: number
  /** On what terms it was charged (`priority`, `fast+us`); empty where all was standard. */
  readonly tier: string
  /** What all but the uses of tools was multiplied by: a decimal. */
  readonly factor: string
  readonly toolUses: ReadonlyArray<PricedUses>
  readonly others: ReadonlyArray<PricedTokens>
  /** The provider's route that answered well, else the one that was tried last; empty where none was. */
  readonly route: string
  /** In the order in which they were begun; empty where there was none, or one alone in a call that did not fail with 5xx. */
  readonly attempts: ReadonlyArray<Attempt>
}

export const noExtras: CallExtras = {
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
  tier: "",
  factor: "1",
  toolUses: [],
  others: [],
  route: "",
  attempts: []
}

/** One row of the call log. */
export interface CallRecord {
  readonly callId: CallId
  /** When the call arrived, ms since 1970. */
  readonly atMs: number
  readonly accountId: AccountId
  readonly keyId: KeyId
  readonly endpoint: Endpoint
  readonly modelRequested: string
  /** The catalogue id that did the work; empty when none was found. */
  readonly model: string
  readonly stream: boolean
  /** HTTP status; of a stream that failed under way the one its failure would have had; 499 when the client left. */
  readonly status: number
  /** The error's type, or empty. */
  readonly errorType: string
  readonly inputTokens: number
  readonly outputTokens: number
  /** Images of an image call, else 1. */
  readonly units: number
  /** The gateway's own count was billed. */
  readonly estimated: boolean
  readonly perMtokVnd: number | null
  readonly perRequestVnd: number | null
  readonly cost: MicroVnd
  readonly latencyMs: number
  readonly firstByteMs: number | null
  /** SHA-256 of the id under which the provider stores the answer. */
  readonly storedIdHash: Uint8Array | null
  /** SHA-256 of the ids of the items stored with it. */
  readonly storedItemHashes: ReadonlyArray<Uint8Array>
  readonly extras: CallExtras
}
