/** How the families of models on Bedrock differ in what their Converse requests may hold. Claude is called in its own protocol. */
import type { Model } from "../../domain/catalogue.ts"

export interface ConverseTraits {
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

const others: ConverseTraits = {
  cachePoints: false,
  reasoning: false,
  toolStatus: false,
  forcedTools: true,
  resultImages: false,
  schemas: true,
  bareToolSchemas: false,
  shortCallIds: false
}

const families: ReadonlyMap<string, ConverseTraits> = new Map<string, ConverseTraits>([
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

export const converseTraitsOf = (model: Model): ConverseTraits => {
  const traits = families.get(model.family) ?? others
  return model.capabilities.includes("reasoning") ? traits : { ...traits, reasoning: false }
}
