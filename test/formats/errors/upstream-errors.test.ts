import Anthropic, { APIError as AnthropicError } from "@anthropic-ai/sdk"
import { assert, describe, it } from "@effect/vitest"
import OpenAI, { APIError as OpenAIError } from "openai"
import { mapStreamError, readUpstreamError } from "../../../src/formats/errors/upstream-errors.ts"
import { renderErrorBody, renderStreamError } from "../../wire/tell-error.ts"

const read = (status: number, body: unknown) =>
  readUpstreamError(status, Buffer.from(typeof body === "string" ? body : JSON.stringify(body)))

describe("an upstream's HTTP error", () => {
  it("keeps its status and message where the caller can mend it, in every provider's shape", () => {
    const shapes: ReadonlyArray<unknown> = [
      {
        error: {
          message: "too long",
          type: "invalid_request_error",
          param: "messages",
          code: "context_length_exceeded"
        }
      },
      { type: "error", error: { type: "invalid_request_error", message: "too long" }, request_id: "req_up" },
      [{ error: { code: 400, message: "too long", status: "INVALID_ARGUMENT" } }],
      { message: "too long" },
      { __type: "com.amazon#ValidationException", Message: "too long" },
      { error: "too long" },
      { detail: "too long" },
      { object: "error", message: "too long", type: "BadRequestError" },
      "too long"
    ]
    for (const body of shapes) {
      for (const status of [400, 422]) {
        const error = read(status, body)
        assert.deepInclude(error, { status: 400, type: "invalid_request_error", message: "too long" })
      }
    }
    assert.deepInclude(read(400, shapes[0]), { param: "messages", code: "context_length_exceeded" })
  })

  it("keeps the code by which a client mends its thread, and nothing else of the details", () => {
    const told = (details: object) => ({ type: "error", error: { type: "x", message: "no thread", details } })
    const details = { error_code: "thread_unsupported_request", unsupported: ["cache_control"] }
    assert.deepInclude(read(400, told({ ...details, host: "internal" })), { status: 400, details })
    const forgotten = { error_code: "thread_not_found" }
    assert.deepInclude(read(404, told(forgotten)), {
      status: 400,
      type: "invalid_request_error",
      details: forgotten
    })
    for (const error_code of ["https://internal.host/", "workspace_name"])
      assert.notProperty(read(400, told({ error_code })), "details")
    assert.strictEqual(read(404, told({ error_code: "file_expired" })).status, 502)
  })

  it("keeps the code by which Anthropic's client throws an error of its own, and what that says of the request", async () => {
    const details = {
      error_code: "image_dimensions_too_large",
      max_side_length_pixels: 2_000,
      paths: ["messages.0.content.1", "messages.2.content.0.content.0"]
    }
    const upstream = { type: "invalid_request_error", message: "too large" }
    const told = read(400, { type: "error", error: { ...upstream, details } })
    const body = renderErrorBody("messages", { ...told, requestId: "r" })
    const fetch = async () => new Response(body, { status: 400 })
    const client = new Anthropic({ apiKey: "k", maxRetries: 0, fetch })
    const message = { role: "user", content: "x" } as const
    const error = await client.messages
      .create({ model: "m", max_tokens: 1, messages: [message] })
      .catch((thrown) => thrown)
    assert.instanceOf(error, Anthropic.ImageDimensionsTooLargeError)
    assert.deepStrictEqual(error.details, details)
    for (const odd of [
      { paths: ["a b"] },
      { paths: ["a", "a b"] },
      { paths: "x" },
      { max_side_length_pixels: "https://host/" }
    ])
      assert.notInclude(
        Object.keys(read(400, { error: { ...upstream, details: { ...details, ...odd } } }).details!),
        Object.keys(odd)[0]
      )
  })

  it.each([
    "organization_on_hold",
    "cmek_key_disabled",
    "cmek_key_network_blocked",
    "claude_code_key_creator_not_member"
  ])("is the operator's own business where its code is %s", (error_code) => {
    const error = { type: "invalid_request_error", message: "Contact us.", details: { error_code } }
    assert.deepStrictEqual(read(400, { type: "error", error }), {
      status: 502,
      type: "api_error",
      message: "The model's provider could not answer the request."
    })
  })

  it("does not tell a caller of the limits of what the operator's account may spend", () => {
    const error = { type: "rate_limit_error", message: "You have reached your organization's spend limit." }
    const { message, status } = read(429, { type: "error", error })
    assert.deepStrictEqual(
      [status, message],
      [429, "The model's provider has no capacity left for this model."]
    )
  })

  it("keeps the message about a stored item that the provider has forgotten, and hides that of a missing model", () => {
    const told = (param: string | null, message: string) => ({
      error: { message, type: "invalid_request_error", param, code: null }
    })
    const forgotten = "Item with id 'rs_1' not found."
    assert.deepInclude(read(404, told("input", forgotten)), {
      status: 400,
      type: "invalid_request_error",
      message: forgotten,
      param: "input"
    })
    for (const param of [null, "model"]) {
      const error = read(404, told(param, "The model does not exist."))
      assert.strictEqual(error.status, 502)
      assert.notInclude(error.message, "exist")
    }
  })

  it("C96 is one of four statuses, and says nothing of the upstream where the caller can do nothing", () => {
    for (const status of [401, 402, 403, 404, 405, 408, 409, 410, 418, 500, 502, 503, 504, 529]) {
      const error = read(status, { error: { message: "key sk-live-123456789 of internal.host refused" } })
      assert.deepStrictEqual([error.status, error.type], [502, "api_error"])
      assert.notMatch(error.message, /sk-live|internal/)
    }
    assert.deepInclude(read(429, { message: "Too many tokens" }), {
      status: 429,
      type: "rate_limit_error",
      message: "Too many tokens"
    })
    assert.deepInclude(read(413, "Too big"), { status: 413, type: "request_too_large", message: "Too big" })
  })

  it("does not tell of the operator's own quota or key", () => {
    const quota = {
      error: { message: "You exceeded your current quota, check your billing", code: "insufficient_quota" }
    }
    assert.notMatch(read(429, quota).message, /quota|billing/)
    const unpaid = {
      error: { code: "1113", message: "Insufficient balance or no resource package. Please recharge." }
    }
    assert.notMatch(read(429, unpaid).message, /balance|recharge/)
    const key = [
      { error: { code: 400, message: "API key not valid", details: [{ reason: "API_KEY_INVALID" }] } }
    ]
    assert.strictEqual(read(400, key).status, 502)
    const shown = { code: "invalid argument", error: "Incorrect API key provided: ab***yz." }
    assert.deepInclude(read(400, shown), { status: 502, type: "api_error" })
    assert.notInclude(read(400, shown).message, "yz")
    const closed: ReadonlyArray<object> = [
      { error: { type: "invalid_request_error", message: "Your credit balance is too low to call us." } },
      { error: { type: "invalid_request_error", message: "This organization has been disabled." } },
      { error: { type: "invalid_request_error", code: "billing_hard_limit_reached", message: "Limit hit" } },
      { code: "Arrearage", message: "Access denied, please pay.", request_id: "r" }
    ]
    for (const body of closed) {
      const error = read(400, body)
      assert.deepStrictEqual([error.status, error.type], [502, "api_error"])
      assert.notMatch(error.message, /balance|limit|pay|disabled/i)
      assert.strictEqual(mapStreamError(body).message, error.message)
    }
    assert.notInclude(
      read(429, { error: { code: "1113", message: "Insufficient balance" } }).message,
      "balance"
    )
  })

  it("tells a field and a code only where they look like one", () => {
    const error = (param: unknown, code: unknown) => read(400, { error: { message: "no", param, code } })
    assert.deepInclude(error("messages[0].content[1].text", "context_length_exceeded"), {
      param: "messages[0].content[1].text",
      code: "context_length_exceeded"
    })
    assert.deepInclude(error("tools.0.name", 1210), { param: "tools.0.name", code: "1210" })
    for (const odd of ["Bearer abc def", "a\nb", "x".repeat(200), "https://host/", "{}", "", "ключ"]) {
      const told = error(odd, odd)
      assert.notProperty(told, "param", odd)
      assert.notProperty(told, "code", odd)
    }
  })

  it("is told in the words beside it where it has none of its own", () => {
    const told = read(400, { error: { code: "invalid_value" }, message: "no such size" })
    assert.deepInclude(told, { message: "no such size", code: "invalid_value" })
  })

  it("has a message of its own for pages, empty bodies and dumps", () => {
    for (const body of ["<html><body>nginx</body></html>", "", "{}", `{"error":{}}`, "null", "[]"]) {
      assert.isNotEmpty(read(400, body).message)
      assert.notInclude(read(400, body).message, "nginx")
    }
    assert.isAtMost(read(400, "x".repeat(1_000_000)).message.length, 64 * 1024)
    assert.isString(read(400, `{"error":`.repeat(5_000)).message)
    assert.isString(read(400, `{"detail":${"[".repeat(20_000)}${"]".repeat(20_000)}}`).message)
  })
})

