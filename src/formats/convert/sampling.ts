/** How freely a model picks its words. */
import type { Model } from "../../domain/catalogue.ts"
import { numberAt, optional } from "../json/fields.ts"
import type { JsonObject } from "../json/json.ts"

/** In the words of Messages, chat and Responses alike; nothing for a model that refuses to be told. */
export const sampling = (
  body: JsonObject,
  { upstream }: Model
): { readonly temperature?: number; readonly top_p?: number } => {
  const temperature = optional(numberAt, body.temperature, "temperature")
  const topP = optional(numberAt, body.top_p, "top_p")
  if (upstream.refuses.has("sampling")) return {}
  return { ...(temperature !== undefined && { temperature }), ...(topP !== undefined && { top_p: topP }) }
}
