/** What a call consumed, as it is billed. */

/** Billed tokens of one call. Input counts every input token, cached or not; output counts reasoning too. */
export interface Usage {
  readonly inputTokens: number
  readonly outputTokens: number
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
