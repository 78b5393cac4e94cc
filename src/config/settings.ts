/**
 * Every setting, as plain data: it is sent to other threads as it is. It holds secrets, so it is never logged whole.
 */
import { Schema } from "effect"
import type { OAuthProvider } from "../domain/oauth-providers.ts"
import type { Surcharges } from "../domain/surcharges.ts"
import type { Proxies } from "./choose-proxy.ts"

export interface Settings {
  readonly host: string
  /** 0 takes a free port. */
  readonly port: number
  /** Where balancers and Prometheus may ask beside the port of the calls; 0 takes a free one. */
  readonly operationsPort: number | undefined
  /** The address customers use, without a trailing slash. */
  readonly publicUrl: string
  /** A proxy stands in front and tells in `x-forwarded-for` who asks. */
  readonly trustProxy: boolean
  /** `undefined` runs the embedded database in `dataDir`. */
  readonly databaseUrl: string | undefined
  /** Absolute. */
  readonly dataDir: string
  /** 32 bytes each; the first seals, the others only open. `undefined` leaves it to a key file in `dataDir`. */
  readonly sealKeys: ReadonlyArray<Uint8Array> | undefined
  readonly gatewayThreads: number
  /** Workers of each gateway thread. */
  readonly codecThreads: number
  readonly logLevel: LogLevel
  readonly limits: Limits
  readonly retention: RetentionSettings
  /** `undefined`: no call is ever tried twice at once. */
  readonly hedge: HedgeSettings | undefined
  /** Short name → catalogue id. */
  readonly aliases: Readonly<Record<string, string>>
  /** The parsed catalogue file, known to make a `Catalogue` together with `aliases`. */
  readonly catalogue: unknown
  /** Every provider the catalogue names or the file configures; one without routes can not be reached. */
  readonly providers: Readonly<Record<string, ProviderSettings>>
  /** No provider has a key or a configured route: the built-in simulator stands in for all of them. */
  readonly simulated: boolean
  /** Where the simulator listens, once it does. */
  readonly simulatorUrl: string | undefined
  /** By which the program reaches what is not a provider; a route has its own. */
  readonly proxies: Proxies
  readonly telemetry: TelemetrySettings
  readonly topUp: TopUpSettings
  readonly mail: MailSettings | undefined
  /** Where people may sign in with an account elsewhere. */
  readonly oauth: ReadonlyArray<OAuthSettings>
  /** Without it, this node serves calls alone: no pages, webhooks, alerts or reconciliation. */
  readonly hasDashboard: boolean
  /** Operators' pages answer nobody without one. */
  readonly operatorsNeedSecondFactor: boolean
  readonly webhooks: WebhookSettings
  /** `undefined`: no electronic invoices. */
  readonly einvoice: EinvoiceSettings | undefined
  /** Who issues receipts and statements. */
  readonly issuer: IssuerSettings
  /** Simulated, and not said to be production. Without a real bank, that one is then simulated as well. */
  readonly development: boolean
  /** For tests alone: which thread dies on SIGUSR2. */
  readonly crashOnSignal: CrashTarget | undefined
}

export interface OAuthSettings {
  readonly provider: OAuthProvider
  readonly clientId: string
  readonly clientSecret: string
  /** Where people are sent. */
  readonly authorizeUrl: string
  readonly tokenUrl: string
  /** Tells whose a token is. */
  readonly userUrl: string
}

export type CrashTarget = "gateway" | "dashboard"

export type LogLevel = "debug" | "info" | "warn" | "error"

export interface Limits {
  /** How long one call may take. */
  readonly callTimeoutSeconds: number
  /** How long a left upstream is drained, and how long a stopping server waits for calls under way. */
  readonly drainSeconds: number
  /** How long a stopping server goes on beside others, so that balancers notice and clients' connections end in order. */
  readonly handOverSeconds: number
  /** The quantum of output by which the hold of a stream grows. */
  readonly holdOutputTokens: number
  readonly maxBodyBytes: number
  /** How long a stream may be silent before it is kept alive. */
  readonly keepAliveSeconds: number
  /** After so long without progress a client that does not read counts as having left. */
  readonly stalledClientSeconds: number
  /** How many asks one actor lets wait before it refuses more. */
  readonly admissionQueueCapacity: number
  /** How many calls one gateway thread has open, refused ones that still arrive among them, before it refuses more. */
  readonly maxOpenCalls: number
  /** How many bytes of bodies one gateway thread keeps before it refuses more; by default, a share of the memory. */
  readonly maxBufferedBytes: number | undefined
  /** How many of them may be one account's; by default, half. */
  readonly maxBufferedBytesPerAccount: number | undefined
  /**
   * How many descriptors one gateway thread has for clients' connections and its calls' to providers; by default, its
   * share of what the process may open.
   */
  readonly maxDescriptors: number | undefined
  /** How many connections one gateway thread takes from one address; by default, half of them. */
  readonly maxConnectionsPerAddress: number | undefined
  /** Addresses and ranges of proxies in front of us, each of which may have any number of connections; by default, the machine's own. */
  readonly proxies: ReadonlyArray<string> | undefined
}

export interface RetentionSettings {
  /** How long the rows of calls are kept, in months that are wholly older than so many days; `undefined`: for ever. */
  readonly callsDays: number | undefined
  /** An absolute folder that they are written to before they go. */
  readonly archive: string | undefined
}

