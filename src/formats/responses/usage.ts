/** Token counts as the Responses protocol reports them. */
import { tokenCount } from "../../domain/usage.ts"
import { isJsonObject, type Json, objectOf } from "../json/json.ts"

export interface ResponsesCounts {
  /** Cached ones included. */
  readonly inputTokens: number
  readonly cacheReadTokens: number
  readonly cacheWriteTokens: number
  /** Reasoning included. */
  readonly outputTokens: number
  readonly reasoningTokens: number
}

/** `undefined` where it tells no counts. */
export const responsesCounts = (usage: Json | undefined): ResponsesCounts | undefined => {
  if (!isJsonObject(usage)) return undefined
  const inputTokens = tokenCount(usage.input_tokens)
  const outputTokens = tokenCount(usage.output_tokens)
  if (inputTokens === undefined || outputTokens === undefined) return undefined
  const input = objectOf(usage.input_tokens_details)
  const output = objectOf(usage.output_tokens_details)
  const cacheReadTokens = Math.min(tokenCount(input.cached_tokens) ?? 0, inputTokens)
  return {
    inputTokens,
    cacheReadTokens,
    cacheWriteTokens: Math.min(tokenCount(input.cache_write_tokens) ?? 0, inputTokens - cacheReadTokens),
    outputTokens,
    reasoningTokens: Math.min(tokenCount(output.reasoning_tokens) ?? 0, outputTokens)
  }
}
