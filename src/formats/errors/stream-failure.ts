/** Failures of an upstream whose answer has begun. */
import type { JsonObject } from "../json/json.ts"

/** Why a stream that had begun can not be completed; `type` is one of the contract's error types. */
export interface StreamFailure {
  readonly type: "api_error" | "rate_limit_error" | "invalid_request_error" | "request_too_large"
  readonly message: string
  /** What clients read beside the message, where the upstream told it and the caller can mend it. */
  readonly param?: string
  readonly code?: string
  readonly details?: JsonObject
}

export const brokenOff: StreamFailure = { type: "api_error", message: "The model's answer broke off." }
export const unreadable: StreamFailure = {
  type: "api_error",
  message: "The model's answer could not be read."
}
