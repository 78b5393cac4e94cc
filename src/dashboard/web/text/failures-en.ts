/** The words of how calls are refused and fail in English. */
import type { vietnamese } from "./failures-vi.ts"

export const english: typeof vietnamese = {
  failures: [
    [400, "invalid_request_error", "Malformed JSON, or a missing or wrong parameter; the message names it"],
    [401, "authentication_error", "The API key is missing, wrong, revoked, paused or expired"],
    [
      402,
      "insufficient_balance",
      "What is left of the balance, of the key\u2019s budget or of its maker\u2019s does not cover the call"
    ],
    [403, "permission_error", "The API key may not use this model, endpoint or address"],
    [404, "not_found_error", "No such path or model"],
    [405, "invalid_request_error", "The path takes another method; allow says which"],
    [
      413,
      "request_too_large",
      "The body is larger than allowed: 20 MiB, unless the operator has set another limit"
    ],
    [415, "invalid_request_error", "The body is compressed: it is to be sent without content-encoding"],
    [426, "invalid_request_error", "The path takes POST only, not a WebSocket"],
    [429, "rate_limit_error", "A limit is reached; retry-after says when to try again"],
    [502, "api_error", "The provider failed, even if in the middle of its answer: the call costs nothing"],
    [503, "service_unavailable", "Maintenance or overload; retry-after says when to try again"]
  ],
  limits: {
    key: "The API key\u2019s own limit of calls per minute is reached; no provider was asked",
    provider: "The provider\u2019s limit is reached, not that of the API key"
  },
  left: "The caller closed the connection before the answer was complete"
}
