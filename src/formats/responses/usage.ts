/** Token counts as the Responses protocol reports them: cached input is a part of the input, reasoning one of the output. */
import { tokenCount, type Usage, type UsageInParts } from "../../domain/usage.ts"
import { isJsonObject, type Json, type JsonObject, objectOf } from "../json/json.ts"

/** The billed usage of a response object; `undefined` where it tells no counts. */
export const responsesUsage = ({ usage }: JsonObject): Usage | undefined => {
  const counts = responsesCounts(usage)
  return counts && { inputTokens: counts.inputTokens, outputTokens: counts.outputTokens }
}

/** The billed input of a response object, whatever it tells of its output. */
export const responsesInput = ({ usage }: JsonObject): number | undefined =>
  tokenCount(objectOf(usage).input_tokens)

/** `undefined` where it tells no counts. */
export const responsesCounts = (usage: Json | undefined): UsageInParts | undefined => {
  if (!isJsonObject(usage)) return undefined
  const inputTokens = tokenCount(usage.input_tokens)
  const outputTokens = tokenCount(usage.output_tokens)
  if (inputTokens === undefined || outputTokens === undefined) return undefined
  const input = objectOf(usage.input_tokens_details)
  const output = objectOf(usage.output_tokens_details)
  const cacheReadTokens = Math.min(tokenCount(input.cached_tokens) ?? 0, inputTokens)
  return {
    inputTokens,
    outputTokens,
    cacheReadTokens,
    cacheWriteTokens: Math.min(tokenCount(input.cache_write_tokens) ?? 0, inputTokens - cacheReadTokens),
    reasoningTokens: Math.min(tokenCount(output.reasoning_tokens) ?? 0, outputTokens)
  }
}
