/** What the environment says, each value in its form or `undefined`. */
import { Config, ConfigProvider, Effect, Option, Schema } from "effect"
import { type OAuthProvider, oauthProviders } from "../domain/oauth-providers.ts"
import {
  badSetting,
  BankAccount,
  BankBin,
  BaseUrl,
  HostName,
  Line,
  Port,
  PostgresUrl,
  ProxyUrl,
  SealKeys,
  Secret,
  Sender,
  SmtpUrl,
  TaxCode,
  ThreadCount,
  withoutTrailingSlash,
  withProtocol
} from "./codecs.ts"
import {
  BadSetting,
  type Environment,
  type LogLevel,
  type Messenger,
  type OAuthSettings
} from "./settings.ts"

/** Reads one value; an empty one counts as not set. */
export const readSetting = <T>(
  environment: Environment,
  name: string,
  codec: Schema.ConstraintCodec<T, unknown>
): Effect.Effect<T | undefined, BadSetting> =>
  Config.option(Config.schema(codec, name))
    .parse(ConfigProvider.fromEnvRecord(environment))
    .pipe(
      Effect.map(Option.getOrUndefined),
      Effect.mapError(({ cause }) =>
        cause._tag === "SchemaError"
          ? badSetting(name, cause.issue)
          : new BadSetting({ setting: name, reason: "can not be read" })
      )
    )

const logLevels: Readonly<Record<string, LogLevel>> = {
  debug: "debug",
  info: "info",
  warn: "warn",
  warning: "warn",
  error: "error"
}

/** Values that stand alone; those that depend on each other are checked by `readGroups`. */
export const readEnvironment = Effect.fnUntraced(function* (environment: Environment) {
  const read = <T>(name: string, codec: Schema.ConstraintCodec<T, unknown>) =>
    readSetting(environment, name, codec)
  const level = (yield* read("LOG_LEVEL", Schema.String))?.toLowerCase() ?? "info"
  if (!Object.hasOwn(logLevels, level)) {
    return yield* new BadSetting({ setting: "LOG_LEVEL", reason: "must be debug, info, warn or error" })
  }
  const sealKeys = yield* read("TOLLGATE_SEAL_KEY", SealKeys)
  return {
    host: yield* read("HOST", HostName),
    port: yield* read("PORT", Port),
    operationsPort: yield* read("OPERATIONS_PORT", Port),
    publicUrl: yield* read("PUBLIC_URL", BaseUrl),
    trustProxy: yield* read("TRUST_PROXY", Schema.Literals(["true", "false"])),
    databaseUrl: yield* read("DATABASE_URL", PostgresUrl),
    dataDir: yield* read("DATA_DIR", Schema.String),
    sealKeys: sealKeys?.split(",").map((key) => new Uint8Array(Buffer.from(key.trim(), "base64"))),
    gatewayThreads: yield* read("GATEWAY_THREADS", ThreadCount),
    codecThreads: yield* read("CODEC_THREADS", ThreadCount),
    logLevel: logLevels[level]!,
    production: environment["NODE_ENV"] === "production",
    crashOnSignal: yield* read("TOLLGATE_TEST_CRASH", Schema.Literals(["gateway", "dashboard"])),
    proxies: yield* readProxies(environment),
    telemetry: yield* readTelemetry(environment),
    topUp: yield* readTopUp(environment),
    mail: yield* readMail(environment),
    oauth: yield* readOAuth(environment),
    dashboard: yield* read("DASHBOARD", Schema.Literals(["on", "off"])),
    operatorsSecondFactor: yield* read("OPERATORS_SECOND_FACTOR", Schema.Literals(["required", "off"])),
    issuer: {
      company: yield* read("TOLLGATE_COMPANY", Line),
      taxCode: yield* read("TOLLGATE_TAX_CODE", TaxCode),
      address: yield* read("TOLLGATE_COMPANY_ADDRESS", Line)
    }
  }
})

