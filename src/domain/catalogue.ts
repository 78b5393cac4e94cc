/** The models: what each is called, costs and can do, and how a name in a request finds its model. */
import { Schema } from "effect"
import { isJsonRecord } from "./json-record.ts"
import { type ChatCapName, chatCapNames } from "./output-cap-names.ts"
import { type Price, priceVndMax } from "./price.ts"
import { readTiers, readToolPrices, TierFactors, ToolPrices } from "./surcharge-records.ts"
import type { Surcharges } from "./surcharges.ts"

const PositiveInt = Schema.Int.check(Schema.isGreaterThan(0))
const Vnd = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: priceVndMax }))

/** What a provider is known to refuse for a model; conversion leaves it out. */
export const Refusal = Schema.Literals([
  "sampling",
  "stop",
  "forced_tool_choice",
  "thinking_disabled",
  "thinking_budget",
  "tools_with_reasoning"
])
export type Refusal = typeof Refusal.Type

/** How a record names what a provider speaks. */
const RecordProtocol = Schema.Literals([
  "messages",
  "chat_completions",
  "responses",
  "bedrock",
  "images",
  "speech"
])

/** How an upstream is spoken to. Bedrock has two ways: InvokeModel in Claude's own protocol, and Converse. */
export type Protocol = Exclude<typeof RecordProtocol.Type, "bedrock"> | "invoke" | "converse"
export type TextProtocol = Exclude<Protocol, "images" | "speech">

export const Channel = Schema.Literals(["standard", "aws"])
export const Capability = Schema.Literals(["reasoning", "vision", "tool_calling", "streaming"])
export const Kind = Schema.Literals(["chat", "image", "speech"])

/** One of the two: with both, which of them counts could only be guessed. */
const RecordPrice = Schema.Union(
  [
    Schema.Struct({ per_mtok_vnd: Vnd, tiers: Schema.optionalKey(TierFactors) }),
    Schema.Struct({ per_request_vnd: Vnd, tiers: Schema.optionalKey(TierFactors) })
  ],
  { mode: "oneOf" }
)

/** As headers can say it. */
const ModelId = Schema.String.check(
  Schema.isPattern(/^[!-~]{1,200}$/, { message: "must be 1 to 200 visible characters of ASCII" })
)

const ModelFields = Schema.Struct({
  id: ModelId,
  name: Schema.NonEmptyString,
  context_window: Schema.NullOr(PositiveInt),
  max_output_tokens: Schema.NullOr(PositiveInt),
  price: RecordPrice,
  tool_prices_vnd: Schema.optionalKey(ToolPrices),
  channel: Channel,
  capabilities: Schema.Array(Capability),
  family: Schema.NonEmptyString,
  kind: Kind,
  upstream: Schema.Struct({
    provider: Schema.NonEmptyString,
    model: Schema.NonEmptyString,
    protocols: Schema.NonEmptyArray(RecordProtocol),
    refuses: Schema.optionalKey(Schema.Array(Refusal)),
    output_cap_field: Schema.optionalKey(Schema.Literals(chatCapNames)),
    thinking_beyond_cap: Schema.optionalKey(Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))),
    custom_tools: Schema.optionalKey(Schema.Boolean)
  })
})

/** Images and speech are not counted in tokens: at a price of theirs they would cost nothing. */
const ModelRecord = ModelFields.check(
  Schema.makeFilter<typeof ModelFields.Type>(
    ({ kind, price }) =>
      kind === "chat" ||
      "per_request_vnd" in price || {
        path: ["price"],
        issue: `per_request_vnd is the price of ${kind} models`
      }
  )
)

const decodeRecords = Schema.decodeUnknownSync(Schema.NonEmptyArray(ModelRecord))

/** Members of these records that nothing reads, each as `model: path`: a word mistyped would sell a model without its surcharges. */
export const unreadMembers = (records: unknown): ReadonlyArray<string> =>
  decodeRecords(records).flatMap((read, index) =>
    pathsBeyond((records as ReadonlyArray<unknown>)[index], read).map((path) => `${read.id}: ${path}`)
  )

/** Those of members of `given`, and of what these hold, that `read` is without. */
const pathsBeyond = (given: unknown, read: unknown): ReadonlyArray<string> =>
  !isJsonRecord(given) || !isJsonRecord(read)
    ? []
    : Object.keys(given).flatMap((name) =>
        Object.hasOwn(read, name)
          ? pathsBeyond(given[name], read[name]).map((path) => `${name}.${path}`)
          : [name]
      )

