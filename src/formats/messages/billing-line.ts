/**
 * The line with which Claude Code begins its system prompt, for Anthropic's own accounts: no instruction to the model,
 * and its `cch` is another in every request.
 */
import { formerIfSame } from "../json/each-object.ts"
import { isJsonObject, type Json } from "../json/json.ts"

/** "A reserved keyword and may not be used in the system prompt", Bedrock says (anthropics/claude-code #24168). */
export const withoutBillingLine = (system: Json | undefined): Json | undefined =>
  withTexts(system, (text) => text.replace(/^x-anthropic-billing-header:[^\n]*\n*/, ""))

/** Providers that know prompts by their beginning would find none again (anthropics/claude-code #68900). */
export const withSteadyBillingLine = (system: Json | undefined): Json | undefined =>
  withTexts(system, (text) => text.replace(/^(x-anthropic-billing-header:[^\n]*?) cch=\w*;/, "$1"))

/** The same value where no text has changed; `undefined` where nothing is left. */
const withTexts = (system: Json | undefined, change: (text: string) => string): Json | undefined => {
  if (typeof system === "string") {
    const text = change(system)
    return text === system ? system : text || undefined
  }
  if (!Array.isArray(system)) return system
  const blocks = system.flatMap((block: Json) => {
    if (!isJsonObject(block) || typeof block.text !== "string") return [block]
    const text = change(block.text)
    if (text === block.text) return [block]
    return text === "" ? [] : [{ ...block, text }]
  })
  const kept = formerIfSame(blocks, system)
  return kept !== system && kept.length === 0 ? undefined : kept
}
