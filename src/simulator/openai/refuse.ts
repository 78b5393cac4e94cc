/** The status, the headers and the words of OpenAI's every failure. */
import { type PlainAnswer, plainJson } from "../http/Answer.ts"
import { openaiRequestId } from "../make-id.ts"
import type { Complaint } from "../Protocol.ts"
import { serverError } from "./words.ts"

type Usual = readonly [type: string, code: string | null, message: string]

const usual: Readonly<Record<number, Usual>> = {
  401: [
    "invalid_request_error",
    "invalid_api_key",
    "Incorrect API key provided. You can find your API key at https://platform.openai.com/account/api-keys."
  ],
  402: [
    "insufficient_quota",
    "insufficient_quota",
    "You exceeded your current quota, please check your plan and billing details."
  ],
  403: [
    "invalid_request_error",
    "unsupported_country_region_territory",
    "Country, region, or territory not supported"
  ],
  404: [
    "invalid_request_error",
    "model_not_found",
    "The model does not exist or you do not have access to it."
  ],
  429: [
    "tokens",
    "rate_limit_exceeded",
    "Rate limit reached for this model in organization org-simulator on tokens per min (TPM): Limit 30000, Used 29000, Requested 2000. Please try again in 2s."
  ],
  500: ["server_error", null, serverError],
  503: ["server_error", "overloaded", "The engine is currently overloaded, please try again later"]
}

/** In front of the provider stands a proxy that answers these itself. */
const byProxy = new Set([502, 504, 520, 522, 524])

export const refuse = (status: number, complaint?: Complaint): PlainAnswer => {
  if (complaint === undefined && byProxy.has(status))
    return {
      kind: "plain",
      status,
      headers: [["content-type", "text/html"]],
      body: `<html>\r\n<head><title>${status} Bad gateway</title></head>\r\n<body><center><h1>${status}</h1></center></body>\r\n</html>\r\n`
    }
  const [type, code, message] = usual[status] ?? [
    status < 500 ? "invalid_request_error" : "server_error",
    null,
    `Status ${status}`
  ]
  const headers = [["x-request-id", openaiRequestId()]] as const
  return complaint === undefined
    ? plainJson(status, headers, errorBody({ message, type, code }))
    : plainJson(status, headers, errorBody(complaint))
}

interface ErrorWords extends Complaint {
  readonly type?: string
}

/** Alike on every path, and in a stream. */
export const errorBody = ({ code, message, param, type = "invalid_request_error" }: ErrorWords) => ({
  error: { message, type, param: param ?? null, code: code ?? null }
})