/** One model of the catalogue. */
export interface Model {
  readonly id: string
  readonly name: string
  /** Tokens; `null` for image models. */
  readonly contextWindow: number | null
  /** Tokens; `null` where output is not tokens. */
  readonly maxOutputTokens: number | null
  readonly price: Price
  readonly surcharges: Surcharges
  readonly channel: typeof Channel.Type
  readonly capabilities: ReadonlyArray<typeof Capability.Type>
  readonly family: string
  readonly kind: typeof Kind.Type
  readonly upstream: {
    readonly provider: string
    readonly model: string
    readonly protocols: ReadonlyArray<Protocol>
    readonly refuses: ReadonlySet<Refusal>
    /** The chat protocol's name for the output cap. */
    readonly outputCapField: ChatCapName
    /** Tokens that it may think besides what the output cap bounds, where the provider is not known for that. */
    readonly thinkingBeyondCap?: number
    /** Whether its chat knows tools that take a text, where that is not known of the provider. */
    readonly customTools?: boolean
  }
}

const toModel = (record: typeof ModelRecord.Type): Model => ({
  id: record.id,
  name: record.name,
  contextWindow: record.context_window,
  maxOutputTokens: record.max_output_tokens,
  price:
    "per_mtok_vnd" in record.price
      ? { _tag: "PerToken", perMtokVnd: record.price.per_mtok_vnd }
      : { _tag: "PerRequest", perRequestVnd: record.price.per_request_vnd },
  surcharges: {
    tiers: readTiers(record.price.tiers),
    toolPrices: readToolPrices(record.tool_prices_vnd),
    refusesHostedTools: false
  },
  channel: record.channel,
  capabilities: record.capabilities,
  family: record.family,
  kind: record.kind,
  upstream: {
    provider: record.upstream.provider,
    model: record.upstream.model,
    protocols: record.upstream.protocols.map((protocol) =>
      protocol !== "bedrock" ? protocol : record.family === "claude" ? "invoke" : "converse"
    ),
    refuses: new Set(record.upstream.refuses),
    outputCapField: record.upstream.output_cap_field ?? "max_tokens",
    ...(record.upstream.thinking_beyond_cap !== undefined && {
      thinkingBeyondCap: record.upstream.thinking_beyond_cap
    }),
    ...(record.upstream.custom_tools !== undefined && { customTools: record.upstream.custom_tools })
  }
})

/** A model found by name; `mappedFrom` is the name sent, when it was an alias or fell back. */
export interface Resolved {
  readonly model: Model
  readonly mappedFrom: string | undefined
}

const flagshipId = "claude-fable-5"

export const defaultAliases: Readonly<Record<string, string>> = {
  fable: "claude-fable-5",
  opus: "claude-opus-5",
  sonnet: "claude-sonnet-5",
  haiku: "claude-fable-5"
}

export class Catalogue {
  readonly models: ReadonlyArray<Model>
  /** Those that are taken out. */
  readonly withdrawn: ReadonlyArray<Model>
  readonly #byId: ReadonlyMap<string, Model>
  /** Names of its models and aliases. What is taken out finds nothing: nobody is to get, and pay, another model in its place. */
  readonly #byName: ReadonlyMap<string, Model | undefined>
  readonly #flagship: Model | undefined

  /** `records` is the parsed catalogue file, `adjust` lays changes over a model or takes it out, `gone` are ids that find nothing, whether a record has them or not; throws a SchemaError or Error that names what is wrong in it. */
  constructor(
    records: unknown,
    aliases: Readonly<Record<string, string>> = defaultAliases,
    adjust: (model: Model) => Model | undefined = (model) => model,
    gone: ReadonlyArray<string> = []
  ) {
    const all = decodeRecords(records).map(toModel)
    const ids = new Set(all.map((model) => model.id))
    this.models = all.flatMap((model) => adjust(model) ?? [])
    this.#byId = new Map(this.models.map((model) => [model.id, model]))
    this.withdrawn = all.filter(({ id }) => !this.#byId.has(id))
    if (ids.size !== all.length) throw new Error("two models have the same id")
    this.#flagship = this.#byId.get(ids.has(flagshipId) ? flagshipId : (all[0]?.id ?? ""))
    const ofAliases = Object.entries(aliases).flatMap(([alias, id]) => {
      if (!ids.has(id)) throw new Error(`alias ${alias} names an unknown model: ${id}`)
      const model = this.#byId.get(id)
      return [alias, `claude-${alias}`, `${alias}-latest`, `claude-${alias}-latest`].map(
        (name) => [name, model] as const
      )
    })
    this.#byName = new Map([
      ...gone.map((id) => [id, undefined] as const),
      ...ofAliases,
      ...all.map(({ id }) => [id, this.#byId.get(id)] as const)
    ])
  }

  /** The model of exactly this id. */
  get(id: string): Model | undefined {
    return this.#byId.get(id)
  }

  /**
   * The model for a name on the text endpoints: exact id, then alias, then the flagship for any other name without a
   * slash. A slashed name that is not in the catalogue is `undefined`.
   */
  resolve(name: string): Resolved | undefined {
    const isKnown = this.#byName.has(name) || name.includes("/")
    const model = isKnown ? this.#byName.get(name) : this.#flagship
    return model && { model, mappedFrom: model.id === name ? undefined : name }
  }
}
