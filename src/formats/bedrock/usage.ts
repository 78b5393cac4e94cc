/** Token counts as the Converse API reports them: what was read from a cache or written to one is apart. */
import { tokenCount } from "../../domain/usage.ts"
import { isJsonObject, type Json, type JsonObject } from "../json/json.ts"
import { untoldUsage } from "../messages/usage.ts"

/** The same counts in the Messages protocol's words, which keeps them apart too; `undefined` where there are none. */
export const usageOfConverse = (usage: Json | undefined): JsonObject | undefined => {
  if (!isJsonObject(usage)) return undefined
  const input = tokenCount(usage.inputTokens)
  const output = tokenCount(usage.outputTokens)
  if (input === undefined || output === undefined) return undefined
  return {
    ...untoldUsage,
    input_tokens: input,
    cache_creation_input_tokens: tokenCount(usage.cacheWriteInputTokens) ?? 0,
    cache_read_input_tokens: tokenCount(usage.cacheReadInputTokens) ?? 0,
    output_tokens: output
  }
}
