/** Agents sum up their conversation on the words of their own protocol, whichever provider found it too long. */
import { assert, describe, it } from "@effect/vitest"
import { readUpstreamError } from "../../src/formats/errors/upstream-errors.ts"
import { type EndpointFamily, renderErrorBody, renderStreamError } from "../wire/tell-error.ts"

const told: ReadonlyArray<readonly [provider: string, body: object]> = [
  [
    "OpenAI",
    {
      error: {
        message: "Your input exceeds the limit of this model.",
        type: "invalid_request_error",
        param: "messages",
        code: "context_length_exceeded"
      }
    }
  ],
  ["DeepSeek", { error: { message: "This model's maximum context length is 131072 tokens. However, …" } }],
  [
    "xAI",
    { code: "x", error: "This model's maximum prompt length is 131072 but the request contains 537812." }
  ],
  [
    "Google",
    [{ error: { message: "The input token count (1048580) exceeds the maximum number of tokens." } }]
  ],
  ["Kimi", { error: { message: "Invalid request: Your request exceeded model token limit: 262144" } }],
  ["Z.ai", { error: { code: "1261", message: "Prompt exceeds max length" } }],
  ["Qwen", { error: { message: "Range of input length should be [1, 258048]" } }],
  [
    "Mistral",
    { message: "Prompt contains 40000 tokens, too large for model with 32768 maximum context length" }
  ],
  ["MiniMax", { error: { message: "invalid params, context window exceeds limit (2013)" } }],
  ["Bedrock", { __type: "ValidationException", message: "Input is too long for requested model." }],
  [
    "Bedrock's Titan",
    { message: "Too many input tokens. Max input tokens: 8192, request input token count: 9000" }
  ],
  [
    "OpenRouter",
    {
      error: {
        message: "Provider returned error",
        code: 400,
        metadata: { raw: '{"error":{"message":"This model\'s maximum context length is 131072 tokens."}}' }
      }
    }
  ],
  ["Groq", { error: { message: "Please reduce the length of the messages or completion." } }],
  [
    "vLLM",
    { message: "The decoder prompt (length 40000) is longer than the maximum model length of 32768." }
  ],
  [
    "SGLang",
    { message: "The input (40000 tokens) is longer than the model's context length (32768 tokens)." }
  ],
  ["llama.cpp", { error: { message: "the request exceeds the available context size, try increasing it" } }]
]

const answered = (family: EndpointFamily, body: object) => {
  const shown = { ...readUpstreamError(400, Buffer.from(JSON.stringify(body))), requestId: "req_1" }
  const { error } = JSON.parse(renderErrorBody(family, shown)) as {
    error: { type: string; message: string; code?: string | null }
  }
  return error
}

describe("a prompt that is too long", () => {
  it.each(told)("for %s is told to Messages clients in Anthropic's words, and the provider's", (_, body) => {
    const { message, type } = answered("messages", body)
    assert.strictEqual(type, "invalid_request_error")
    assert.strictEqual(message, `prompt is too long: ${answered("chat", body).message}`)
  })

  it("for Claude is told to Messages clients as Anthropic says it, and to OpenAI's clients by their code", () => {
    const message = "prompt is too long: 210118 tokens > 200000 maximum"
    const body = { type: "error", error: { type: "invalid_request_error", message } }
    assert.strictEqual(answered("messages", body).message, message)
    assert.deepInclude(answered("chat", body), { message, code: "context_length_exceeded" })
  })

  it("that would fit under a lower cap is told to Messages clients as Anthropic says it", () => {
    const message = "input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000, decrease …"
    const body = { type: "error", error: { type: "invalid_request_error", message } }
    assert.strictEqual(answered("messages", body).message, message)
    assert.strictEqual(answered("chat", body).code, "context_length_exceeded")
  })

  it("keeps a provider's own code", () => {
    const code = "string_above_max_length"
    const error = { message: "This model's maximum context length is 8192 tokens.", code }
    assert.strictEqual(answered("chat", { error }).code, code)
  })

  it("does not keep a status for its code", () => {
    const error = { message: "This endpoint's maximum context length is 131072 tokens.", code: 400 }
    assert.strictEqual(answered("chat", { error }).code, "context_length_exceeded")
  })

  it("is told so within a stream as well", () => {
    const shown = { type: "invalid_request_error", message: "Input is too long.", requestId: "r" } as const
    assert.include(renderStreamError("messages", shown), '"message":"prompt is too long: Input is too long."')
    assert.include(renderStreamError("chat", shown), '"code":"context_length_exceeded"')
  })

  it.each([
    { type: "invalid_request_error", message: "max_tokens is too large" },
    { type: "invalid_request_error", message: "betas: the context window of 1M is not for this account" },
    { type: "rate_limit_error", message: "Too many tokens for the context window" },
    { type: "api_error", message: "prompt exceeds max length" }
  ] as const)("is not taken from other errors: $message", (error) => {
    const shown = { ...error, requestId: "r" }
    assert.include(renderErrorBody("messages", shown), `"message":"${error.message}"`)
    assert.include(renderErrorBody("chat", shown), '"code":null')
  })
})