describe("an error as clients see it", () => {
  const shown = { type: "rate_limit_error", message: "slow down", requestId: "req_1" } as const

  it("C96 has one body on all endpoints, with `param` and `code` for those clients that read them", () => {
    assert.deepStrictEqual(JSON.parse(renderErrorBody("messages", shown)), {
      type: "error",
      error: { type: "rate_limit_error", message: "slow down" },
      request_id: "req_1"
    })
    for (const family of ["chat", "responses", "images", "speech"] as const) {
      assert.deepStrictEqual(JSON.parse(renderErrorBody(family, { ...shown, param: "n" })), {
        type: "error",
        error: { type: "rate_limit_error", message: "slow down", param: "n", code: null },
        request_id: "req_1"
      })
    }
    const details = { error_code: "thread_unsupported_request" }
    assert.deepInclude(JSON.parse(renderErrorBody("messages", { ...shown, details })).error, { details })
  })

  it("the official clients raise it from a body", () => {
    const body = (family: "messages" | "chat") => JSON.parse(renderErrorBody(family, shown)) as object
    assert.strictEqual(AnthropicError.generate(429, body("messages"), undefined, new Headers()).status, 429)
    const openai = OpenAIError.generate(429, body("chat"), undefined, new Headers())
    assert.include(openai.message, "slow down")
  })

  it("C98 the OpenAI client raises it from a chat stream and from a Responses stream", async () => {
    const client = (text: string) =>
      new OpenAI({
        apiKey: "k",
        maxRetries: 0,
        fetch: () => Promise.resolve(new Response(text, { headers: { "content-type": "text/event-stream" } }))
      })
    const raised = async (events: AsyncIterable<unknown>) => {
      try {
        for await (const _ of events);
      } catch (error) {
        return error
      }
      return assert.fail("nothing was raised")
    }
    const chat = await client(renderStreamError("chat", shown)).chat.completions.create({
      model: "m",
      messages: [],
      stream: true
    })
    assert.include(String(await raised(chat)), "slow down")
    const text = renderStreamError("responses", shown, 7)
    assert.include(text, `"sequence_number":7`)
    const responses = await client(text).responses.create({ model: "m", input: "q", stream: true })
    assert.include(String(await raised(responses)), "slow down")
  })
})
