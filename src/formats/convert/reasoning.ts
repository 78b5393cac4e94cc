/** How much a model should think: the settings of both protocols, and the dialects chat providers have for them. */
import type { Model } from "../../domain/catalogue.ts"
import { numberAt, objectAt, optional, stringAt } from "../fields.ts"
import type { JsonObject } from "../json.ts"
import { toolChoiceDialect } from "./tool-choice-dialects.ts"

/** What thinking of a chat upstream is signed with, which signs nothing: many clients only send signed thinking back. */
export const unsigned = "unsigned"

interface Asked {
  readonly thinks: boolean | undefined
  readonly effort: string | undefined
}

/** The thinking a Messages request asks for, as fields of a chat request. */
export const chatReasoning = (
  body: JsonObject,
  model: Model,
  tools: { readonly given: boolean; readonly forced: boolean }
): JsonObject => {
  const { provider } = model.upstream
  // OpenAI's models take function tools on this endpoint only with reasoning off, and some of them want that said.
  if (provider === "openai" && tools.given) return { reasoning_effort: "none" }
  if (!model.capabilities.includes("reasoning")) return {}
  const dialect = dialects[provider] ?? plainEffort
  // The call counts more than the thought before it, which Claude would not think either.
  if (tools.forced && toolChoiceDialect(model) === "without_thought")
    return dialect({ thinks: false, effort: undefined }, model)
  const asked = askedThinking(body)
  if (asked.thinks === undefined && asked.effort === undefined) return {}
  return dialect(asked, model)
}

const askedThinking = (body: JsonObject): Asked => {
  const thinking = optional(objectAt, body.thinking, "thinking")
  const config = optional(objectAt, body.output_config, "output_config")
  const effort = optional(stringAt, config?.effort, "output_config.effort")
  if (thinking?.type === "disabled" || thinking?.type === "between_tools")
    return { thinks: false, effort: undefined }
  if (thinking?.type !== "enabled") return { thinks: thinking === undefined ? undefined : true, effort }
  const budget = optional(numberAt, thinking.budget_tokens, "thinking.budget_tokens") ?? 0
  return { thinks: true, effort: effort ?? effortOfBudget(budget) }
}

const effortOfBudget = (tokens: number): string => {
  if (tokens >= 10_000) return "high"
  return tokens >= 5_000 ? "medium" : "low"
}

type Dialect = (asked: Asked, model: Model) => JsonObject

const plainEffort: Dialect = ({ thinks, effort }) => ({
  reasoning_effort: thinks === false ? "none" : effort === "max" ? "xhigh" : effort
})

/** Of OpenAI's models several do not think unless they are given an effort. */
const openai: Dialect = (asked, model) =>
  plainEffort(asked.thinks === true ? { ...asked, effort: asked.effort ?? "medium" } : asked, model)

/** For those with three steps, which can not be told to stop. */
const threeSteps: Dialect = ({ thinks, effort }) => ({
  reasoning_effort: thinks === false ? "low" : effort === "max" || effort === "xhigh" ? "high" : effort
})

const thinkingSwitch: Dialect = ({ thinks }) => ({
  thinking: { type: thinks === false ? "disabled" : "enabled" }
})

/** For those that always think, in three steps of their own. */
const alwaysThinking: Dialect = ({ thinks, effort }) => {
  if (thinks === false || effort === "low") return { reasoning_effort: "low" }
  return { reasoning_effort: highOrMax(effort) }
}

const highOrMax = (effort: string | undefined): string | undefined => {
  if (effort === undefined) return undefined
  return effort === "max" || effort === "xhigh" ? "max" : "high"
}

/** K2.7 Code always thinks too, and refuses to be told how. Source: platform.kimi.ai, "Thinking Mode", "Reasoning Effort". */
const kimi: Dialect = (asked, model) => {
  if (model.upstream.model.startsWith("kimi-k2.7-code")) return {}
  return (model.upstream.model.startsWith("kimi-k3") ? alwaysThinking : thinkingSwitch)(asked, model)
}

/** GLM 5.3 "always engages in thinking and cannot be disabled", code 1210. Source: NousResearch/hermes-agent #97286. */
const glm: Dialect = (asked, model) =>
  (model.upstream.model.startsWith("glm-5.3") ? alwaysThinking : thinkingSwitch)(asked, model)

/** Muse always thinks, and refuses `none`. Source: UKGovernmentBEIS/inspect_ai #5233. */
const muse: Dialect = (asked, model) =>
  asked.thinks === false ? { reasoning_effort: "minimal" } : plainEffort(asked, model)

const dialects: Readonly<Record<string, Dialect>> = {
  openai,
  google: threeSteps,
  xai: threeSteps,
  deepseek: (asked, model) => ({
    ...thinkingSwitch(asked, model),
    reasoning_effort: highOrMax(asked.effort)
  }),
  zai: glm,
  moonshotai: kimi,
  meta: muse,
  // Its models know all or nothing, and refuse what is between.
  mistral: ({ thinks, effort }) => ({
    reasoning_effort: thinks === false || (thinks === undefined && effort === "low") ? "none" : "high"
  }),
  alibaba: ({ thinks }) => ({ enable_thinking: thinks !== false })
}

/** Providers that want the reasoning of earlier turns back, and refuse tool turns without it. */
const wantReasoningBack: ReadonlySet<string> = new Set(["deepseek", "moonshotai", "zai", "alibaba"])

/** The `reasoning_content` of an assistant's turn that is sent back. */
export const returnedReasoning = (thinking: string, model: Model, hasCalls: boolean): string | undefined => {
  if (!wantReasoningBack.has(model.upstream.provider) || !model.capabilities.includes("reasoning"))
    return undefined
  if (thinking !== "") return thinking
  if (hasCalls) return "(not recorded)"
  // Behind a tool's result it wants the field in answers without a call, too, be it empty (openclaw/openclaw #73417).
  return model.upstream.provider === "deepseek" ? "" : undefined
}

/**
 * The thinking a chat request asks for, as fields of a Messages request. Claude refuses to think before a call that it
 * is forced to make.
 */
export const messagesReasoning = (body: JsonObject, model: Model, callForced: boolean): JsonObject => {
  const refuses = model.upstream.refuses
  const own = optional(objectAt, body.thinking, "thinking")
  const effort = optional(stringAt, body.reasoning_effort, "reasoning_effort")
  if (own?.type === "disabled" || effort === "none") {
    return refuses.has("thinking_disabled") ? effortField("low", model) : { thinking: { type: "disabled" } }
  }
  if (own !== undefined) {
    const budgeted = own.type === "enabled" && refuses.has("thinking_budget")
    return {
      thinking: budgeted ? { type: "adaptive" } : own,
      ...(effort !== undefined && effortField(effort, model))
    }
  }
  if (effort === undefined || model.family !== "claude") return {}
  return { ...(!callForced && { thinking: { type: "adaptive" } }), ...effortField(effort, model) }
}

/** Only models from the generation that refuses sampling parameters on know `xhigh`. */
const effortField = (effort: string, model: Model): JsonObject => {
  if (model.family !== "claude") return {}
  const known =
    effort === "minimal"
      ? "low"
      : effort === "xhigh" && !model.upstream.refuses.has("sampling")
        ? "high"
        : effort
  return { effort: known }
}
