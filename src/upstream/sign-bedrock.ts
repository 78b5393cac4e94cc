/** A request to Bedrock Runtime: where it goes, and the headers that prove who sends it. */
import { SignatureV4 } from "@smithy/signature-v4"
import { Effect, Schema } from "effect"
import { createHash, createHmac } from "node:crypto"
import { noProxies, type Proxies } from "../config/choose-proxy.ts"
import { OutwardAgent } from "../outgoing/connect-outward.ts"
import type { BedrockOperation } from "../formats/upstream-address.ts"
import { renewInTime } from "./renew-in-time.ts"

export interface BedrockSettings {
  readonly region: string
  readonly endpoint: string
  /** Put before the ids of models that are reached through an inference profile: `global`, `us`, `eu`, `apac` … */
  readonly inferenceProfile?: string | undefined
  /** A Bedrock API key; no signature is made then. */
  readonly bearerToken?: string | undefined
  /** Without a key pair AWS's usual chain is asked: environment, profiles, containers, instance roles. */
  readonly accessKeyId?: string | undefined
  readonly secretAccessKey?: string | undefined
  readonly sessionToken?: string | undefined
  /** By which that chain reaches AWS's services. */
  readonly proxies?: Proxies | undefined
}

export interface BedrockCall {
  readonly operation: BedrockOperation
  /** The provider's id of the model, or an ARN. */
  readonly model: string
  readonly body: Uint8Array
}

export interface SignedRequest {
  readonly origin: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
}

/** AWS has given no usable credentials; the cause stays inside. */
export class BedrockCredentialsError extends Schema.TaggedError<BedrockCredentialsError>()(
  "BedrockCredentialsError",
  { cause: Schema.Defect() }
) {
  override get message() {
    return "no credentials for AWS"
  }
}

interface Credentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string
}

/** Signs calls of one account in one region. `now` and `patienceMs`, for AWS's chain, are for tests. */
export const makeBedrockSigner = (
  settings: BedrockSettings,
  now: () => Date = () => new Date(),
  patienceMs = 10_000
) => {
  const endpoint = new URL(settings.endpoint)
  const basePath = endpoint.pathname.replace(/\/+$/, "")
  const signature = new SignatureV4({
    service: "bedrock",
    region: settings.region,
    credentials: credentialsOf(settings, patienceMs),
    sha256: Sha256
  })

  const headersOf = async (call: BedrockCall, path: string): Promise<Record<string, string>> => {
    const headers: Record<string, string> = {
      host: endpoint.host,
      "content-type": "application/json",
      accept: call.operation.endsWith("stream") ? "application/vnd.amazon.eventstream" : "application/json"
    }
    if (settings.bearerToken !== undefined)
      return { ...headers, authorization: `Bearer ${settings.bearerToken}` }
    const signed = await signature.sign(
      {
        method: "POST",
        protocol: endpoint.protocol,
        hostname: endpoint.hostname,
        path,
        query: {},
        headers,
        body: call.body
      },
      { signingDate: now() }
    )
    return signed.headers
  }

  return (call: BedrockCall): Effect.Effect<SignedRequest, BedrockCredentialsError> => {
    const path = `${basePath}/model/${encodeURIComponent(bedrockModelId(call.model, settings))}/${call.operation}`
    return Effect.tryPromise({
      try: () => headersOf(call, path),
      catch: (cause) => new BedrockCredentialsError({ cause })
    }).pipe(Effect.map((headers) => ({ origin: endpoint.origin, path, headers })))
  }
}

/** The id that Bedrock is called with: the model's own, or its inference profile. */
export const bedrockModelId = (
  model: string,
  settings: Pick<BedrockSettings, "region" | "inferenceProfile">
): string => {
  const profile = settings.inferenceProfile
  if (profile === undefined || profile === "") return model
  if (profile === "global" && !/^(anthropic\.|amazon\.nova-2)/.test(model)) {
    // No global profile exists for these; Llama 4 and Nova are reached through their geography's.
    const geography = geographies.find(([start]) => settings.region.startsWith(start))?.[1]
    return geography !== undefined && inGeographies.test(model) ? `${geography}.${model}` : model
  }
  return inGeographies.test(model) ? `${profile}.${model}` : model
}

/** Models with inference profiles; all others are called in their region by their own id. */
const inGeographies = /^(anthropic\.|amazon\.nova|meta\.llama)/

const geographies = [
  ["us-gov-", "us-gov"],
  ["us-", "us"],
  ["eu-", "eu"],
  ["ap-", "apac"]
] as const

/** The configured pair, or AWS's chain, which is loaded at the first call, cached, and renewed before it expires. */
const credentialsOf = (
  settings: BedrockSettings,
  patienceMs: number
): Credentials | (() => Promise<Credentials>) => {
  const { accessKeyId, proxies = noProxies, region, secretAccessKey, sessionToken } = settings
  if (accessKeyId !== undefined && secretAccessKey !== undefined) {
    return { accessKeyId, secretAccessKey, ...(sessionToken === undefined ? {} : { sessionToken }) }
  }
  const httpsAgent = new OutwardAgent(proxies)
  // Without these, a request that is not answered is waited for without end.
  const requestHandler = { httpsAgent, requestTimeout: patienceMs / 2, throwOnRequestTimeout: true }
  const makeChain = async () => {
    const { fromNodeProviderChain } = await import("@aws-sdk/credential-providers")
    // AWS's files are read anew by each chain: it is SIGHUP that makes the next one.
    return fromNodeProviderChain({ clientConfig: { region, requestHandler }, ignoreCache: true })
  }
  return renewInTime(() => {
    const chain = makeChain()
    return async () => (await chain)()
  }, patienceMs)
}

/** SHA-256, keyed or not, in the shape the signer asks for. */
class Sha256 {
  readonly #hash: { update(data: Uint8Array | string): unknown; digest(): Buffer }

  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#hash = secret === undefined ? createHash("sha256") : createHmac("sha256", bytesOf(secret))
  }

  update(data: string | ArrayBuffer | ArrayBufferView): void {
    this.#hash.update(bytesOf(data))
  }

  async digest(): Promise<Uint8Array> {
    return this.#hash.digest()
  }
}

const bytesOf = (data: string | ArrayBuffer | ArrayBufferView): Uint8Array => {
  if (typeof data === "string") return Buffer.from(data, "utf8")
  return ArrayBuffer.isView(data)
    ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    : new Uint8Array(data)
}