/** Streams of these models that have not begun after so long are asked of another route too; whichever begins first is given. */
export interface HedgeSettings {
  readonly afterMs: number
  /** Catalogue ids. */
  readonly models: ReadonlyArray<string>
}

/** Which wire protocol a provider's base address speaks for text. */
export type ProviderStyle = "messages" | "chat" | "bedrock"

export interface ProviderSettings {
  readonly name: string
  readonly style: ProviderStyle
  readonly onClientLeave: "abort" | "drain"
  readonly routes: ReadonlyArray<Route>
  readonly connectTimeoutMs: number
  /** An answer that comes whole begins when it is finished: by default only the limit of the whole call counts. */
  readonly firstByteTimeoutMs: number
  readonly idleTimeoutMs: number
  /** Only of `bedrock`. */
  readonly aws: AwsSettings | undefined
  /** Of all its models; a record of the catalogue may say otherwise of one. */
  readonly surcharges: Surcharges
}

export interface Route {
  /** `name#index`, by position in the file; `name+…` of one that an operator has added. */
  readonly id: string
  /** What the provider's own SDK takes as base address, without a trailing slash. */
  readonly baseUrl: string
  /** Empty: no key is sent, or AWS credentials sign. */
  readonly apiKey: string
  /** Lower is tried first. */
  readonly priority: number
  readonly weight: number
  /** Where it takes more than the address to be connected with it. */
  readonly passage?: Passage
  /** An operator wants no calls to go by it. */
  readonly isPaused?: true
  /** Catalogue ids of the models it is for; without them, all of its provider's. */
  readonly models?: ReadonlyArray<string>
}

export interface Passage {
  /** The address of a proxy that leads there, with credentials where it asks for them. */
  readonly proxy?: string | undefined
  /** Public addresses and those of these ranges alone may be connected with; `undefined`: any. */
  readonly publicOr?: ReadonlyArray<string> | undefined
  /** Authorities in PEM: they vouch for the provider and nobody else does. Else those that the program trusts. */
  readonly authorities?: string | undefined
  /** Whom we show ourselves as, both in PEM. */
  readonly certificate?: string | undefined
  readonly key?: string | undefined
}

export interface AwsSettings {
  readonly region: string
  /** Put before model ids as `global.`, `us.` …; empty for none. */
  readonly inferenceProfile: string
  /** Both or neither of these two; without them and without a bearer token the usual credential chain is asked. */
  readonly accessKeyId: string | undefined
  readonly secretAccessKey: string | undefined
  readonly sessionToken: string | undefined
  readonly bearerToken: string | undefined
  readonly profile: string | undefined
}

export interface TelemetrySettings {
  /** The whole address that takes traces; `undefined` turns tracing off. */
  readonly otlpTracesUrl: string | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly serviceName: string
  readonly resourceAttributes: Readonly<Record<string, string>>
}

/** Who tells of bank transfers. */
export type Messenger = Exclude<keyof TopUpSettings, "bank" | "baseUrls">

export interface TopUpSettings {
  /** The account that customers pay into; all of it or none. */
  readonly bank: BankSettings | undefined
  readonly sepay: {
    /** Signs webhooks (HMAC). */
    readonly webhookSecret: string | undefined
    /** Sent with webhooks as `Authorization: Apikey …`. */
    readonly apiKey: string | undefined
    /** Lets us ask for transactions. */
    readonly apiToken: string | undefined
  }
  readonly casso: {
    /** Signs webhooks of version 2 (HMAC). */
    readonly webhookSecret: string | undefined
    /** Sent with webhooks of version 1 as `Secure-Token`. */
    readonly secureToken: string | undefined
    /** Lets us ask for transactions. */
    readonly apiKey: string | undefined
  }
  /** Where each provider's API is; without a trailing slash. */
  readonly baseUrls: Readonly<Record<Messenger, string>>
  /** All of it or none; with it, payOS takes the payments of orders. */
  readonly payos: PayosSettings | undefined
}

export interface PayosSettings {
  readonly clientId: string
  readonly apiKey: string
  /** Signs what it and we say. */
  readonly checksumKey: string
}

export interface BankSettings {
  /** Six digits, as NAPAS knows the bank. */
  readonly bin: string
  readonly account: string
  readonly accountName: string
}

/** Each empty where nothing was said. */
export interface IssuerSettings {
  readonly company: string
  readonly taxCode: string
  readonly address: string
}

/** SePay eInvoice. */
export interface EinvoiceSettings {
  /** Without a trailing slash. */
  readonly baseUrl: string
  readonly clientId: string
  readonly clientSecret: string
  readonly providerAccountId: string
  readonly templateCode: string
  readonly series: string
  /** In per cent, as the provider has it; `undefined`: invoices without VAT lines. */
  readonly taxRate: number | undefined
  /** What is sold, as it stands on the invoice. */
  readonly item: string
}

export interface WebhookSettings {
  /** Addresses and ranges that are not public, and that customers' webhooks may lead to all the same. */
  readonly privateRanges: ReadonlyArray<string>
}

export interface MailSettings {
  readonly url: string
  readonly from: string
}

/** A setting that can not be used. `setting` names it; `reason` never holds its value. */
export class BadSetting extends Schema.TaggedError<BadSetting>()("BadSetting", {
  setting: Schema.String,
  reason: Schema.String
}) {
  override get message() {
    return `Bad setting ${this.setting}: ${this.reason}`
  }
}

/** The environment, or a stand-in for it. */
export type Environment = Readonly<Record<string, string | undefined>>
