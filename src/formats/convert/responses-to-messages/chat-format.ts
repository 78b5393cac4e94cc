/** The form of an answer, which Responses and chat tell in the same words and Messages does not know. */
import type { Model } from "../../../domain/catalogue.ts"
import { chatTraitsOf } from "../../chat/chat-traits.ts"
import type { JsonObject } from "../../json/json.ts"

/** `text.format` as a chat request has it; `undefined` where the way by Messages tells as much. */
export const chatFormat = (format: JsonObject | undefined, model: Model): JsonObject | undefined => {
  if (format?.type === "json_object") return { type: "json_object" }
  if (format?.type !== "json_schema" || !chatTraitsOf(model).schemas) return undefined
  const { type, ...asked } = format
  return { type, json_schema: asked }
}
