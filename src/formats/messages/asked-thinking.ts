/** Whether a Messages client takes thinking, and how. */
import { isJsonObject, type JsonObject } from "../json/json.ts"

export const askedThinkingOf = ({ thinking }: JsonObject): "shown" | "omitted" | "none" => {
  if (!isJsonObject(thinking) || thinking.type === "disabled") return "none"
  return thinking.display === "omitted" ? "omitted" : "shown"
}
