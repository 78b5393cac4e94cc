/** What calls know of a request's headers. Only while its handler runs. */
import type { HttpRequest } from "uWebSockets.js"
import type { RequestHeaders } from "../gateway/Client.ts"

export const readHeaders = (req: HttpRequest): RequestHeaders => ({
  apiKey: req.getHeader("x-api-key"),
  authorization: req.getHeader("authorization"),
  contentEncoding: req.getHeader("content-encoding"),
  anthropicVersion: req.getHeader("anthropic-version") || req.getHeader("msgapi-version"),
  anthropicBeta: req.getHeader("anthropic-beta"),
  codexResponsesLite: req.getHeader("x-openai-internal-codex-responses-lite"),
  traceParent: req.getHeader("traceparent")
})
