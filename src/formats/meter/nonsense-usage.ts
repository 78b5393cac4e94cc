/** Counts that are none, under the names of all protocols. */
import { isNoCount } from "../../domain/usage.ts"
import { isJsonObject, type JsonObject } from "../json/json.ts"

const names = [
  "prompt_tokens",
  "completion_tokens",
  "input_tokens",
  "cache_read_input_tokens",
  "cache_creation_input_tokens",
  "output_tokens",
  "inputTokens",
  "cacheReadInputTokens",
  "cacheWriteInputTokens",
  "outputTokens"
] as const

/** Whether an upstream's usage holds a negative or broken number, or one beyond all measure, where a count should be. */
export const isNonsense = (usage: unknown): boolean =>
  isJsonObject(usage) && (names.some((name) => isNoCount(usage[name])) || isNoCount(inputSum(usage)))

/** Parts that are plausible one by one may add up to what no call can have. */
const inputSum = (usage: JsonObject): number =>
  [usage.input_tokens, usage.cache_read_input_tokens, usage.cache_creation_input_tokens].reduce<number>(
    (sum, count) => sum + (typeof count === "number" ? count : 0),
    0
  )
