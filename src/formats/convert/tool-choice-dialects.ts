/** What chat providers make of being told which tool to call, where it is not what OpenAI makes of it. */
import type { Model } from "../../domain/catalogue.ts"

/**
 * - `auto`: any other choice is refused, `none` too. Sources: vectorize-io/hindsight #4246 ("Tool choice must be auto",
 *   Z.ai), LiveBench/LiveBench #499 ("only `auto` is supported", Meta's Muse).
 * - `no_names`: one tool can not be named (Kimi K3, which always thinks).
 * - `never_forced`: no tool can be forced (Kimi K2.7 Code, which always thinks, too).
 * - `without_thought`: a tool can be forced while thinking is off, and it is on unless told otherwise. Sources:
 *   "Thinking mode does not support this tool_choice" (deepseek-ai/DeepSeek-V3 #1376), "… does not support being set to
 *   required or object in thinking mode" (cloudwego/eino #994, Qwen), "… is incompatible with thinking enabled" (Kimi,
 *   UKGovernmentBEIS/inspect_ai #5152, which tells of all Kimi models).
 */
export type ToolChoiceDialect = "auto" | "no_names" | "never_forced" | "without_thought"

export const toolChoiceDialect = ({ capabilities, upstream }: Model): ToolChoiceDialect | undefined => {
  const { model, provider } = upstream
  if (provider === "zai" || (provider === "meta" && model.startsWith("muse-"))) return "auto"
  if (upstream.refuses.has("forced_tool_choice")) return "never_forced"
  if (!capabilities.includes("reasoning")) return undefined
  if (provider === "moonshotai" && model.startsWith("kimi-k3")) return "no_names"
  if (provider === "moonshotai" && model.startsWith("kimi-k2.7-code")) return "never_forced"
  return thinkUnlessTold.has(provider) ? "without_thought" : undefined
}

const thinkUnlessTold: ReadonlySet<string> = new Set(["deepseek", "alibaba", "moonshotai"])
