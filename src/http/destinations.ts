/** Which path leads where. Routing comes before authentication: a wrong address is told as such, to anybody. */
import type { Endpoint } from "../domain/call.ts"
import { serveCountTokens } from "../gateway/serve-count-tokens.ts"
import type { Serve } from "../gateway/serve-call.ts"
import { serveImages } from "../gateway/serve-image-call.ts"
import { serveSpeech } from "../gateway/serve-speech-call.ts"
import type { KeyReportAsk } from "../ledger/bridge/protocol.ts"
import { serveTextCall } from "../gateway/serve-text-call.ts"

export type Destination =
  | { readonly _tag: "Call"; readonly endpoint: Endpoint; readonly serve: Serve }
  | { readonly _tag: "Models"; readonly id: string | undefined }
  | { readonly _tag: "Report"; readonly report: KeyReportAsk["report"] }
  | { readonly _tag: "Operations"; readonly page: "healthz" | "readyz" | "metrics" }
  | { readonly _tag: "Dashboard" }
  | { readonly _tag: "Root" }
  /** Where password managers send people who are to change theirs. */
  | { readonly _tag: "ChangePassword" }
  /** The path exists, the method does not. */
  | { readonly _tag: "WrongMethod"; readonly allow: string }
  /** The path with `/v1` missing or doubled, with a slash too many or below another service's base; `right` is how it should be. */
  | { readonly _tag: "WrongBase"; readonly right: string }
  | { readonly _tag: "Unknown" }

const calls: ReadonlyMap<string, Destination> = new Map<string, Destination>([
  ["/v1/messages", { _tag: "Call", endpoint: "messages", serve: serveTextCall("messages") }],
  [
    "/v1/chat/completions",
    { _tag: "Call", endpoint: "chat_completions", serve: serveTextCall("chat_completions") }
  ],
  ["/v1/responses", { _tag: "Call", endpoint: "responses", serve: serveTextCall("responses") }],
  ["/v1/messages/count_tokens", { _tag: "Call", endpoint: "count_tokens", serve: serveCountTokens }],
  [
    "/v1/images/generations",
    { _tag: "Call", endpoint: "images_generations", serve: serveImages("images_generations") }
  ],
  ["/v1/images/edits", { _tag: "Call", endpoint: "images_edits", serve: serveImages("images_edits") }],
  ["/v1/audio/speech", { _tag: "Call", endpoint: "audio_speech", serve: serveSpeech }]
])

const pages: ReadonlyMap<string, Destination> = new Map<string, Destination>([
  ["/", { _tag: "Root" }],
  ["/.well-known/change-password", { _tag: "ChangePassword" }],
  ["/openapi.json", { _tag: "Dashboard" }],
  ["/llms.txt", { _tag: "Dashboard" }],
  ["/healthz", { _tag: "Operations", page: "healthz" }],
  ["/readyz", { _tag: "Operations", page: "readyz" }],
  ["/metrics", { _tag: "Operations", page: "metrics" }],
  ["/v1/models", { _tag: "Models", id: undefined }],
  ["/v1/balance", { _tag: "Report", report: "balance" }],
  ["/v1/usage", { _tag: "Report", report: "usage" }],
  // Where chat clients look for what is left.
  ["/v1/dashboard/billing/subscription", { _tag: "Report", report: "subscription" }],
  ["/v1/dashboard/billing/usage", { _tag: "Report", report: "billing_usage" }]
])

const modelPrefix = "/v1/models/"
/** What stands beside the dashboard, for everyone. */
const statusPaths: ReadonlySet<string> = new Set(["/status", "/status.json"])
const dashboardPrefixes = ["/dashboard/", "/api/", "/webhooks/"] as const
/** What Claude Code asks of its provider before it calls: answered at once, also while the dashboard is not there. */
const clientProbes: ReadonlySet<string> = new Set(["/api/hello"])
export const unknownDestination: Destination = { _tag: "Unknown" }

export const destinationOf = (method: string, path: string): Destination => {
  const call = calls.get(path)
  if (call !== undefined) return method === "POST" ? call : { _tag: "WrongMethod", allow: "POST" }
  if (
    path === "/dashboard" ||
    statusPaths.has(path) ||
    dashboardPrefixes.some((prefix) => path.startsWith(prefix))
  ) {
    if (clientProbes.has(path)) return unknownDestination
    const meant = path.startsWith("/api/") ? withOneVersion(path) : undefined
    return meant === undefined ? { _tag: "Dashboard" } : { _tag: "WrongBase", right: meant }
  }
  const page = pages.get(path) ?? modelOf(path)
  if (page !== undefined) {
    return method === "GET" || method === "HEAD" ? page : { _tag: "WrongMethod", allow: "GET, HEAD" }
  }
  const right = withOneVersion(path)
  return right === undefined ? unknownDestination : { _tag: "WrongBase", right }
}

/** The slash of an id may be percent-encoded or plain. */
const modelOf = (path: string): Destination | undefined => {
  if (!path.startsWith(modelPrefix) || path.length === modelPrefix.length) return undefined
  try {
    return { _tag: "Models", id: decodeURIComponent(path.slice(modelPrefix.length)) }
  } catch {
    return undefined
  }
}

/**
 * What stands before the endpoints at services that callers come from, whose host alone they have changed: Azure and Groq,
 * Google, OpenRouter, Z.ai, DashScope, and the Messages endpoints of many. Below `/api` nothing else has a version.
 */
const foreignBases = [
  "((openai|v1)/)?deployments/[^/]+",
  "models(?=/chat/)",
  "openai",
  "v1beta/openai",
  "api(?=/v1/)",
  "api/paas/v4",
  "compatible-mode",
  "anthropic"
]
const foreignBase = new RegExp(`^/(${foreignBases.join("|")})(?=/)`)

/** A path that leads nowhere as it would be with `/v1` once and without slashes too many, if that path exists. */
const withOneVersion = (path: string): string | undefined => {
  const tidy = path.replace(/\/+/g, "/").replace(/\/$/, "")
  const right = `/v1${tidy.replace(foreignBase, "").replace(/^(\/v1)+/, "")}`
  return calls.has(right) || pages.has(right) || modelOf(right) !== undefined ? right : undefined
}
