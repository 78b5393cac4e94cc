/** Joins the built-in providers, their keys in the environment and the file into the table of providers. */
import { Effect } from "effect"
import { readTiers, readToolPrices } from "../domain/surcharge-records.ts"
import { bedrockName, builtInProviders } from "./built-in-providers.ts"
import { HostName, Line, Secret, withoutTrailingSlash } from "./codecs.ts"
import { allOrNone, readSetting } from "./environment-settings.ts"
import type { Proxies } from "./choose-proxy.ts"
import type { FileSettings, ProviderInFile, RouteInFile } from "./file-settings.ts"
import { readPassage } from "./read-passage.ts"
import {
  type AwsSettings,
  BadSetting,
  type Environment,
  type ProviderSettings,
  type ProviderStyle,
  type Route
} from "./settings.ts"

export interface ProviderSources {
  readonly environment: Environment
  readonly file: FileSettings
  /** Where the file lies. */
  readonly folder: string
  readonly proxies: Proxies
}

/** `named` are the providers that the catalogue's models are reached through. */
export const readProviders = Effect.fnUntraced(function* (
  sources: ProviderSources,
  named: ReadonlySet<string>
) {
  const { file } = sources
  const inFile = file.providers ?? {}
  const providers: Record<string, ProviderSettings> = {}
  for (const name of new Set([...builtInProviders.keys(), bedrockName, ...named, ...Object.keys(inFile)])) {
    const configured = (Object.hasOwn(inFile, name) ? inFile[name] : undefined) ?? {}
    const isBuiltIn = name === bedrockName || builtInProviders.has(name)
    if (!isBuiltIn) yield* checkOwnProvider(name, configured, Object.hasOwn(inFile, name), named)
    providers[name] = yield* readProvider(sources, name, configured)
  }
  return providers
})

/** A provider of the operator's own must say what it is, and be of use. */
const checkOwnProvider = Effect.fnUntraced(function* (
  name: string,
  configured: ProviderInFile,
  isInFile: boolean,
  named: ReadonlySet<string>
) {
  const setting = `providers.${name}`
  if (!isInFile) {
    const reason = "the catalogue names this provider, which is neither built in nor configured"
    return yield* new BadSetting({ setting, reason })
  }
  if (!named.has(name)) {
    return yield* new BadSetting({ setting, reason: "no model of the catalogue uses this provider" })
  }
  if ((configured.style ?? undefined) === undefined) {
    return yield* new BadSetting({
      setting: `${setting}.style`,
      reason: "must be given for a provider of your own"
    })
  }
  if (configured.style !== "bedrock" && (configured.routes ?? undefined) === undefined) {
    return yield* new BadSetting({
      setting: `${setting}.routes`,
      reason: "must be given for a provider of your own"
    })
  }
})

const readProvider = Effect.fnUntraced(function* (
  { environment, folder, proxies }: ProviderSources,
  name: string,
  configured: ProviderInFile
) {
  const builtIn = builtInProviders.get(name)
  const style: ProviderStyle = configured.style ?? builtIn?.style ?? "bedrock"
  const aws = style === "bedrock" ? yield* readAws(environment, name, configured) : undefined
  if (aws === undefined) yield* refuseAwsSettings(name, configured)
  const named = configured.routes ?? (yield* readUsualRoutes(environment, name, configured, aws))
  const routes = yield* Effect.forEach(named, (route, index) =>
    Effect.map(
      readPassage(`providers.${name}.routes[${index}]`, route, { folder, proxies, proxy: configured.proxy }),
      (passage): Route => ({
        id: `${name}#${index}`,
        baseUrl: withoutTrailingSlash(route.base_url),
        apiKey: route.api_key ?? "",
        priority: route.priority ?? 1,
        weight: route.weight ?? 1,
        ...passage
      })
    )
  )
  const provider: ProviderSettings = {
    name,
    style,
    onClientLeave: configured.on_client_leave ?? (style === "bedrock" ? "drain" : "abort"),
    routes,
    connectTimeoutMs: configured.connect_timeout_ms ?? 5_000,
    firstByteTimeoutMs: configured.first_byte_timeout_ms ?? Infinity,
    idleTimeoutMs: configured.idle_timeout_ms ?? 300_000,
    aws,
    surcharges: {
      tiers: readTiers(configured.tiers),
      toolPrices: readToolPrices(configured.tool_prices_vnd),
      refusesHostedTools: configured.hosted_tools === "refuse"
    }
  }
  return provider
})

