/** The official OpenAI client, unchanged, against a running gateway. */
import { assert } from "@effect/vitest"
import OpenAI, {
  APIError,
  AuthenticationError,
  BadRequestError,
  InternalServerError,
  NotFoundError,
  RateLimitError
} from "openai"
import { describe, it } from "vitest"
import { useGateway } from "../clients/use-gateway.ts"
import { resetSimulator, setDefaults } from "../gateway/ask.ts"
import { pixel } from "../gateway/endpoints.ts"
import { catalogue } from "../catalogue.ts"
import { expectFailures, failureOf } from "./failure-of.ts"

const gateway = useGateway()

const clientOf = (
  apiKey = gateway.key,
  baseURL = `${gateway.url}/v1`,
  headers: Record<string, string> = {}
) => new OpenAI({ apiKey, baseURL, maxRetries: 0, defaultHeaders: headers })

const hello = { model: "gpt-5.5", messages: [{ role: "user" as const, content: "Hello" }] }
const weather = {
  type: "function" as const,
  function: {
    name: "get_weather",
    parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] }
  }
}

const failure = (call: Promise<unknown>) => failureOf<APIError>(APIError, call)

describe("the openai client", () => {
  it("gets a plain answer whose id and cost can be read", async () => {
    const { data, request_id: id, response } = await clientOf().chat.completions.create(hello).withResponse()
    assert.isNotEmpty(data.choices[0]!.message.content)
    assert.strictEqual((data as { _request_id?: string })._request_id, id)
    const row = (await gateway.newCalls(1)).find((call) => call.id === id)!
    assert.strictEqual(row.input_tokens, data.usage!.prompt_tokens)
    assert.strictEqual(row.output_tokens, data.usage!.completion_tokens)
    assert.strictEqual(response.headers.get("x-svc-input-tokens"), String(row.input_tokens))
    assert.strictEqual(response.headers.get("x-svc-output-tokens"), String(row.output_tokens))
    assert.strictEqual(Number(response.headers.get("x-svc-cost-vnd")), Number(row.cost_micro_vnd) / 1e6)
  })

  it("reads a stream to its end, and sees usage only when it asks for it", async () => {
    for (const asks of [false, true]) {
      const stream = await clientOf().chat.completions.create({
        ...hello,
        stream: true,
        ...(asks && { stream_options: { include_usage: true } })
      })
      let text = ""
      let finish: string | null = null
      let usages = 0
      for await (const chunk of stream) {
        text += chunk.choices[0]?.delta.content ?? ""
        finish = chunk.choices[0]?.finish_reason ?? finish
        if (chunk.usage) usages++
      }
      assert.isNotEmpty(text)
      assert.strictEqual(finish, "stop")
      assert.strictEqual(usages, asks ? 1 : 0)
    }
  })

  it("calls tools plainly and streamed, and brings their results back", async () => {
    const ask = { ...hello, messages: [{ role: "user" as const, content: "Use a tool" }], tools: [weather] }
    const first = await clientOf().chat.completions.create(ask)
    const { message } = first.choices[0]!
    const [call] = message.tool_calls!
    assert.isTrue(call !== undefined && call.type === "function" && call.function.name === "get_weather")
    const runner = clientOf().chat.completions.stream(ask)
    const streamed = (await runner.finalChatCompletion()).choices[0]!.message.tool_calls![0]!
    assert.isTrue(streamed.type === "function" && JSON.parse(streamed.function.arguments) !== null)
    const second = await clientOf().chat.completions.create({
      ...ask,
      messages: [...ask.messages, message, { role: "tool", tool_call_id: call!.id, content: "31 degrees" }]
    })
    assert.include(second.choices[0]!.message.content!, "31 degrees")
  })

  it("sends images through", async () => {
    const { data, request_id: id } = await clientOf()
      .chat.completions.create({
        ...hello,
        messages: [
          {
            role: "user",
            content: [
              { type: "text", text: "What is this?" },
              { type: "image_url", image_url: { url: `data:image/png;base64,${pixel}` } }
            ]
          }
        ]
      })
      .withResponse()
    assert.isNotEmpty(data.choices[0]!.message.content)
    assert.isNotEmpty(id)
    assert.include((await gateway.gateway().seen()).last.at(-1)!.body, pixel)
  })

  it("uses the Responses endpoint plainly and streamed", async () => {
    const plain = await clientOf().responses.create({ model: "gpt-5.5", input: "Hello" })
    assert.isNotEmpty(plain.output_text)
    assert.isNotEmpty(plain._request_id)
    const stream = await clientOf().responses.create({ model: "gpt-5.5", input: "Hello", stream: true })
    const types: Array<string> = []
    for await (const event of stream) types.push(event.type)
    assert.strictEqual(types[0], "response.created")
    assert.strictEqual(types.at(-1), "response.completed")
    const next = await clientOf().responses.create({
      model: "gpt-5.5",
      input: "And now?",
      previous_response_id: plain.id
    })
    assert.isNotEmpty(next.output_text)
  })

  it("lists all models and reads one, with the slash plain or encoded", async () => {
    const { data } = await clientOf().models.list()
    assert.strictEqual(data.length, catalogue.models.length)
    const ids: Array<string> = []
    for await (const model of clientOf().models.list()) ids.push(model.id)
    assert.strictEqual(new Set(ids).size, catalogue.models.length)
    assert.strictEqual((await clientOf().models.retrieve("req/gpt-5.5")).id, "req/gpt-5.5")
    assert.strictEqual((await failure(clientOf().models.retrieve("no-such-model"))).status, 404)
  })

  it("gets its own error class for each status, with type, message, id and no wish to retry in vain", async () => {
    const poor = await gateway.gateway().account("0")
    const sim = (settings: string) => ({ messages: [{ role: "user", content: `[sim: ${settings}]` }] })
    const ask = (more: object = {}, key = gateway.key) =>
      clientOf(key).chat.completions.create({ ...hello, ...more })
    await expectFailures(
      {
        bad: [() => ask({ messages: [] }), BadRequestError],
        wrongKey: [() => ask({}, "sk-wrong"), AuthenticationError],
        poor: [() => ask({}, poor.key), APIError],
        unknownModel: [() => ask({ model: "no/such" }), NotFoundError],
        limited: [() => ask(sim("status=429 retry-after=7")), RateLimitError],
        broken: [() => ask(sim("status=500")), InternalServerError]
      },
      failure
    )
  })

  it("is told by an error event when a stream breaks, not by an end", async () => {
    const stream = await clientOf().chat.completions.create({
      ...hello,
      stream: true,
      messages: [{ role: "user", content: "[sim: fail_after=5]" }]
    })
    const error = await failure(
      (async () => {
        for await (const _ of stream) continue
      })()
    )
    assert.strictEqual((error.error as { type: string }).type, "api_error")
  })

  it("retries by itself after a 429, and the retry is answered", async () => {
    await setDefaults(gateway.gateway(), "status=429 retry-after=1")
    const patient = new OpenAI({ apiKey: gateway.key, baseURL: `${gateway.url}/v1`, maxRetries: 2 })
    const call = patient.chat.completions.create(hello)
    const { last } = await gateway.gateway().seen({ started: (await gateway.gateway().seen()).started + 1 })
    assert.isNotEmpty(last)
    await resetSimulator(gateway.gateway())
    assert.isNotEmpty((await call).choices[0]!.message.content)
  })

  it("may give its key in either header, or in both when one of them is another's", async () => {
    const headers = { authorization: "Bearer something-else", "x-api-key": gateway.key }
    const answer = await clientOf("unused", undefined, headers).chat.completions.create(hello)
    assert.isNotEmpty(answer.choices)
    const reversed = await clientOf(gateway.key, undefined, {
      "x-api-key": "something-else"
    }).chat.completions.create(hello)
    assert.isNotEmpty(reversed.choices)
  })

  it("is told the right base address with 404 when its own lacks /v1 or doubles it", async () => {
    for (const base of [gateway.url, `${gateway.url}/v1/v1`]) {
      for (const key of [gateway.key, "sk-wrong"]) {
        const error = await failure(clientOf(key, base).chat.completions.create(hello))
        assert.instanceOf(error, NotFoundError)
        assert.include(error.message, `${gateway.url}/v1`)
      }
    }
    const answer = await clientOf(gateway.key, `${gateway.url}/v1/`).chat.completions.create(hello)
    assert.isNotEmpty(answer.choices)
  })
})