/** In small letters first, as other programs read them. */
const readProxies = Effect.fnUntraced(function* (environment: Environment) {
  const read = Effect.fnUntraced(function* (name: string) {
    const proxy =
      (yield* readSetting(environment, name.toLowerCase(), ProxyUrl)) ??
      (yield* readSetting(environment, name, ProxyUrl))
    return proxy === undefined ? undefined : withProtocol(proxy)
  })
  const none = environment["no_proxy"] || environment["NO_PROXY"] || ""
  return {
    http: yield* read("HTTP_PROXY"),
    https: yield* read("HTTPS_PROXY"),
    none: none.split(/[\s,]+/).filter((entry) => entry !== "")
  }
})

const readTelemetry = Effect.fnUntraced(function* (environment: Environment) {
  const base = yield* readSetting(environment, "OTEL_EXPORTER_OTLP_ENDPOINT", BaseUrl)
  const traces = yield* readSetting(environment, "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", BaseUrl)
  const headers = yield* readPairs(environment, "OTEL_EXPORTER_OTLP_HEADERS")
  const traceHeaders = yield* readPairs(environment, "OTEL_EXPORTER_OTLP_TRACES_HEADERS")
  const resourceAttributes = yield* readPairs(environment, "OTEL_RESOURCE_ATTRIBUTES")
  const off =
    environment["OTEL_SDK_DISABLED"]?.toLowerCase() === "true" ||
    environment["OTEL_TRACES_EXPORTER"] === "none"
  const url = traces ?? (base === undefined ? undefined : `${withoutTrailingSlash(base)}/v1/traces`)
  return {
    otlpTracesUrl: off ? undefined : url,
    headers: { ...headers, ...traceHeaders },
    serviceName: environment["OTEL_SERVICE_NAME"] || resourceAttributes["service.name"] || "tollgate",
    resourceAttributes
  }
})

/** `name=value,name=value` with percent-encoded values, as OpenTelemetry writes it. */
const readPairs = Effect.fnUntraced(function* (environment: Environment, name: string) {
  const pairs: Record<string, string> = {}
  for (const pair of (environment[name] ?? "").split(",").filter((part) => part.trim() !== "")) {
    const [, key, value] = /^\s*([^=\s]+)\s*=(.*)$/.exec(pair) ?? []
    const decoded = value === undefined ? undefined : decodePercent(value.trim())
    if (key === undefined || decoded === undefined) {
      return yield* new BadSetting({ setting: name, reason: "must be name=value pairs with commas between" })
    }
    pairs[key] = decoded
  }
  return pairs
})

const decodePercent = (value: string): string | undefined => {
  try {
    return decodeURIComponent(value)
  } catch {
    return undefined
  }
}

const readTopUp = Effect.fnUntraced(function* (environment: Environment) {
  const bin = yield* readSetting(environment, "TOLLGATE_BANK_BIN", BankBin)
  const account = yield* readSetting(environment, "TOLLGATE_BANK_ACCOUNT", BankAccount)
  const accountName = yield* readSetting(environment, "TOLLGATE_BANK_ACCOUNT_NAME", Line)
  yield* allOrNone({
    TOLLGATE_BANK_BIN: bin,
    TOLLGATE_BANK_ACCOUNT: account,
    TOLLGATE_BANK_ACCOUNT_NAME: accountName
  })
  const sepay = {
    webhookSecret: yield* readSetting(environment, "SEPAY_WEBHOOK_SECRET", Secret),
    apiKey: yield* readSetting(environment, "SEPAY_API_KEY", Secret),
    apiToken: yield* readSetting(environment, "SEPAY_API_TOKEN", Secret)
  }
  const casso = {
    webhookSecret: yield* readSetting(environment, "CASSO_WEBHOOK_SECRET", Secret),
    secureToken: yield* readSetting(environment, "CASSO_SECURE_TOKEN", Secret),
    apiKey: yield* readSetting(environment, "CASSO_API_KEY", Secret)
  }
  const clientId = yield* readSetting(environment, "PAYOS_CLIENT_ID", Secret)
  const apiKey = yield* readSetting(environment, "PAYOS_API_KEY", Secret)
  const checksumKey = yield* readSetting(environment, "PAYOS_CHECKSUM_KEY", Secret)
  yield* allOrNone({ PAYOS_CLIENT_ID: clientId, PAYOS_API_KEY: apiKey, PAYOS_CHECKSUM_KEY: checksumKey })
  yield* oneAlone({ sepay, casso, payos: { clientId } })
  return {
    bank:
      bin !== undefined && account !== undefined && accountName !== undefined
        ? { bin, account, accountName }
        : undefined,
    sepay,
    casso,
    baseUrls: {
      sepay: "https://my.sepay.vn/userapi",
      casso: "https://oauth.casso.vn/v2",
      payos: "https://api-merchant.payos.vn"
    },
    payos:
      clientId !== undefined && apiKey !== undefined && checksumKey !== undefined
        ? { clientId, apiKey, checksumKey }
        : undefined
  }
})

