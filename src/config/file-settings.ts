/** What `tollgate.yaml` says: `${NAME}` filled from the environment, every key known, every value in its form. */
import { Effect, Predicate, Result, Schema } from "effect"
import { LineCounter, parseDocument } from "yaml"
import {
  AddressRange,
  badSetting,
  BaseUrl,
  HostName,
  Line,
  ProxyUrl,
  Secret,
  settingName,
  TaxCode,
  whole
} from "./codecs.ts"
import { TierFactors, ToolPrices } from "../domain/surcharge-records.ts"
import { hourMs } from "../domain/vietnam-days.ts"
import { BadSetting, type Environment } from "./settings.ts"

/** A key with nothing behind it counts as absent: a section whose lines are all commented out. */
const optional = <S extends Schema.Constraint>(schema: S) => Schema.optionalKey(Schema.NullOr(schema))

const day = 86_400

/** `none` reaches a route without the proxy that the environment or the provider names. */
const ProxySetting = Schema.Union([Schema.Literal("none"), ProxyUrl])

const RouteInFile = Schema.Struct({
  base_url: BaseUrl,
  api_key: optional(Secret),
  priority: optional(whole(0, 1_000)),
  weight: optional(whole(1, 1_000)),
  proxy: optional(ProxySetting),
  ca: optional(Schema.NonEmptyString),
  client_certificate: optional(Schema.NonEmptyString),
  client_key: optional(Schema.NonEmptyString)
})
export type RouteInFile = typeof RouteInFile.Type

const ProviderInFile = Schema.Struct({
  style: optional(Schema.Literals(["messages", "chat", "bedrock"])),
  on_client_leave: optional(Schema.Literals(["abort", "drain"])),
  routes: optional(Schema.Array(RouteInFile).check(Schema.isMinLength(1))),
  connect_timeout_ms: optional(whole(1, hourMs)),
  first_byte_timeout_ms: optional(whole(1, hourMs)),
  idle_timeout_ms: optional(whole(1, hourMs)),
  region: optional(HostName),
  inference_profile: optional(
    Schema.String.check(
      Schema.makeFilter<string>((name) => /^[a-z-]*$/.test(name), { expected: "lower-case letters" })
    )
  ),
  endpoint: optional(BaseUrl),
  proxy: optional(ProxySetting),
  tiers: optional(TierFactors),
  tool_prices_vnd: optional(ToolPrices),
  hosted_tools: optional(Schema.Literals(["allow", "refuse"]))
})

const LimitsInFile = Schema.Struct({
  call_timeout_seconds: optional(whole(1, day)),
  drain_seconds: optional(whole(0, day)),
  hand_over_seconds: optional(whole(0, day)),
  hold_output_tokens: optional(whole(1, 1_000_000)),
  max_body_bytes: optional(whole(1, 1_073_741_824)),
  keep_alive_seconds: optional(whole(1, day)),
  stalled_client_seconds: optional(whole(1, day)),
  admission_queue_capacity: optional(whole(1, 1_000_000)),
  max_open_calls: optional(whole(1, 1_000_000)),
  max_buffered_bytes: optional(whole(1, 1_099_511_627_776)),
  max_buffered_bytes_per_account: optional(whole(1, 1_099_511_627_776)),
  max_descriptors: optional(whole(1, 100_000_000)),
  max_connections_per_address: optional(whole(1, 100_000_000)),
  proxies: optional(Schema.Array(AddressRange))
})

const RetentionInFile = Schema.Struct({
  calls_days: optional(whole(1, 36_500)),
  archive: optional(Schema.NonEmptyString)
})

const HedgeInFile = Schema.Struct({
  models: Schema.Array(Schema.NonEmptyString).check(Schema.isMinLength(1)),
  after_ms: whole(1, hourMs)
})

const IssuerInFile = Schema.Struct({
  company: optional(Line),
  tax_code: optional(TaxCode),
  address: optional(Line)
})

