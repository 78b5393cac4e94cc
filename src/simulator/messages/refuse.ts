/** The Messages provider's headers and its words for every failure. */
import type { HeaderList } from "../../sockets/write-head.ts"
import { type PlainAnswer, plainJson } from "../http/Answer.ts"
import { anthropicRequestId } from "../make-id.ts"
import type { Complaint } from "../Protocol.ts"

const usual: Readonly<Record<number, readonly [type: string, message: string]>> = {
  400: ["invalid_request_error", "messages.0: Input does not match the expected shape."],
  401: ["authentication_error", "invalid x-api-key"],
  402: ["billing_error", "Your credit balance is too low to access the Anthropic API."],
  403: ["permission_error", "Your API key does not have permission to use the specified resource."],
  404: ["not_found_error", "The requested resource could not be found."],
  409: ["conflict_error", "The request conflicts with another one."],
  413: ["request_too_large", "Request exceeds the maximum size"],
  429: ["rate_limit_error", "This request would exceed your account's rate limit. Please try again later."],
  500: ["api_error", "Internal server error"],
  504: ["timeout_error", "The request timed out"],
  529: ["overloaded_error", "Overloaded"]
}

export const refuse = (status: number, complaint?: Complaint): PlainAnswer => {
  const id = anthropicRequestId()
  const [type, message] = usual[status] ?? [
    status < 500 ? "invalid_request_error" : "api_error",
    `Status ${status}`
  ]
  return plainJson(
    status,
    [
      ["request-id", id],
      ["x-should-retry", status === 429 || status >= 500 ? "true" : "false"]
    ],
    {
      type: "error",
      error: {
        ...(complaint?.code && { details: { error_code: complaint.code } }),
        type,
        message: complaint?.message ?? message
      },
      request_id: id
    }
  )
}

/** Constant figures: nobody is limited here, and answers stay comparable. */
const limits: HeaderList = [
  ["anthropic-ratelimit-input-tokens-limit", "2000000"],
  ["anthropic-ratelimit-input-tokens-remaining", "2000000"],
  ["anthropic-ratelimit-input-tokens-reset", "2026-01-01T00:00:00Z"],
  ["anthropic-ratelimit-output-tokens-limit", "400000"],
  ["anthropic-ratelimit-output-tokens-remaining", "400000"],
  ["anthropic-ratelimit-output-tokens-reset", "2026-01-01T00:00:00Z"],
  ["anthropic-ratelimit-requests-limit", "4000"],
  ["anthropic-ratelimit-requests-remaining", "3999"],
  ["anthropic-ratelimit-requests-reset", "2026-01-01T00:00:00Z"]
]

export const successHeaders = (): HeaderList => [["request-id", anthropicRequestId()], ...limits]
