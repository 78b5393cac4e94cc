/** The official Anthropic client, unchanged, against a running gateway. */
import Anthropic, {
  APIError,
  AuthenticationError,
  BadRequestError,
  InternalServerError,
  NotFoundError,
  RateLimitError
} from "@anthropic-ai/sdk"
import { assert } from "@effect/vitest"
import { describe, it } from "vitest"
import { useGateway } from "../clients/use-gateway.ts"
import { pixel } from "../gateway/endpoints.ts"
import { catalogue } from "../catalogue.ts"
import { expectFailures, failureOf } from "./failure-of.ts"

const gateway = useGateway()

const clientOf = (apiKey = gateway.key, baseURL = gateway.url) =>
  new Anthropic({ apiKey, baseURL, maxRetries: 0 })

const hello = {
  model: "claude-sonnet-5",
  max_tokens: 64,
  messages: [{ role: "user" as const, content: "Hello" }]
}
const weather = {
  name: "get_weather",
  input_schema: { type: "object" as const, properties: { city: { type: "string" } }, required: ["city"] }
}

const failure = (call: Promise<unknown>) => failureOf<APIError>(APIError, call)

describe("the anthropic client", () => {
  it("gets a plain answer whose id and cost can be read", async () => {
    const { data, request_id: id, response } = await clientOf().messages.create(hello).withResponse()
    assert.strictEqual(data.content[0]!.type, "text")
    assert.strictEqual((data as { _request_id?: string })._request_id, id)
    const row = (await gateway.newCalls(1)).find((call) => call.id === id)!
    assert.strictEqual(row.input_tokens, data.usage.input_tokens)
    assert.strictEqual(row.output_tokens, data.usage.output_tokens)
    assert.strictEqual(Number(response.headers.get("x-svc-cost-vnd")), Number(row.cost_micro_vnd) / 1e6)
  })

  it("reads a stream to its end", async () => {
    const stream = clientOf().messages.stream(hello)
    const message = await stream.finalMessage()
    assert.strictEqual(stream.request_id !== null && stream.request_id !== undefined, true)
    assert.strictEqual(message.stop_reason, "end_turn")
    assert.isAbove(message.usage.output_tokens, 0)
    const row = (await gateway.newCalls(1)).find((call) => call.id === stream.request_id)
    assert.strictEqual(row!.output_tokens, message.usage.output_tokens)
  })

  it("calls tools plainly and streamed, and brings their results back", async () => {
    const ask = { ...hello, messages: [{ role: "user" as const, content: "Use a tool" }], tools: [weather] }
    const first = await clientOf().messages.create(ask)
    assert.strictEqual(first.stop_reason, "tool_use")
    const call = first.content.find((block) => block.type === "tool_use")!
    assert.strictEqual(call.name, "get_weather")
    const streamed = await clientOf().messages.stream(ask).finalMessage()
    assert.strictEqual(streamed.content.filter((block) => block.type === "tool_use").length, 1)
    const second = await clientOf().messages.create({
      ...ask,
      messages: [
        ...ask.messages,
        { role: "assistant", content: first.content },
        { role: "user", content: [{ type: "tool_result", tool_use_id: call.id, content: "31 degrees" }] }
      ]
    })
    assert.include(JSON.stringify(second.content), "31 degrees")
  })

  it("sends images and beta flags through", async () => {
    const answer = await clientOf().beta.messages.create({
      ...hello,
      betas: ["context-1m-2025-08-07"],
      messages: [
        {
          role: "user",
          content: [
            { type: "text", text: "What is this?" },
            { type: "image", source: { type: "base64", media_type: "image/png", data: pixel } }
          ]
        }
      ]
    })
    assert.isNotEmpty(answer.content)
    const seen = (await gateway.gateway().seen()).last.at(-1)!
    assert.include(seen.body, pixel)
    assert.strictEqual(seen.headers["anthropic-beta"], "context-1m-2025-08-07")
  })

  it("counts tokens for nothing", async () => {
    const { max_tokens: _, ...ask } = hello
    const poor = await gateway.gateway().account("0")
    assert.isAbove((await clientOf(poor.key).messages.countTokens(ask)).input_tokens, 0)
  })

  it("lists the models page by page, forwards and backwards, and reads one", async () => {
    const all = await clientOf().models.list({ limit: 1000 })
    assert.strictEqual(all.data.length, catalogue.models.length)
    const ids: Array<string> = []
    for await (const model of clientOf().models.list({ limit: 10 })) ids.push(model.id)
    assert.deepStrictEqual(
      ids,
      all.data.map((model) => model.id)
    )
    const backwards: Array<string> = []
    for await (const model of clientOf().models.list({ limit: 40, before_id: ids.at(-1)! })) {
      backwards.push(model.id)
    }
    assert.strictEqual(new Set(backwards).size, 98)
    assert.strictEqual((await clientOf().models.retrieve("svc/claude-opus-5")).id, "svc/claude-opus-5")
    assert.strictEqual((await failure(clientOf().models.retrieve("no-such-model"))).status, 404)
  })

  it("gets its own error class for each status, with type, message and id", async () => {
    const poor = await gateway.gateway().account("0")
    const sim = (settings: string) => ({ messages: [{ role: "user", content: `[sim: ${settings}]` }] })
    const ask = (more: object = {}, key = gateway.key) => clientOf(key).messages.create({ ...hello, ...more })
    await expectFailures(
      {
        bad: [() => ask({ max_tokens: -1 }), BadRequestError],
        wrongKey: [() => ask({}, "sk-wrong"), AuthenticationError],
        poor: [() => ask({}, poor.key), APIError],
        unknownModel: [() => ask({ model: "no/such" }), NotFoundError],
        limited: [() => ask(sim("status=429 retry-after=7")), RateLimitError],
        broken: [() => ask(sim("status=529")), InternalServerError]
      },
      failure
    )
  })

  it("is told by an error event when a stream breaks, not by an end", async () => {
    const broken = { ...hello, messages: [{ role: "user" as const, content: "[sim: fail_after=5]" }] }
    const error = await failure(clientOf().messages.stream(broken).finalMessage())
    assert.strictEqual(error.type, "api_error")
  })

  it("may send its key as a bearer token", async () => {
    const bearer = new Anthropic({
      authToken: gateway.key,
      apiKey: null,
      baseURL: gateway.url,
      maxRetries: 0
    })
    assert.isNotEmpty((await bearer.messages.create(hello)).content)
  })

  it("is told the right base address with 404 when its own has /v1", async () => {
    for (const key of [gateway.key, "sk-wrong"]) {
      const error = await failure(clientOf(key, `${gateway.url}/v1`).messages.create(hello))
      assert.instanceOf(error, NotFoundError)
      assert.include(error.message, gateway.url)
    }
    assert.isNotEmpty((await clientOf(gateway.key, `${gateway.url}/`).messages.create(hello)).content)
  })
})
