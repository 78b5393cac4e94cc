/**
 * A model as the SDKs of the Messages protocol read it: their types want what it can do as an object. Source:
 * https://platform.claude.com/docs/en/api/models/list
 */
import type { Model } from "./catalogue.ts"
import { type ListedModel, renderModel } from "./model-list.ts"

interface Support {
  readonly supported: boolean
}

const support = (supported: boolean): Support => ({ supported })

export interface MessagesListedModel extends Omit<ListedModel, "capabilities"> {
  readonly capabilities: ReturnType<typeof capabilitiesOf>
  /** What the other clients read as `capabilities`. */
  readonly labels: ListedModel["capabilities"]
  /** None where the provider has no `fallbacks`; which it takes where it has is not known here. */
  readonly allowed_fallback_models: [] | null
  readonly deprecated_at: null
  readonly lifecycle: "active"
  readonly line: null
  readonly max_input_tokens: number | null
  readonly max_tokens: number | null
  readonly retires_at: null
}

export const renderMessagesModel = (model: Model): MessagesListedModel => ({
  ...renderModel(model),
  capabilities: capabilitiesOf(model),
  labels: model.capabilities,
  allowed_fallback_models: isAnthropics(model) ? null : [],
  deprecated_at: null,
  lifecycle: "active",
  line: null,
  max_input_tokens: model.contextWindow,
  max_tokens: model.maxOutputTokens,
  retires_at: null
})

/** Served by the protocol's own provider. */
const isAnthropics = ({ family, kind, upstream }: Model): boolean =>
  kind === "chat" && family === "claude" && upstream.provider === "anthropic"

/** What holds of a call through this service. */
const capabilitiesOf = (model: Model) => {
  const { capabilities, family, kind, upstream } = model
  const isText = kind === "chat"
  const thinks = isText && capabilities.includes("reasoning")
  const sees = isText && capabilities.includes("vision")
  const isClaude = isText && family === "claude"
  const itself = support(isAnthropics(model))
  return {
    batch: support(false),
    citations: support(isClaude),
    code_execution: itself,
    compaction: { summarize: itself, ...itself },
    context_management: {
      clear_thinking_20251015: itself,
      clear_tool_uses_20250919: itself,
      compact_20260112: itself,
      ...itself
    },
    effort: {
      low: support(thinks),
      medium: support(thinks),
      high: support(thinks),
      xhigh: support(thinks),
      max: support(thinks),
      supported: thinks
    },
    image_input: support(sees),
    pdf_input: support(sees),
    server_tools: {
      code_execution: itself,
      web_search: itself,
      ...itself
    },
    structured_outputs: support(isText),
    thinking: {
      supported: thinks,
      types: {
        adaptive: support(thinks),
        between_tools: support(thinks),
        disabled: support(thinks && !upstream.refuses.has("thinking_disabled")),
        enabled: support(thinks && !upstream.refuses.has("thinking_budget"))
      }
    }
  }
}
