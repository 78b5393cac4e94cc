/**
 * How much a chat client wants a model to think, in whichever words: OpenAI's `reasoning_effort`, the Messages protocol's
 * `thinking`, which LiteLLM takes too, OpenRouter's `reasoning` (openrouter.ai/docs, "Reasoning Tokens") and the switch of
 * Qwen's servers (docs.vllm.ai, "Reasoning Outputs"; DashScope has it without `chat_template_kwargs`).
 */
import { askedOutputCap } from "../asked-cap.ts"
import { numberAt, objectAt, optional, stringAt } from "../json/fields.ts"
import { isAbsent, isJsonObject, type JsonObject, objectOf } from "../json/json.ts"

export interface AskedReasoning {
  readonly effort: string | undefined
  /** As `thinking` of the Messages protocol says it. */
  readonly thinking: JsonObject | undefined
}

export const askedReasoning = (body: JsonObject): AskedReasoning => {
  const thinking = optional(objectAt, body.thinking, "thinking")
  const effort = optional(stringAt, body.reasoning_effort, "reasoning_effort")
  if (thinking !== undefined || effort !== undefined) return { thinking, effort }
  if (isJsonObject(body.reasoning)) return routersReasoning(body.reasoning, askedOutputCap(body))
  return { thinking: ofServer(body), effort: undefined }
}

/** OpenRouter gives Claude no smaller budget, and Claude takes none. */
const budgetMin = 1024

/** Its `effort` is also what Responses has. A budget that the answer's cap has no room for says only that there is to be thought. */
export const routersReasoning = (
  { effort, enabled, max_tokens: tokens }: JsonObject,
  cap = Infinity
): AskedReasoning => {
  if (enabled === false) return { thinking: { type: "disabled" }, effort: undefined }
  const asked = optional(numberAt, tokens, "reasoning.max_tokens")
  const budget = asked === undefined ? undefined : Math.max(asked, budgetMin)
  const isOn = budget !== undefined || (enabled === true && isAbsent(effort))
  const hasRoom = budget !== undefined && budget < cap
  return {
    effort: optional(stringAt, effort, "reasoning.effort"),
    thinking: isOn ? { type: "enabled", ...(hasRoom && { budget_tokens: budget }) } : undefined
  }
}

const ofServer = (body: JsonObject): JsonObject | undefined => {
  const told = objectOf(body.chat_template_kwargs)
  const thinks = [body.enable_thinking, told.enable_thinking, told.thinking].find(
    (each) => typeof each === "boolean"
  )
  return thinks === undefined ? undefined : { type: thinks ? "enabled" : "disabled" }
}
