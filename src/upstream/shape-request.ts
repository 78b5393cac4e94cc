/** What a call looks like on its way to a provider: address, credentials and the few headers that go along. */
import { Effect } from "effect"
import type { ProviderSettings, Route } from "../config/settings.ts"
import type { Protocol } from "../domain/catalogue.ts"
import type { BedrockSigners } from "./BedrockSigners.ts"
import type { BedrockCredentialsError, BedrockOperation } from "./sign-bedrock.ts"
import type { UpstreamRequest } from "./Upstreams.ts"

export interface OutgoingCall {
  readonly provider: ProviderSettings
  readonly protocol: Protocol
  /** The provider's id of the model. */
  readonly model: string
  /** Only of `bedrock`. */
  readonly operation: BedrockOperation | undefined
  readonly path: string
  readonly body: Uint8Array
  readonly contentType: string
  readonly stream: boolean
  readonly anthropicVersion: string
  readonly anthropicBeta: string
  readonly codexResponsesLite: string
  readonly traceParent: string
}

const defaultAnthropicVersion = "2023-06-01"
const userAgent = "tollgate"

/** Shapes the request for one route. Answers come uncompressed, since they are passed on as they are. */
export const shapeRequest = (
  signers: BedrockSigners,
  call: OutgoingCall,
  route: Route
): Effect.Effect<UpstreamRequest, BedrockCredentialsError> =>
  call.protocol === "bedrock"
    ? signedRequest(signers, call, route)
    : Effect.succeed(keyedRequest(call, route))

const keyedRequest = (call: OutgoingCall, route: Route): UpstreamRequest => {
  const { origin, prefix } = splitBase(route.baseUrl)
  const headers: Record<string, string> = {
    "content-type": call.contentType,
    accept: call.stream ? "text/event-stream" : "*/*",
    "accept-encoding": "identity",
    "user-agent": userAgent
  }
  if (call.protocol === "messages") {
    if (route.apiKey !== "") headers["x-api-key"] = route.apiKey
    headers["anthropic-version"] = call.anthropicVersion || defaultAnthropicVersion
    if (call.anthropicBeta !== "") headers["anthropic-beta"] = call.anthropicBeta
  } else if (route.apiKey !== "") {
    headers["authorization"] = `Bearer ${route.apiKey}`
  }
  if (call.protocol === "responses" && call.codexResponsesLite !== "")
    headers["x-openai-internal-codex-responses-lite"] = call.codexResponsesLite
  if (call.traceParent !== "") headers["traceparent"] = call.traceParent
  return { origin, path: prefix + call.path, headers, body: call.body }
}

const signedRequest = (signers: BedrockSigners, call: OutgoingCall, route: Route) =>
  Effect.map(
    signers.of(call.provider, route)({ operation: call.operation!, model: call.model, body: call.body }),
    (signed): UpstreamRequest => ({
      origin: signed.origin,
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

const bases = new Map<string, { readonly origin: string; readonly prefix: string }>()

/** A base address as origin and path; remembered, since there are few of them and calls are many. */
const splitBase = (baseUrl: string): { readonly origin: string; readonly prefix: string } => {
  const known = bases.get(baseUrl)
  if (known !== undefined) return known
  const { origin, pathname } = new URL(baseUrl)
  const base = { origin, prefix: pathname.replace(/\/+$/, "") }
  bases.set(baseUrl, base)
  return base
}
