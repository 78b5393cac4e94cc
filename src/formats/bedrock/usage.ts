/** Token counts as the Converse API reports them: what was read from a cache or written to one is apart. */
import { tokenCount } from "../../domain/usage.ts"
import { isJsonObject, type Json, type JsonObject } from "../json/json.ts"
import { untoldUsage } from "../messages/usage.ts"

/** The same counts in the Messages protocol's words, which keeps them apart too; `undefined` where there are none. */
export const usageOfConverse = (usage: Json | undefined): JsonObject | undefined => {
  const input = inputOfConverse(usage)
  const output = isJsonObject(usage) ? tokenCount(usage.outputTokens) : undefined
  return input === undefined || output === undefined
    ? undefined
    : { ...untoldUsage, ...input, output_tokens: output }
}

/** Those of the input, be it told without the output. */
export const inputOfConverse = (usage: Json | undefined): JsonObject | undefined => {
  if (!isJsonObject(usage)) return undefined
  const input = tokenCount(usage.inputTokens)
  if (input === undefined) return undefined
  return {
    input_tokens: input,
    cache_creation_input_tokens: tokenCount(usage.cacheWriteInputTokens) ?? 0,
    cache_read_input_tokens: tokenCount(usage.cacheReadInputTokens) ?? 0
  }
}
