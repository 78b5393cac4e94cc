/** What an answer tells of another model that was asked for it. */
import type { OtherTokens } from "../../domain/particulars.ts"
import { tokenCount } from "../../domain/usage.ts"
import { type Json, type JsonObject, stringOf } from "../json/json.ts"

/** What cannot be is dropped. */
export const otherTokens = (model: Json | undefined, usage: JsonObject, isApart: boolean): OtherTokens => ({
  model: modelName.test(stringOf(model)) ? stringOf(model) : "",
  inputTokens: inputNames.reduce((sum, name) => sum + (tokenCount(usage[name]) ?? 0), 0),
  cacheReadTokens: tokenCount(usage.cache_read_input_tokens) ?? 0,
  cacheWriteTokens: tokenCount(usage.cache_creation_input_tokens) ?? 0,
  outputTokens: tokenCount(usage.output_tokens) ?? 0,
  isApart
})

/** Nothing else is kept with a call: PostgreSQL takes not every text as JSON. */
const modelName = /^[\x21-\x7e]{1,200}$/
const inputNames = ["input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens"] as const
