/** What a call consumed, as it is billed. */

/** Billed tokens of one call. Input counts every input token, cached or not; output counts reasoning too. */
export interface Usage {
  readonly inputTokens: number
  readonly outputTokens: number
}

/** The same with what is told of its parts. */
export interface UsageInParts extends Usage {
  /** Parts of the input: what was read from caches, and what was written to them. */
  readonly cacheReadTokens: number
  readonly cacheWriteTokens: number
  /** A part of the output. */
  readonly reasoningTokens: number
}

/** Of what is not billed by tokens, or not at all. */
export const noUsage: Usage = { inputTokens: 0, outputTokens: 0 }

/** A number where a count should be that is none. What is absent, or no number, says nothing. */
export const isNoCount = (value: unknown): boolean =>
  typeof value === "number" && tokenCount(value) === undefined

/** A count from outside as a whole number of tokens; anything absurd counts as unknown. */
export const tokenCount = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0 && value <= 1_000_000_000
    ? value
    : undefined
