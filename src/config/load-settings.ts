/** Puts the settings together from the environment and `tollgate.yaml`, or names the first that is bad. */
import { Effect } from "effect"
import { existsSync } from "node:fs"
import { availableParallelism } from "node:os"
import { basename, dirname, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { Catalogue, defaultAliases } from "../domain/catalogue.ts"
import { accountPart } from "./account-part.ts"
import { withoutTrailingSlash } from "./codecs.ts"
import { readEnvironment } from "./environment-settings.ts"
import { type FileSettings, parseFileSettings } from "./file-settings.ts"
import { readProviders } from "./provider-settings.ts"
import { readText } from "./read-text.ts"
import {
  BadSetting,
  type EinvoiceSettings,
  type Environment,
  type Limits,
  type Settings
} from "./settings.ts"

export const loadSettings = Effect.fnUntraced(function* (
  environment: Environment,
  cwd: string
): Effect.fn.Return<Settings, BadSetting> {
  const values = yield* readEnvironment(environment)
  const { file, folder } = yield* readSettingsFile(environment, cwd)
  const { records, aliases, modelIds, providerNames } = yield* readCatalogue(file, folder)
  const providers = yield* readProviders(
    { environment, file, folder, proxies: values.proxies },
    providerNames
  )
  const simulated = Object.values(providers).every(({ routes }) => routes.length === 0)
  const host = values.host ?? "127.0.0.1"
  const port = values.port ?? 8787
  return {
    host,
    port,
    operationsPort: values.operationsPort,
    publicUrl: withoutTrailingSlash(values.publicUrl ?? localUrl(host, port)),
    trustProxy: values.trustProxy === "true",
    databaseUrl: values.databaseUrl,
    dataDir: resolve(cwd, values.dataDir ?? "data"),
    sealKeys: values.sealKeys,
    gatewayThreads: values.gatewayThreads ?? defaultGatewayThreads(availableParallelism()),
    codecThreads: values.codecThreads ?? defaultCodecThreads(availableParallelism()),
    logLevel: values.logLevel,
    limits: readLimits(file),
    retention: yield* readRetention(file, folder),
    hedge: yield* readHedge(file, modelIds),
    aliases,
    catalogue: records,
    providers,
    simulated,
    simulatorUrl: undefined,
    proxies: values.proxies,
    telemetry: values.telemetry,
    topUp: values.topUp,
    mail: values.mail,
    oauth: values.oauth,
    hasDashboard: values.dashboard !== "off",
    operatorsNeedSecondFactor: values.operatorsSecondFactor !== "off",
    webhooks: { privateRanges: file.webhooks?.private_ranges ?? [] },
    einvoice: readEinvoice(file),
    issuer: {
      company: values.issuer.company ?? file.issuer?.company ?? "",
      taxCode: values.issuer.taxCode ?? file.issuer?.tax_code ?? "",
      address: values.issuer.address ?? file.issuer?.address ?? ""
    },
    development: simulated && !values.production,
    crashOnSignal: values.crashOnSignal
  }
})

/** The address of a server here, as a browser on this machine would write it. */
export const localUrl = (host: string, port: number): string => {
  const reachable = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host
  return `http://${reachable.includes(":") ? `[${reachable}]` : reachable}:${port}`
}

/** One core is left to the ledger, its database and the rest of the machine. */
export const defaultGatewayThreads = (cores: number): number => Math.max(1, Math.min(8, cores - 1))

/** Of each gateway thread; they sleep but for large bodies. Two at least: one account's large bodies take up one. */
export const defaultCodecThreads = (cores: number): number => Math.max(2, Math.min(4, Math.floor(cores / 2)))

const readSettingsFile = Effect.fnUntraced(function* (environment: Environment, cwd: string) {
  const named = environment["TOLLGATE_CONFIG"] || undefined
  const path = resolve(cwd, named ?? "tollgate.yaml")
  const folder = dirname(path)
  if (named === undefined && !existsSync(path))
    return { file: {} satisfies FileSettings as FileSettings, folder }
  const setting = named === undefined ? "tollgate.yaml" : "TOLLGATE_CONFIG"
  const text = yield* readText(setting, path)
  return { file: yield* parseFileSettings(basename(path), text, environment), folder }
})

const shippedCatalogue = fileURLToPath(new URL("../domain/catalogue.json", import.meta.url))

const readCatalogue = Effect.fnUntraced(function* (file: FileSettings, folder: string) {
  const path = file.catalogue ? resolve(folder, file.catalogue) : shippedCatalogue
  const text = yield* readText("catalogue", path)
  const records = yield* Effect.try({
    try: () => JSON.parse(text) as unknown,
    catch: () => new BadSetting({ setting: "catalogue", reason: `${path} is not valid JSON` })
  })
  const bare = yield* tryCatalogue("catalogue", records, {})
  // A catalogue of the operator's own need not have the models that our own aliases name.
  const own = Object.entries(defaultAliases).filter(([, id]) => bare.get(id) !== undefined)
  const aliases = { ...Object.fromEntries(own), ...file.aliases }
  yield* tryCatalogue("aliases", records, aliases)
  const providerNames = new Set(bare.models.map((model) => model.upstream.provider))
  const modelIds = new Set(bare.models.map(({ id }) => id))
  return { records, aliases, modelIds, providerNames }
})

const tryCatalogue = (setting: string, records: unknown, aliases: Readonly<Record<string, string>>) =>
  Effect.try({
    try: () => new Catalogue(records, aliases),
    catch: (cause) =>
      new BadSetting({ setting, reason: (cause as Error).message.replaceAll(/\s+/g, " ").slice(0, 300) })
  })

const readRetention = Effect.fnUntraced(function* ({ retention }: FileSettings, folder: string) {
  const callsDays = retention?.calls_days ?? undefined
  const archive = retention?.archive ?? undefined
  if (archive !== undefined && callsDays === undefined) {
    const reason = "is of no use without retention.calls_days, since nothing is ever dropped"
    return yield* new BadSetting({ setting: "retention.archive", reason })
  }
  return { callsDays, archive: archive === undefined ? undefined : resolve(folder, archive) }
})

const readHedge = Effect.fnUntraced(function* ({ hedge }: FileSettings, modelIds: ReadonlySet<string>) {
  if (hedge === undefined || hedge === null) return undefined
  const place = hedge.models.findIndex((model) => !modelIds.has(model))
  if (place === -1) return { afterMs: hedge.after_ms, models: hedge.models }
  const reason = "is no model of the catalogue"
  return yield* new BadSetting({ setting: `hedge.models[${place}]`, reason })
})

const readEinvoice = ({ einvoice }: FileSettings): EinvoiceSettings | undefined =>
  einvoice === undefined || einvoice === null
    ? undefined
    : {
        baseUrl: withoutTrailingSlash(einvoice.base_url ?? "https://einvoice-api.sepay.vn"),
        clientId: einvoice.client_id,
        clientSecret: einvoice.client_secret,
        providerAccountId: einvoice.provider_account_id,
        templateCode: einvoice.template_code,
        series: einvoice.series,
        taxRate: einvoice.tax_rate ?? undefined,
        item: einvoice.item ?? "Dịch vụ API mô hình ngôn ngữ (nạp tiền)"
      }

/** For a larger body than may be kept there would never be room, however often it was sent again. */
const bodyBytesMax = (limits: FileSettings["limits"]): number => {
  const kept = limits?.max_buffered_bytes ?? Infinity
  return Math.min(
    limits?.max_body_bytes ?? 20_971_520,
    kept,
    limits?.max_buffered_bytes_per_account ?? accountPart(kept)
  )
}

const readLimits = ({ limits }: FileSettings): Limits => ({
  callTimeoutSeconds: limits?.call_timeout_seconds ?? 900,
  drainSeconds: limits?.drain_seconds ?? 30,
  // A connection at rest ends after ten seconds then.
  handOverSeconds: limits?.hand_over_seconds ?? 12,
  holdOutputTokens: limits?.hold_output_tokens ?? 2_048,
  maxBodyBytes: bodyBytesMax(limits),
  keepAliveSeconds: limits?.keep_alive_seconds ?? 15,
  stalledClientSeconds: limits?.stalled_client_seconds ?? 300,
  admissionQueueCapacity: limits?.admission_queue_capacity ?? 4_096,
  maxOpenCalls: limits?.max_open_calls ?? 20_000,
  maxBufferedBytes: limits?.max_buffered_bytes ?? undefined,
  maxBufferedBytesPerAccount: limits?.max_buffered_bytes_per_account ?? undefined,
  maxDescriptors: limits?.max_descriptors ?? undefined,
  maxConnectionsPerAddress: limits?.max_connections_per_address ?? undefined,
  proxies: limits?.proxies ?? undefined
})
