/** What the gateway reads of a Responses answer: its usage, and the ids under which the provider stores it. */
import { tokenCount, type Usage } from "../../domain/usage.ts"
import { isJsonObject, type JsonObject } from "../json/json.ts"

/** `usage` of a response object; input includes cached tokens, output includes reasoning. */
export const responsesUsage = (response: JsonObject): Usage | undefined => {
  const usage = response["usage"]
  if (!isJsonObject(usage)) return undefined
  const inputTokens = tokenCount(usage["input_tokens"])
  const outputTokens = tokenCount(usage["output_tokens"])
  return inputTokens === undefined || outputTokens === undefined ? undefined : { inputTokens, outputTokens }
}

/** The response's id, unless the provider was told not to store it. */
export const storedResponseId = (response: JsonObject): string | undefined =>
  typeof response["id"] === "string" && response["store"] !== false ? response["id"] : undefined
