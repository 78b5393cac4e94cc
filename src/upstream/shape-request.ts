/** What a call looks like on its way to a provider: address, credentials and the few headers that go along. */
import { Effect } from "effect"
import type { ProviderSettings, Route } from "../config/settings.ts"
import type { BedrockOperation, UpstreamAddress } from "../formats/upstream-address.ts"
import type { BedrockSigners } from "./BedrockSigners.ts"
import type { BedrockCredentialsError } from "./sign-bedrock.ts"
import type { PooledRequest } from "./http1/ConnectionPool.ts"

export interface OutgoingCall {
  readonly provider: ProviderSettings
  /** The provider's id of the model. */
  readonly model: string
  readonly address: UpstreamAddress
  readonly body: Uint8Array
  readonly contentType: string
  readonly stream: boolean
  readonly traceParent: string
}

const userAgent = "tollgate"

/** Shapes the request for one route. Answers come uncompressed, since they are passed on as they are. */
export const shapeRequest = (
  signers: BedrockSigners,
  call: OutgoingCall,
  route: Route
): Effect.Effect<PooledRequest, BedrockCredentialsError> =>
  call.address._tag === "Signed"
    ? signedRequest(signers, call, call.address.operation, route)
    : Effect.succeed(keyedRequest(call, call.address, route))

type Keyed = Extract<UpstreamAddress, { readonly _tag: "Keyed" }>

const keyedRequest = (call: OutgoingCall, address: Keyed, route: Route): PooledRequest => {
  const prefix = prefixOf(route.baseUrl)
  const headers: Record<string, string> = {
    "content-type": call.contentType,
    accept: call.stream ? "text/event-stream" : "*/*",
    "accept-encoding": "identity",
    "user-agent": userAgent
  }
  if (route.apiKey !== "") {
    if (address.key === "x-api-key") headers["x-api-key"] = route.apiKey
    else headers["authorization"] = `Bearer ${route.apiKey}`
  }
  for (const [name, value] of Object.entries(address.headers)) if (value !== "") headers[name] = value
  if (call.traceParent !== "") headers["traceparent"] = call.traceParent
  return { path: prefix + address.path, headers, body: call.body }
}

const signedRequest = (
  signers: BedrockSigners,
  call: OutgoingCall,
  operation: BedrockOperation,
  route: Route
) =>
  Effect.map(
    signers.of(call.provider, route)({ operation, model: call.model, body: call.body }),
    (signed): PooledRequest => ({
      path: signed.path,
      headers: {
        ...signed.headers,
        "accept-encoding": "identity",
        "user-agent": userAgent,
        ...(call.traceParent !== "" && { traceparent: call.traceParent })
      },
      body: call.body
    })
  )

const prefixes = new Map<string, string>()

/** What stands before every path; remembered, since there are few base addresses and calls are many. */
const prefixOf = (baseUrl: string): string => {
  const known = prefixes.get(baseUrl)
  if (known !== undefined) return known
  const prefix = new URL(baseUrl).pathname.replace(/\/+$/, "")
  prefixes.set(baseUrl, prefix)
  return prefix
}
