/** How much OpenAI's models can be told to think, where they differ: the words of their `reasoning.effort`. */
import type { Model } from "../../domain/catalogue.ts"

/** It always thinks: "Supported values are: 'low', 'medium', 'high', 'xhigh', and 'max'" (UKGovernmentBEIS/inspect_ai #5254). */
const alwaysThinking = /^gpt-6-astra/

/** Those before know nothing above `xhigh` (block/buzz #1806, experientiallabs/experiential #764). */
const knowsMax = /^gpt-(5\.[6-9]|[6-9])/

export const leastEffort = ({ upstream }: Model): string =>
  upstream.refuses.has("thinking_disabled") || alwaysThinking.test(upstream.model) ? "low" : "none"

export const mostEffort = ({ upstream }: Model): string => (knowsMax.test(upstream.model) ? "max" : "xhigh")
