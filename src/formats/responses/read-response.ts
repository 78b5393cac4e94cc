/** What the gateway reads of a Responses answer: its usage, and the ids under which the provider stores it. */
import { tokenCount, type Usage } from "../../domain/usage.ts"
import { isJsonObject, type JsonObject, objectsOf } from "../json/json.ts"
import type { StoredAnswer } from "../../domain/stored-answer.ts"

/** `usage` of a response object; input includes cached tokens, output includes reasoning. */
export const responsesUsage = (response: JsonObject): Usage | undefined => {
  const usage = response["usage"]
  if (!isJsonObject(usage)) return undefined
  const inputTokens = tokenCount(usage["input_tokens"])
  const outputTokens = tokenCount(usage["output_tokens"])
  return inputTokens === undefined || outputTokens === undefined ? undefined : { inputTokens, outputTokens }
}

/** The ids of a response and of its items, unless the provider was told not to store it. */
export const storedResponse = ({ id, output, store }: JsonObject): StoredAnswer | undefined =>
  typeof id === "string" && store !== false
    ? { id, itemIds: objectsOf(output).flatMap((item) => (typeof item.id === "string" ? [item.id] : [])) }
    : undefined
