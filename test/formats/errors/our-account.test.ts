/** What providers tell of our account with them, each in its own words, is never told to a caller as the caller's. */
import { assert, describe, it } from "@effect/vitest"
import { errorIn, mapStreamError, readUpstreamError } from "../../../src/formats/errors/upstream-errors.ts"
import type { JsonObject } from "../../../src/formats/json/json.ts"

const read = (status: number, body: unknown) => readUpstreamError(status, Buffer.from(JSON.stringify(body)))

const unavailable = "The model's provider could not answer the request."

const anthropic = (message: string, type = "invalid_request_error") => ({
  type: "error",
  error: { type, message }
})

const google = (message: string) => [{ error: { code: 400, message, status: "FAILED_PRECONDITION" } }]

describe("our account, refused as a bad request", () => {
  it.each<readonly [string, object]>([
    [
      "Anthropic's limit of spending",
      anthropic(
        "You have reached your specified API usage limits. You will regain access on 2026-04-01 at 00:00 UTC."
      )
    ],
    ["that of a workspace", anthropic("You have reached your specified workspace API usage limits.")],
    ["Google's region", google("User location is not supported for the API use.")],
    ["Google's free tier", google("The free tier is not here. Please enable billing on your project.")],
    ["Google's unpaid use of Imagen", google("Imagen API is only accessible to billed users at this time.")],
    ["Google's head", google("Missing or invalid Authorization header.")],
    [
      "OpenAI's unverified organization",
      {
        error: {
          message: "Your organization must be verified to stream this model.",
          type: "invalid_request_error",
          param: "stream",
          code: "unsupported_value"
        }
      }
    ],
    ["AWS's quota", { message: "Your request exceeds the service quota for your account." }],
    ["AWS's account", { message: "Access to Bedrock models is not allowed for this account." }],
    ["MiniMax's plan", anthropic("your current token plan not support model, m (2061)")]
  ])("is the provider's failure: %s", (_, body) => {
    assert.deepStrictEqual(read(400, body), { status: 502, type: "api_error", message: unavailable })
    const event = (Array.isArray(body) ? body[0] : body) as JsonObject
    assert.strictEqual(mapStreamError(errorIn(event) ?? event).message, unavailable)
  })
})

describe("what our account has used up", () => {
  it.each<readonly [string, object]>([
    [
      "Z.ai's balance, as its Chinese host says it",
      { error: { code: "1113", message: "余额不足或无可用资源包" } }
    ],
    ["Z.ai's plan that ended", anthropic("您的GLM Coding Plan套餐已到期", "rate_limit_error")],
    ["Z.ai's plan for a time", { error: { code: "1308", message: "已达到 5 小时的使用上限。" } }],
    ["Z.ai's plan without the model", { error: { code: "1311", message: "No access to m" } }],
    ["Z.ai's fair use", { error: { code: "1313", message: "Your account does not comply" } }],
    [
      "MiniMax's plan",
      anthropic("usage limit exceeded, 5-hour usage limit reached for Token Plan (2056)", "rate_limit_error")
    ],
    [
      "Ark's limit of a model",
      {
        error: {
          code: "SetLimitExceeded",
          message: "Your account [2101234567] has reached the set inference limit for the [m] model.",
          type: "TooManyRequests"
        }
      }
    ],
    [
      "OpenRouter's pool",
      {
        error: {
          message: "Provider returned error",
          code: 429,
          metadata: { raw: "m is temporarily rate-limited upstream. Please retry, or add your own key." }
        }
      }
    ],
    ["Anthropic's month", anthropic("This would exceed your monthly usage limit", "rate_limit_error")]
  ])("is no word of the caller's: %s", (_, body) => {
    assert.deepStrictEqual(read(429, body), {
      status: 429,
      type: "rate_limit_error",
      message: "The model's provider has no capacity left for this model."
    })
    const { message } = mapStreamError(errorIn(body as JsonObject))
    assert.match(message, /^The model's provider /)
  })

  it("is not told within MiniMax's answers either", () => {
    for (const status_code of [2056, 2061]) {
      const told = { base_resp: { status_code, status_msg: "usage limit of your token plan" } }
      assert.match(mapStreamError(errorIn(told)).message, /^The model's provider /)
    }
  })

  it.each([
    { code: "usage_limit_reached", message: "The usage limit has been reached" },
    { type: "server_error", message: "Your subscription plan has ended, please recharge." }
  ])("is not told within a stream, whatever kind of error it is: $message", (error) => {
    assert.deepStrictEqual(mapStreamError(error), { type: "api_error", message: unavailable })
  })

  it("is not what calls a minute are limited to", () => {
    const message = "Rate limit reached for m on tokens per min (TPM): Limit 10000, Used 9000."
    assert.strictEqual(read(429, { error: { message } }).message, message)
  })
})

describe("what xAI and OpenRouter forbid to be asked", () => {
  const error = "Content violates usage guidelines. Failed check: SAFETY_CHECK_TYPE_BIO"
  const flagged = 'm requires moderation on DeepInfra. Your input was flagged for "violence".'

  it("is the caller's to mend, and nothing to be asked again as it is", () => {
    const body = { code: "The caller does not have permission", error }
    const told = { type: "invalid_request_error" as const, message: error }
    assert.deepInclude(read(403, body), { status: 400, ...told })
    assert.deepInclude(mapStreamError(errorIn(body)), told)
  })

  it("is so where the input was flagged, and not where a key has come to its limit", () => {
    const body = { error: { code: 403, message: flagged, metadata: { reasons: ["violence"] } } }
    const told = { type: "invalid_request_error" as const, message: flagged }
    assert.deepInclude(read(403, body), { status: 400, ...told })
    assert.deepInclude(mapStreamError(errorIn(body)), told)
    const limit = { error: { code: 403, message: "Key limit exceeded (total limit)." } }
    assert.deepStrictEqual(read(403, limit), { status: 502, type: "api_error", message: unavailable })
  })
})
