/** The chat and Responses providers' headers and their words for every failure. */
import type { HeaderList } from "../../sockets/write-head.ts"
import { type PlainAnswer, plainJson } from "../http/Answer.ts"
import { openaiRequestId } from "../make-id.ts"
import type { Call, Complaint } from "../Protocol.ts"

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
  500: ["server_error", null, "The server had an error while processing your request. Sorry about that!"],
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
  return plainJson(status, [["x-request-id", openaiRequestId()]], {
    error: {
      message: complaint?.message ?? message,
      type: complaint === undefined ? type : "invalid_request_error",
      param: complaint?.param ?? null,
      code: complaint === undefined ? code : (complaint.code ?? null)
    }
  })
}

/** Constant figures: nobody is limited here, and answers stay comparable. */
const limits: HeaderList = [
  ["openai-processing-ms", "1"],
  ["openai-version", "2020-10-01"],
  ["x-ratelimit-limit-requests", "5000"],
  ["x-ratelimit-limit-tokens", "800000"],
  ["x-ratelimit-remaining-requests", "4999"],
  ["x-ratelimit-remaining-tokens", "799993"],
  ["x-ratelimit-reset-requests", "12ms"],
  ["x-ratelimit-reset-tokens", "0s"]
]

export const successHeaders = (): HeaderList => [["x-request-id", openaiRequestId()], ...limits]

export const eventStream: readonly [string, string] = ["content-type", "text/event-stream; charset=utf-8"]

export const authenticate = ({ headers }: Call): Complaint | undefined => {
  const key = /^Bearer (.+)$/i.exec(headers["authorization"] ?? "")?.[1]
  if (key === undefined)
    return {
      message:
        "You didn't provide an API key. You need to provide your API key in an Authorization header using Bearer auth (i.e. Authorization: Bearer YOUR_KEY). You can obtain an API key from https://platform.openai.com/account/api-keys."
    }
  return key.includes("invalid")
    ? {
        message: `Incorrect API key provided: ${key.slice(0, 8)}*****. You can find your API key at https://platform.openai.com/account/api-keys.`,
        code: "invalid_api_key"
      }
    : undefined
}

export const malformedJson: Complaint = {
  message:
    "We could not parse the JSON body of your request. (HINT: This likely means you aren't using your HTTP library correctly. The OpenAI API expects a JSON payload, but what was sent was not valid JSON.)"
}

export const missingModel = (model: string): Complaint => ({
  status: 404,
  message: `The model \`${model}\` does not exist or you do not have access to it.`,
  code: "model_not_found"
})

export const missing = (param: string): Complaint => ({
  message: `Missing required parameter: '${param}'.`,
  param,
  code: "missing_required_parameter"
})

export const unknownParameter = (param: string): Complaint => ({
  message: `Unknown parameter: '${param}'.`,
  param,
  code: "unknown_parameter"
})

export const unsupported = (param: string, instead?: string): Complaint => ({
  message: `Unsupported parameter: '${param}' is not supported with this model.${instead === undefined ? "" : ` Use '${instead}' instead.`}`,
  param,
  code: "unsupported_parameter"
})

export const invalidValue = (param: string, value: unknown, supported: ReadonlyArray<string>): Complaint => ({
  message: `Invalid value: '${String(value)}'. Supported values are: ${listed(supported.map((item) => `'${item}'`))}.`,
  param,
  code: "invalid_value"
})

const listed = (words: ReadonlyArray<string>): string => {
  const [last] = words.slice(-1)
  if (words.length < 2) return last ?? ""
  return `${words.slice(0, -1).join(", ")}${words.length === 2 ? "" : ","} and ${last}`
}

export const tooLong = (param: string, limit: number, length: number): Complaint => ({
  message: `Invalid '${param}': string too long. Expected a string with maximum length ${limit}, but got a string with length ${length} instead.`,
  param,
  code: "string_above_max_length"
})

export const emptyArray = (param: string): Complaint => ({
  message: `Invalid '${param}': empty array. Expected an array with minimum length 1, but got an empty array instead.`,
  param,
  code: "empty_array"
})

export const wrongType = (param: string, expected: string, actual: unknown): Complaint => ({
  message: `Invalid type for '${param}': expected ${expected}, but got ${actual === null ? "null" : Array.isArray(actual) ? "an array" : typeof actual} instead.`,
  param,
  code: "invalid_type"
})