const readMail = Effect.fnUntraced(function* (environment: Environment) {
  const url = yield* readSetting(environment, "SMTP_URL", SmtpUrl)
  const from = yield* readSetting(environment, "SMTP_FROM", Sender)
  yield* allOrNone({ SMTP_URL: url, SMTP_FROM: from })
  return url !== undefined && from !== undefined ? { url, from } : undefined
})

/** Two that watch one account have ids of their own for each transfer, which would then be credited twice. */
const oneAlone = Effect.fnUntraced(function* (messengers: Readonly<Record<Messenger, object>>) {
  const [first, second] = Object.entries(messengers)
    .filter(([, secrets]) => Object.values(secrets).some((secret) => secret !== undefined))
    .map(([name]) => `${name.toUpperCase()}_…`)
  if (second === undefined) return
  return yield* new BadSetting({
    setting: second,
    reason: `must not be set beside ${first}: one tells of transfers`
  })
})

const oauthUrls: Readonly<
  Record<OAuthProvider, Pick<OAuthSettings, "authorizeUrl" | "tokenUrl" | "userUrl">>
> = {
  google: {
    authorizeUrl: "https://accounts.google.com/o/oauth2/v2/auth",
    tokenUrl: "https://oauth2.googleapis.com/token",
    userUrl: "https://openidconnect.googleapis.com/v1/userinfo"
  },
  github: {
    authorizeUrl: "https://github.com/login/oauth/authorize",
    tokenUrl: "https://github.com/login/oauth/access_token",
    userUrl: "https://api.github.com/user"
  }
}

const readOAuth = Effect.fnUntraced(function* (environment: Environment) {
  const found: Array<OAuthSettings> = []
  for (const provider of oauthProviders) {
    const idName = `${provider.toUpperCase()}_CLIENT_ID`
    const secretName = `${provider.toUpperCase()}_CLIENT_SECRET`
    const clientId = yield* readSetting(environment, idName, Secret)
    const clientSecret = yield* readSetting(environment, secretName, Secret)
    yield* allOrNone({ [idName]: clientId, [secretName]: clientSecret })
    if (clientId !== undefined && clientSecret !== undefined)
      found.push({ provider, clientId, clientSecret, ...oauthUrls[provider] })
  }
  return found
})

/** Refuses half of a group, naming what is missing. */
export const allOrNone = Effect.fnUntraced(function* (group: Readonly<Record<string, string | undefined>>) {
  const set = Object.keys(group).filter((name) => group[name] !== undefined)
  const missing = Object.keys(group).find((name) => group[name] === undefined)
  if (set.length > 0 && missing !== undefined) {
    return yield* new BadSetting({ setting: missing, reason: `must be set when ${set[0]} is` })
  }
})
