/** The codes by which clients of Responses know why a stream failed: Codex reads them and acts on them. */
import type { CodedFailure } from "./stream/stream-codec.ts"
import { tellTooLong, type Told } from "./too-long.ts"

export const codedFailure = (told: Told): CodedFailure => {
  const { code, message, type } = tellTooLong(told, false)
  switch (type) {
    case "insufficient_balance":
      return { code: "insufficient_quota", message }
    case "rate_limit_error":
      return { code: "rate_limit_exceeded", message }
    case "invalid_request_error":
    case "request_too_large":
      return { code: code ?? "invalid_prompt", message }
    default:
      return { code: "server_error", message }
  }
}
