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
  /** Parts of the input. */
  readonly cacheReadTokens: number
  readonly cacheWriteTokens: number
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

/** Other models of one answer that are told apart; no answer has had as many. */
const modelsMax = 16

/** One for each model, however many samplings a provider tells of; models beyond the first few go without a name. */
export const sumByModel = (others: ReadonlyArray<OtherTokens>): ReadonlyArray<OtherTokens> => {
  if (others.length < 2) return others
  const sums = new Map<string, OtherTokens>()
  for (const other of others) {
    const { isApart, model } = other
    const keyOf = (name: string) => `${isApart} ${name}`
    const name = sums.has(keyOf(model)) || sums.size < modelsMax ? model : ""
    const known = sums.get(keyOf(name))
    sums.set(keyOf(name), {
      model: name,
      inputTokens: other.inputTokens + (known?.inputTokens ?? 0),
      cacheReadTokens: other.cacheReadTokens + (known?.cacheReadTokens ?? 0),
      cacheWriteTokens: other.cacheWriteTokens + (known?.cacheWriteTokens ?? 0),
      outputTokens: other.outputTokens + (known?.outputTokens ?? 0),
      isApart
    })
  }
  return [...sums.values()]
}
