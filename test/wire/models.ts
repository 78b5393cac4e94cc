/** Models and contexts for conversion tests, independent of the catalogue's entries. */
import type { Model, Refusal } from "../../src/domain/catalogue.ts"
import type { Surcharges } from "../../src/domain/surcharges.ts"
import type { ConversionContext } from "../../src/formats/convert/conversion.ts"
import type { ToolNames } from "../../src/formats/convert/tool-names.ts"

export const noSurcharges: Surcharges = {
  tiers: new Map(),
  toolPrices: new Map(),
  refusesHostedTools: false
}

interface Traits {
  readonly id?: string
  readonly provider?: string
  readonly family?: string
  readonly refuses?: ReadonlyArray<Refusal>
  readonly maxOutputTokens?: number
  readonly outputCapField?: Model["upstream"]["outputCapField"]
  readonly capabilities?: Model["capabilities"]
}

const modelOf = (traits: Traits, protocol: "messages" | "chat_completions"): Model => ({
  id: traits.id ?? "a-model",
  name: "A model",
  contextWindow: 200_000,
  maxOutputTokens: traits.maxOutputTokens ?? 64_000,
  price: { _tag: "PerToken", perMtokVnd: 1_000 },
  surcharges: noSurcharges,
  channel: "standard",
  capabilities: traits.capabilities ?? ["reasoning", "vision", "tool_calling", "streaming"],
  family: traits.family ?? "example",
  kind: "chat",
  upstream: {
    provider: traits.provider ?? "example",
    model: traits.id ?? "a-model",
    protocols: [protocol],
    refuses: new Set(traits.refuses),
    outputCapField: traits.outputCapField ?? "max_tokens"
  }
})

export const chatModel = (traits: Traits = {}): Model => modelOf(traits, "chat_completions")

export const claudeModel = (traits: Traits = {}): Model =>
  modelOf({ provider: "anthropic", family: "claude", ...traits }, "messages")

export const contextFor = (
  modelId = "a-model",
  more: {
    readonly toolNames?: ToolNames
    readonly includeUsage?: boolean
    readonly givesFunctions?: boolean
    readonly family?: string
    readonly tellsRefusals?: boolean
    readonly keepsArguments?: boolean
    readonly keepsCitations?: boolean
    readonly onlyStop?: string
    readonly echo?: string
  } = {}
): ConversionContext => ({
  modelId,
  callId: "01abc",
  now: 1_750_000_000,
  toolNames: more.toolNames ?? new Map(),
  inputEstimate: 42,
  choices: 1,
  includeUsage: more.includeUsage ?? true,
  givesFunctions: more.givesFunctions ?? false,
  oneCall: false,
  family: more.family ?? "example",
  thinking: "shown",
  tellsRefusals: more.tellsRefusals ?? false,
  keepsArguments: more.keepsArguments ?? false,
  keepsCitations: more.keepsCitations ?? false,
  onlyStop: more.onlyStop ?? null,
  echo: more.echo ?? ""
})