/** What a container with a role of AWS's finds in its environment: EKS by service account or pod identity, and ECS. */
const roleNames = [
  "AWS_WEB_IDENTITY_TOKEN_FILE",
  "AWS_CONTAINER_CREDENTIALS_FULL_URI",
  "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI"
]

/** The provider's public address, when its usual key is there. */
const readUsualRoutes = Effect.fnUntraced(function* (
  environment: Environment,
  name: string,
  configured: ProviderInFile,
  aws: AwsSettings | undefined
): Effect.fn.Return<ReadonlyArray<RouteInFile>, BadSetting> {
  const route = (baseUrl: string, apiKey: string) => [{ base_url: baseUrl, api_key: apiKey }]
  if (aws !== undefined) {
    const isWanted =
      aws.accessKeyId !== undefined ||
      aws.bearerToken !== undefined ||
      aws.profile !== undefined ||
      roleNames.some((name) => (environment[name] ?? "") !== "")
    const isConfigured = (configured.endpoint ?? configured.region ?? undefined) !== undefined
    const endpoint = configured.endpoint ?? bedrockAddress(aws.region)
    return isWanted || isConfigured ? route(endpoint, aws.bearerToken ?? "") : []
  }
  const builtIn = builtInProviders.get(name)
  for (const keyName of builtIn?.keyNames ?? []) {
    const key = yield* readSetting(environment, keyName, Secret)
    if (key !== undefined && builtIn !== undefined) return route(builtIn.baseUrl, key)
  }
  return []
})

const bedrockAddress = (region: string): string =>
  `https://bedrock-runtime.${region}.amazonaws.com${region.startsWith("cn-") ? ".cn" : ""}`

const readAws = Effect.fnUntraced(function* (
  environment: Environment,
  name: string,
  configured: ProviderInFile
) {
  const accessKeyId = yield* readSetting(environment, "AWS_ACCESS_KEY_ID", Secret)
  const secretAccessKey = yield* readSetting(environment, "AWS_SECRET_ACCESS_KEY", Secret)
  yield* allOrNone({ AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey })
  if (configured.endpoint && configured.routes) {
    const reason = "can not stand beside routes, which name their own addresses"
    return yield* new BadSetting({ setting: `providers.${name}.endpoint`, reason })
  }
  const aws: AwsSettings = {
    region:
      configured.region ??
      (yield* readSetting(environment, "AWS_REGION", HostName)) ??
      (yield* readSetting(environment, "AWS_DEFAULT_REGION", HostName)) ??
      "us-east-1",
    inferenceProfile: configured.inference_profile ?? "global",
    accessKeyId,
    secretAccessKey,
    sessionToken: yield* readSetting(environment, "AWS_SESSION_TOKEN", Secret),
    bearerToken: yield* readSetting(environment, "AWS_BEARER_TOKEN_BEDROCK", Secret),
    profile: yield* readSetting(environment, "AWS_PROFILE", Line)
  }
  return aws
})

const refuseAwsSettings = Effect.fnUntraced(function* (name: string, configured: ProviderInFile) {
  for (const key of ["region", "inference_profile", "endpoint"] as const) {
    if ((configured[key] ?? undefined) !== undefined) {
      const reason = "is a setting of bedrock providers only"
      return yield* new BadSetting({ setting: `providers.${name}.${key}`, reason })
    }
  }
})