const WebhooksInFile = Schema.Struct({
  private_ranges: optional(Schema.Array(AddressRange))
})

const EinvoiceInFile = Schema.Struct({
  base_url: optional(BaseUrl),
  client_id: Secret,
  client_secret: Secret,
  provider_account_id: Line,
  template_code: Line,
  series: Line,
  tax_rate: optional(Schema.Literals([-2, -1, 0, 5, 8, 10])),
  item: optional(Line)
})

const FileSettings = Schema.Struct({
  providers: optional(Schema.Record(Schema.String, Schema.NullOr(ProviderInFile))),
  aliases: optional(Schema.Record(Schema.String, Schema.NonEmptyString)),
  catalogue: optional(Schema.NonEmptyString),
  limits: optional(LimitsInFile),
  retention: optional(RetentionInFile),
  hedge: optional(HedgeInFile),
  issuer: optional(IssuerInFile),
  webhooks: optional(WebhooksInFile),
  einvoice: optional(EinvoiceInFile)
})
export type FileSettings = typeof FileSettings.Type
export type ProviderInFile = typeof ProviderInFile.Type

const decode = Schema.decodeUnknownResult(FileSettings)

/** `name` is how errors call the file. */
export const parseFileSettings = Effect.fnUntraced(function* (
  name: string,
  text: string,
  environment: Environment
) {
  const lines = new LineCounter()
  // Pretty errors quote the line they complain about, which may hold a secret.
  const document = parseDocument(text, { prettyErrors: false, lineCounter: lines })
  const [problem] = [...document.errors, ...document.warnings]
  if (problem !== undefined) {
    const { line, col } = lines.linePos(problem.pos[0])
    const reason = `line ${line}, column ${col}: not valid YAML (${problem.code.toLowerCase().replaceAll("_", " ")})`
    return yield* new BadSetting({ setting: name, reason })
  }
  const content = yield* Effect.try({
    try: () => document.toJS({ maxAliasCount: 100 }) as unknown,
    catch: () =>
      new BadSetting({ setting: name, reason: "not valid YAML (an alias leads nowhere or too far)" })
  })
  const filled = yield* fill(content ?? {}, environment, [])
  const decoded = decode(filled, { errors: "first", onExcessProperty: "error" })
  if (Result.isFailure(decoded)) return yield* badSetting("", decoded.failure.issue)
  return decoded.success
})

type Filled = Effect.Effect<unknown, BadSetting>

/** No setting lies deeper; what an alias repeats inside itself has no end. */
const levelsMax = 8

/** Replaces each `${NAME}` in strings by the variable of that name. */
const fill = (value: unknown, environment: Environment, path: ReadonlyArray<PropertyKey>): Filled => {
  if (Predicate.isString(value)) return fillText(value, environment, path)
  if (path.length > levelsMax) {
    return Effect.fail(new BadSetting({ setting: settingName(path), reason: "is nested too deeply" }))
  }
  if (Array.isArray(value)) {
    return Effect.forEach(value, (item: unknown, index) => fill(item, environment, [...path, index]))
  }
  if (!Predicate.isObject(value)) return Effect.succeed(value)
  return Effect.forEach(Object.entries(value), ([key, item]) =>
    Effect.map(fill(item, environment, [...path, key]), (filled) => [key, filled] as const)
  ).pipe(Effect.map(Object.fromEntries))
}

const fillText = (value: string, environment: Environment, path: ReadonlyArray<PropertyKey>): Filled => {
  const names = [...value.matchAll(/\$\{([^}]*)\}/g)].map((match) => match[1]!)
  const missing = names.find((name) => (environment[name] ?? "") === "")
  return missing === undefined
    ? Effect.succeed(value.replaceAll(/\$\{([^}]*)\}/g, (_, name: string) => environment[name]!))
    : Effect.fail(
        new BadSetting({
          setting: settingName(path),
          reason: `names the environment variable ${missing}, which is not set`
        })
      )
}
