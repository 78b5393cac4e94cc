/**
 * Lists of models that a router of calls (OpenRouter, LiteLLM's proxy) takes for one that does not answer, each at its own price:
 * a call is sold as the model that it names. Sources: openrouter.ai/docs, "Model Fallbacks"; docs.litellm.ai, "Client Side Fallbacks".
 */
import { refuse } from "./json/fields.ts"
import { isJsonObject, type Json } from "./json/json.ts"
import type { ObjectBytes } from "./json/splice.ts"

/** Refuses a request that names some. Claude's own `fallbacks`, which are objects, are held for and charged. */
export const refuseOtherModels = ({ bytes, members }: ObjectBytes): void => {
  for (const { name, valueEnd, valueStart } of members) {
    if (name !== "models" && name !== "fallbacks") continue
    const value = JSON.parse(bytes.toString("utf8", valueStart, valueEnd)) as Json
    if (!Array.isArray(value)) continue
    const isOther = name === "models" || !value.every(isJsonObject)
    if (value.length > 0 && isOther)
      refuse(name, "is not supported: a call is answered by the model that it names")
  }
}
