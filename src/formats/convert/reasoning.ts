/** How much a model should think: the settings of both protocols, and the dialects chat providers have for them. */
import { blocksOf } from "../messages/blocks.ts"
import type { Model } from "../../domain/catalogue.ts"
import { numberAt, objectAt, optional, stringAt } from "../json/fields.ts"
import { isJsonObject, type Json, type JsonObject, objectsOf } from "../json/json.ts"
import { askedReasoning } from "../chat/asked-reasoning.ts"
import { chatTraitsOf } from "../chat/chat-traits.ts"
import type { AskedThinking } from "../chat/thinking-dialects.ts"

/** The thinking a Messages request asks for, as fields of a chat request. */
export const chatReasoning = (
  body: JsonObject,
  model: Model,
  tools: { readonly given: boolean; readonly forced: boolean }
): JsonObject => {
  const { thinking, toolChoice, toolsEndThinking } = chatTraitsOf(model)
  if (tools.given && toolsEndThinking) return { reasoning_effort: "none" }
  if (!model.capabilities.includes("reasoning")) return {}
  // The call counts more than the thought before it, which Claude would not think either.
  if (tools.forced && toolChoice === "without-thought") return thinking({ thinks: false, effort: undefined })
  const asked = askedThinking(body)
  if (asked.thinks === undefined && asked.effort === undefined) return {}
  return thinking(asked)
}

/** What a Messages request says of thinking. */
export const askedThinking = (body: JsonObject): AskedThinking => {
  const thinking = optional(objectAt, body.thinking, "thinking")
  const config = optional(objectAt, body.output_config, "output_config")
  const effort = optional(stringAt, config?.effort, "output_config.effort")
  if (thinking?.type === "disabled" || thinking?.type === "between_tools")
    return { thinks: false, effort: undefined }
  if (thinking?.type !== "enabled") return { thinks: thinking === undefined ? undefined : true, effort }
  const budget = optional(numberAt, thinking.budget_tokens, "thinking.budget_tokens") ?? 0
  return { thinks: true, effort: effort ?? effortOfBudget(budget) }
}

export const effortOfBudget = (tokens: number): string => {
  if (tokens >= 10_000) return "high"
  return tokens >= 5_000 ? "medium" : "low"
}

/** The `reasoning_content` of an assistant's turn that is sent back. */
export const returnedReasoning = (thinking: string, model: Model, hasCalls: boolean): string | undefined => {
  const { reasoningBack } = chatTraitsOf(model)
  if (reasoningBack === "left-out" || !model.capabilities.includes("reasoning")) return undefined
  if (thinking !== "") return thinking
  if (hasCalls) return "(not recorded)"
  return reasoningBack === "always" ? "" : undefined
}

/**
 * The thinking a chat request asks for, as fields of a Messages request. Claude refuses to think before a call that it
 * is forced to make. Where another conversion follows (`goesOn`), that knows the efforts of its models.
 */
export const messagesReasoning = (
  body: JsonObject,
  model: Model,
  callForced: boolean,
  messages: ReadonlyArray<JsonObject>,
  goesOn: boolean
): JsonObject => {
  const refuses = model.upstream.refuses
  const { effort, thinking: own } = askedReasoning(body)
  if (own?.type === "disabled" || effort === "none") {
    return refuses.has("thinking_disabled") ? effortField("low", model) : { thinking: { type: "disabled" } }
  }
  if (own === undefined && goesOn) return effort === undefined ? {} : { effort: knownEffort(effort) }
  if (own !== undefined && callForced && model.family === "claude")
    return effort === undefined ? {} : effortField(effort, model)
  if (own !== undefined) {
    const isRefused = refuses.has("thinking_budget") || (model.family === "claude" && lacksThought(messages))
    const isAdaptive = own.type === "enabled" && (isRefused || typeof own.budget_tokens !== "number")
    return {
      thinking: isAdaptive ? adaptively(own) : { ...budgetOf(own), ...displayOf(own) },
      ...(effort !== undefined && (goesOn ? { effort: knownEffort(effort) } : effortField(effort, model)))
    }
  }
  if (effort === undefined || !thinkAdaptively.has(model.family)) return {}
  return { ...(!callForced && { thinking: { type: "adaptive" } }), ...effortField(effort, model) }
}

/** MiniMax's do not think unless they are told so, and know no depth (anomalyco/opencode #38149). */
const thinkAdaptively: ReadonlySet<string> = new Set(["claude", "minimax"])

/** Who thinks takes no sampling values from Claude's clients. */
export const takesSampling = (thinking: Json | undefined, { family }: Model): boolean =>
  family !== "claude" || !isJsonObject(thinking) || thinking.type === "disabled"

/**
 * Models from the generation that refuses sampling parameters on tell their thoughts only if they are asked for them.
 * Source: platform.claude.com, "Extended thinking", display.
 */
export const toldThinking = (thinking: JsonObject, { upstream }: Model): JsonObject =>
  thinking.type === "adaptive" && upstream.refuses.has("sampling")
    ? { ...thinking, display: "summarized" }
    : thinking

/** Other providers' members of chat's `thinking`, as `clear_thinking`, say nothing to who speaks Messages. */
const budgetOf = ({ budget_tokens: budget, type }: JsonObject): JsonObject => ({
  ...(type !== undefined && { type }),
  ...(budget !== undefined && { budget_tokens: budget })
})

const adaptively = (thinking: JsonObject): JsonObject => ({ ...displayOf(thinking), type: "adaptive" })

const displayOf = ({ display }: JsonObject): JsonObject => (display === undefined ? {} : { display })

/**
 * The calls whose results are given were made without thought, or it was not sent back: Claude refuses to go on with a
 * budget for thinking, but goes on with adaptive thinking. Source: platform.claude.com, "Adaptive thinking".
 */
const lacksThought = (messages: ReadonlyArray<JsonObject>): boolean => {
  const [calls, results] = messages.slice(-2)
  if (!holds(results, "tool_result") || !holds(calls, "tool_use")) return false
  return !holds(calls, "thinking") && !holds(calls, "redacted_thinking")
}

/** What to ask for in place of a budget where a thought was left out of such calls; nothing where all can stay. */
export const thinkingWithoutBudget = ({ messages, thinking }: JsonObject): JsonObject | undefined =>
  isJsonObject(thinking) && thinking.type === "enabled" && lacksThought(objectsOf(messages))
    ? adaptively(thinking)
    : undefined

const holds = (message: JsonObject | undefined, type: string): boolean => blocksOf(message, type).length > 0

/** Only models from the generation that refuses sampling parameters on know `xhigh`. */
const effortField = (effort: string, model: Model): JsonObject => {
  if (model.family !== "claude") return {}
  const isUnknown = effort === "xhigh" && !model.upstream.refuses.has("sampling")
  return { effort: isUnknown ? "high" : knownEffort(effort) }
}

/** Messages has no word for less. */
const knownEffort = (effort: string): string => (effort === "minimal" ? "low" : effort)
