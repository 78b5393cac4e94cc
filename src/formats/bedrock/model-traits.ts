/** How the families of models on Bedrock differ in what their Converse requests may hold. Claude is called in its own protocol. */
import type { Model } from "../../domain/catalogue.ts"
import { isJsonObject, type Json, type JsonObject } from "../json/json.ts"

export interface ModelTraits {
  /**
   * Cache points may stand behind text; elsewhere they are an error, and left out they only cost. Nova refuses them among
   * tools (NousResearch/hermes-agent #97281) and behind calls, results and images (aws-samples/bedrock-engineer #71).
   */
  readonly cachePoints: boolean
  /** The history's reasoning goes back, without signatures. */
  readonly reasoning: boolean
  /** Tool results may be marked as errors. */
  readonly toolStatus: boolean
  /** The choice of tools may force one. */
  readonly forcedTools: boolean
  /** Images may stand in a tool's result; the others take them beside it only (anomalyco/opencode #49443). */
  readonly resultImages: boolean
  /** Answers and tool inputs can be bound to a schema. Others are made to call a tool with the answer, or are told in words. */
  readonly schemas: boolean
  /** Schemas of tools hold no more than their properties and which of them are required. */
  readonly bareToolSchemas: boolean
  /** Ids of tool calls are nine letters and digits, no more and no less. */
  readonly shortCallIds: boolean
}

const others: ModelTraits = {
  cachePoints: false,
  reasoning: false,
  toolStatus: false,
  forcedTools: true,
  resultImages: false,
  schemas: true,
  bareToolSchemas: false,
  shortCallIds: false
}

const families: ReadonlyMap<string, ModelTraits> = new Map<string, ModelTraits>([
  [
    "nova",
    {
      ...others,
      cachePoints: true,
      reasoning: true,
      toolStatus: true,
      resultImages: true,
      schemas: false,
      bareToolSchemas: true
    }
  ],
  ["llama", { ...others, forcedTools: false, resultImages: true, schemas: false }],
  ["deepseek", { ...others, forcedTools: false }],
  // "Tool call id … must be a-z, A-Z, 0-9, with a length of 9" (anomalyco/opencode #48843).
  ["mistral", { ...others, shortCallIds: true }]
])

export const traitsOf = (model: Model): ModelTraits => {
  const traits = families.get(model.family) ?? others
  return model.capabilities.includes("reasoning") ? traits : { ...traits, reasoning: false }
}

/**
 * What Converse has no field for but the model itself understands. What a model has no name for is a hint that it
 * can do without.
 */
export const additionalFields = (request: JsonObject, model: Model): JsonObject => {
  const { top_k: topK } = request
  const sampled = typeof topK === "number" && !model.upstream.refuses.has("sampling")
  const effort = effortOf(request)
  const reasons = model.capabilities.includes("reasoning")
  switch (model.family) {
    case "nova":
      return {
        ...(sampled ? { inferenceConfig: { topK } } : {}),
        // With high effort Nova allows no output cap, and the cap is what the caller's wallet counts on.
        ...(reasons && effort !== undefined
          ? {
              reasoningConfig:
                effort === "none"
                  ? { type: "disabled" }
                  : { type: "enabled", maxReasoningEffort: effort === "low" ? "low" : "medium" }
            }
          : {})
      }
    // It does not think unless it is told to, and thinks at this effort alone (calebevans/mulder #194).
    case "deepseek":
      return effort === undefined || effort === "none" ? {} : { reasoning_effort: "high" }
    case "gpt-oss":
      return effort === undefined ? {} : { reasoning_effort: effort === "none" ? "low" : effort }
    default:
      return {}
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
  const type = isJsonObject(thinking) ? thinking.type : undefined
  if (type === "disabled" || type === "between_tools") return "none"
  const told = isJsonObject(output) ? efforts.get(output.effort) : undefined
  if (told !== undefined || !isJsonObject(thinking)) return told
  if (type === "adaptive") return "medium"
  const budget = thinking.budget_tokens
  if (type !== "enabled" || typeof budget !== "number") return undefined
  if (budget <= 2048) return "low"
  return budget <= 12_000 ? "medium" : "high"
}
