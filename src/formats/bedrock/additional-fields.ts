/** What Converse has no field for but the model itself understands: how much to think, and more. */
import type { Model } from "../../domain/catalogue.ts"
import { isJsonObject, type Json, type JsonObject, objectOf } from "../json/json.ts"

/** What a model has no name for is a hint that it can do without. */
export const additionalFields = (request: JsonObject, model: Model): JsonObject => {
  const effort = effortOf(request)
  switch (model.family) {
    case "nova":
      return { ...novaSampling(request, model), ...novaReasoning(effort, model) }
    // It does not think unless it is told to, and thinks at this effort alone (calebevans/mulder #194).
    case "deepseek":
      return effort === undefined || effort === "none" ? {} : { reasoning_effort: "high" }
    case "gpt-oss":
      return effort === undefined ? {} : { reasoning_effort: effort === "none" ? "low" : effort }
    default:
      return {}
  }
}

const novaSampling = ({ top_k: topK }: JsonObject, { upstream }: Model): JsonObject =>
  typeof topK === "number" && !upstream.refuses.has("sampling") ? { inferenceConfig: { topK } } : {}

/** With high effort Nova allows no output cap, and the cap is what the caller's wallet counts on. */
const novaReasoning = (effort: Effort | undefined, { capabilities }: Model): JsonObject => {
  if (effort === undefined || !capabilities.includes("reasoning")) return {}
  const maxReasoningEffort = effort === "low" ? "low" : "medium"
  return {
    reasoningConfig: effort === "none" ? { type: "disabled" } : { type: "enabled", maxReasoningEffort }
  }
}

type Effort = "none" | "low" | "medium" | "high"

const efforts: ReadonlyMap<Json | undefined, Effort> = new Map<string, Effort>([
  ["minimal", "low"],
  ["low", "low"],
  ["medium", "medium"],
  ["high", "high"],
  ["xhigh", "high"],
  ["max", "high"]
])

/**
 * How much the caller wants the model to think; `undefined` leaves it to the model. Nova does not think unless it is told
 * to, and knows no depth of its own choice: docs.aws.amazon.com, "Extended thinking in Amazon Nova 2".
 */
const effortOf = ({ thinking, output_config: output }: JsonObject): Effort | undefined => {
  const { type } = objectOf(thinking)
  if (type === "disabled" || type === "between_tools") return "none"
  const told = efforts.get(objectOf(output).effort)
  if (told !== undefined || !isJsonObject(thinking)) return told
  if (type === "adaptive") return "medium"
  const budget = thinking.budget_tokens
  if (type !== "enabled" || typeof budget !== "number") return undefined
  if (budget <= 2048) return "low"
  return budget <= 12_000 ? "medium" : "high"
}
