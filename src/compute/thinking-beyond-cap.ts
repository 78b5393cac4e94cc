/**
 * How much a model may think beyond the output cap it is given. Most providers count thoughts inside the cap; where one does
 * not, or is not known to, a call must hold for them besides.
 */
import type { Model } from "../domain/catalogue.ts"
import { isJsonObject, type JsonObject } from "../formats/json/json.ts"
import { outputMaxOf } from "../formats/output-cap.ts"

/** In tokens of one answer; `body` is what goes up, `cap` the answer's own. Both together fit into the model's window. */
export const thinkingBeyondCap = (model: Model, body: JsonObject, cap: number): number =>
  Math.min(thoughtsOf(model, body), Math.max(0, (model.contextWindow ?? Infinity) - cap))

const thoughtsOf = (model: Model, body: JsonObject): number => {
  const { provider, thinkingBeyondCap: stated } = model.upstream
  if (!model.capabilities.includes("reasoning")) return 0
  if (stated !== undefined) return stated
  if (countsInside.has(provider) || (provider === "bedrock" && model.family !== "nova")) return 0
  const thinker = thinkers.get(provider)
  if (thinker?.isOff(body, model) === true) return 0
  return thinker?.most?.(body) ?? outputMaxOf(model)
}

/**
 * As documented: "including visible output tokens and reasoning tokens" (OpenAI), `max_tokens` as a strict limit (Anthropic),
 * and as seen with small caps, which thoughts use up (BerriAI/litellm-docs #559: DeepSeek, Gemini, Moonshot, Z.ai).
 * Mistral's models write their thoughts as content. On Bedrock, Nova's cap alone is told of its answer.
 */
const countsInside: ReadonlySet<string> = new Set([
  "anthropic",
  "openai",
  "deepseek",
  "google",
  "moonshotai",
  "zai",
  "mistral"
])

interface Thinker {
  /** The model was told not to think, in words that it heeds. */
  readonly isOff: (body: JsonObject, model: Model) => boolean
  readonly most?: (body: JsonObject) => number
}

/** The longest thought of any Qwen: anomalyco/models.dev #2364. */
const qwenThoughtMax = 131_072

const thinkers: ReadonlyMap<string, Thinker> = new Map<string, Thinker>([
  [
    "alibaba",
    {
      // "`thinking_budget` caps reasoning tokens, not total output": the cap is of the answer behind them.
      isOff: ({ enable_thinking: thinks }) => thinks === false,
      most: ({ thinking_budget: budget }) =>
        typeof budget === "number" && Number.isInteger(budget) && budget > 0
          ? Math.min(budget, qwenThoughtMax)
          : qwenThoughtMax
    }
  ],
  [
    "xai",
    {
      // Thoughts are counted beside the completion. Only this one can be told not to think.
      isOff: ({ reasoning_effort: effort }, { upstream }) =>
        effort === "none" && upstream.model.startsWith("grok-4.3")
    }
  ],
  ["minimax", { isOff: ({ thinking }) => isJsonObject(thinking) && thinking["type"] === "disabled" }],
  [
    "bedrock",
    {
      isOff: ({ additionalModelRequestFields: more }) => {
        const config = isJsonObject(more) ? more["reasoningConfig"] : undefined
        return !isJsonObject(config) || config["type"] !== "enabled"
      }
    }
  ]
])
