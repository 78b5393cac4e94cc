/** What an answer tells of how it was made, beside the tokens that it is billed by. */
import type { Terms } from "./surcharges.ts"
import { standardTerms } from "./surcharges.ts"

/** How often a tool was used that the provider runs. */
export interface ToolUses {
  /** `web_search`, whatever the protocol calls it. */
  readonly tool: string
  readonly uses: number
}

/** Tokens of another model than the one that was called. */
export interface OtherTokens {
  /** As the provider names it; empty where it does not. */
  readonly model: string
  readonly inputTokens: number
  readonly outputTokens: number
  /** The usage of the answer does not count them. */
  readonly isApart: boolean
}

/** Plain data: it crosses threads. */
export interface Particulars {
  /** Parts of the input. */
  readonly cacheReadTokens: number
  readonly cacheWriteTokens: number
  /** A part of the output. */
  readonly reasoningTokens: number
  readonly served: Terms
  readonly toolUses: ReadonlyArray<ToolUses>
  readonly others: ReadonlyArray<OtherTokens>
}

export const noParticulars: Particulars = {
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
  served: standardTerms,
  toolUses: [],
  others: []
}
