/** Responses through the whole gateway: streams, what the provider stores, and what is not offered. */
import Anthropic from "@anthropic-ai/sdk"
import { betaTool } from "@anthropic-ai/sdk/helpers/beta/json-schema"
import { assert, describe, it } from "@effect/vitest"
import OpenAI, { type APIError } from "openai"
import { assertCharged, useGateway } from "./use-gateway.ts"

const gateway = useGateway()
const openai = (key = gateway.key) => new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: key, maxRetries: 0 })
const unexpected = (): never => {
  throw new Error("this call should have failed")
}
const failureOf = (call: Promise<unknown>) => call.then(unexpected, (error: unknown) => error as APIError)
const model = "gpt-5.5"

describe("stored responses", () => {
  it("are continued by the account that made them, plain and streamed, and by no other", async () => {
    const stranger = await gateway.gateway().account()
    const { responses } = openai()
    const plain = await responses.create({ model, input: "Hello" })
    const streamed = await responses.stream({ model, input: "Hello" }).finalResponse()
    for (const { id, usage } of [plain, streamed]) {
      const continued = await responses.create({ model, input: "Again", previous_response_id: id })
      assert.isAbove(continued.usage!.input_tokens, usage!.total_tokens)
      const foreign = await failureOf(
        openai(stranger.key).responses.create({ model, input: "Again", previous_response_id: id })
      )
      const unknown = await failureOf(
        openai(stranger.key).responses.create({ model, input: "Again", previous_response_id: "resp_0" })
      )
      assert.strictEqual(foreign.status, 400)
      assert.strictEqual(foreign.type, "invalid_request_error")
      assert.strictEqual(foreign.code, "previous_response_not_found")
      assert.strictEqual(foreign.message.replace(id, "…"), unknown.message.replace("resp_0", "…"))
    }
    for (const row of await gateway.newCalls(4)) assertCharged(row, model)
    const rows = await gateway.gateway().calls(stranger.accountId, 4)
    assert.deepStrictEqual(
      rows.map((row) => [row.status, row.cost_micro_vnd]),
      Array.from({ length: 4 }, () => [400, 0n])
    )
  })

  it("that were not to be kept, and conversations nobody made here, are unknown", async () => {
    const { responses } = openai()
    const forgotten = await responses.create({ model, input: "Hello", store: false })
    const asked = [
      { previous_response_id: forgotten.id },
      { conversation: "conv_1" },
      { conversation: { id: "conv_1" } }
    ]
    for (const more of asked) {
      const refused = await failureOf(responses.create({ model, input: "Again", ...more }))
      assert.strictEqual(refused.status, 400)
      assert.include(refused.message, "not found")
    }
    await gateway.newCalls(4)
  })

  it("can not be smuggled in by naming two", async () => {
    const { id } = await openai().responses.create({ model, input: "Hello" })
    const body = `{"model":"${model}","input":"Again","previous_response_id":"resp_foreign","previous_response_id":"${id}"}`
    assert.strictEqual((await gateway.post("/v1/responses", body)).status, 400)
    const inner = `{"model":"${model}","input":"Again","conversation":{"id":"conv_foreign","id":"${id}"}}`
    assert.strictEqual((await gateway.post("/v1/responses", inner)).status, 400)
    await gateway.newCalls(3)
  })

  it("are part of what a continuation must be able to pay", async () => {
    const poor = await gateway.gateway().account("100")
    const { responses } = openai(poor.key)
    // 32,000 tokens at 2,400 VND a million are 77 VND.
    const long = await responses.create({ model, input: "[sim: tokens=32000]" })
    assert.strictEqual(long.usage!.output_tokens, 32_000)
    const fresh = await responses.create({ model, input: "Hello", max_output_tokens: 16 })
    assert.strictEqual(fresh.status, "incomplete")
    const refused = await failureOf(
      responses.create({ model, input: "Hello", max_output_tokens: 16, previous_response_id: long.id })
    )
    assert.strictEqual(refused.status, 402)
  })
})

describe("threads of the Messages endpoint", () => {
  const ask = (more: object, key = gateway.key) =>
    fetch(`${gateway.url}/v1/messages`, {
      method: "POST",
      headers: { "x-api-key": key },
      body: JSON.stringify({
        model: "claude-sonnet-5",
        max_tokens: 50,
        messages: [{ role: "user", content: "Hello" }],
        ...more
      })
    })

  it("are continued by the account that began them, and by no other", async () => {
    const stranger = await gateway.gateway().account()
    const begun = await ask({ thread: { type: "create" } })
    const plain = ((await begun.json()) as { readonly id: string }).id
    const events = await (await ask({ thread: { type: "create" }, stream: true })).text()
    const streamed = /"id":"(msg_[^"]+)"/.exec(events)![1]!
    for (const id of [plain, streamed]) {
      const thread = { type: "continue", previous_message_id: id }
      assert.strictEqual((await ask({ thread })).status, 200)
      const foreign = await ask({ thread }, stranger.key)
      assert.strictEqual(foreign.status, 400)
      const { error } = (await foreign.json()) as { readonly error: { readonly details: unknown } }
      assert.deepStrictEqual(error.details, { error_code: "thread_not_found" })
    }
    const unthreaded = ((await (await ask({})).json()) as { readonly id: string }).id
    const refused = await ask({ thread: { type: "continue", previous_message_id: unthreaded } })
    assert.strictEqual(refused.status, 400)
    await gateway.newCalls(6)
  })

  it("are begun anew by the official client when the provider has forgotten them", async () => {
    const client = new Anthropic({ baseURL: gateway.url, apiKey: gateway.key, maxRetries: 0 })
    const thread = client.beta.messages.thread({ model: "claude-sonnet-5", max_tokens: 100 })
    await thread.send({ role: "user", content: "Hello" })
    const forgotten = {
      type: "not_found_error",
      message: "gone",
      details: { error_code: "thread_not_found" }
    }
    await gateway.replay({
      path: "/v1/messages",
      status: 404,
      body: Buffer.from(JSON.stringify({ type: "error", error: forgotten })),
      contentType: "application/json"
    })
    const answer = await thread.send({ role: "user", content: "Are you there?" })
    assert.strictEqual(answer.stop_reason, "end_turn")
    assert.strictEqual(thread.messages.length, 4)
    const [first, lost, anew] = await gateway.newCalls(3)
    assert.deepStrictEqual([first!.status, lost!.status, anew!.status], [200, 400, 200])
    assert.isAbove(anew!.input_tokens, first!.input_tokens)
  })

  it("hold the history for the official tool runner, plain and streamed", async () => {
    const client = new Anthropic({ baseURL: gateway.url, apiKey: gateway.key, maxRetries: 0 })
    for (const model of ["claude-sonnet-5", "gpt-5.5", "svc/claude-sonnet-5"]) {
      for (const stream of [false, true]) {
        const answer = await client.beta.messages
          .toolRunner({
            model,
            stream,
            max_tokens: 200,
            messages: [{ role: "user", content: "Use the tool" }],
            tools: [
              betaTool({
                name: "get_weather",
                description: "The weather in a city",
                inputSchema: {
                  type: "object",
                  properties: { city: { type: "string" } },
                  required: ["city"]
                } as const,
                run: () => "31 degrees"
              })
            ]
          })
          .runUntilDone()
        assert.include(JSON.stringify(answer.content), "31 degrees", model)
      }
    }
  })

  it("make the official client send everything where they can not be had", async () => {
    const client = new Anthropic({ baseURL: gateway.url, apiKey: gateway.key, maxRetries: 0 })
    for (const id of ["gpt-5.5", "svc/claude-sonnet-5", "svc/nova-pro", "claude-sonnet-5"]) {
      const thread = client.beta.messages.thread({
        model: id,
        max_tokens: 100,
        unsupportedRequestBehavior: "continue_unthreaded"
      })
      const first = await thread.send({ role: "user", content: "Hello" })
      const second = await thread.send({ role: "user", content: "How are you?" })
      assert.strictEqual(first.stop_reason, "end_turn", id)
      assert.strictEqual(second.stop_reason, "end_turn", id)
    }
  })
})

describe("the Responses endpoint", () => {
  it("answers for models that do not speak it, whole and streamed", async () => {
    for (const id of ["claude-sonnet-5", "svc/claude-sonnet-5", "svc/nova-pro", "deepseek-v4-pro"]) {
      const whole = await openai().responses.create({ model: id, input: "Hello" })
      assert.deepStrictEqual([whole.status, whole.model], ["completed", id])
      assert.isNotEmpty(whole.output_text)
      const stream = openai().responses.stream({ model: id, input: "Hello" })
      const streamed = await stream.finalResponse()
      assert.deepStrictEqual([streamed.status, streamed.model], ["completed", id])
      assert.isNotEmpty(streamed.output_text)
      const stored = { model: id, input: "Hello", previous_response_id: whole.id }
      const refused = await failureOf(openai().responses.create(stored))
      assert.deepStrictEqual([refused.status, refused.param], [400, "previous_response_id"])
    }
  })

  it("refuses work that would go on behind its answer, and takes a request that says it does not", async () => {
    const caller = await gateway.gateway().account()
    const { responses } = openai(caller.key)
    for (const stream of [false, true]) {
      const refused = await failureOf(responses.create({ model, input: "Hello", background: true, stream }))
      assert.deepStrictEqual([refused.status, refused.type], [400, "invalid_request_error"])
      assert.strictEqual(refused.param, "background")
      assert.include(refused.message, "background")
    }
    const twice = await fetch(`${gateway.url}/v1/responses`, {
      method: "POST",
      headers: { authorization: `Bearer ${caller.key}` },
      body: `{"model":"${model}","input":"Hello","background":true,"background":false}`
    })
    assert.strictEqual(twice.status, 400)
    for (const background of [false, null])
      assert.strictEqual((await responses.create({ model, input: "Hello", background })).status, "completed")
    const rows = await gateway.gateway().calls(caller.accountId, 5)
    assert.deepStrictEqual(
      rows.filter((row) => row.cost_micro_vnd === 0n).map((row) => row.status),
      [400, 400, 400]
    )
  })

  it("lets a request refer to items of its account's earlier answers, and says which one is not there", async () => {
    const { responses } = openai()
    const question = { role: "user", content: "Go on" } as const
    const refer = (id: string, by = responses) =>
      by.create({ model, input: [{ type: "item_reference", id }, question] })
    const whole = await responses.create({ model, input: "Hello" })
    const streamed = await responses.stream({ model, input: "Hello" }).finalResponse()
    const alone = await responses.create({ model, input: [question] })
    const stranger = openai((await gateway.gateway().account()).key).responses
    for (const { output } of [whole, streamed]) {
      const id = output[0]!.id!
      const { usage } = await refer(id)
      assert.isAbove(usage!.input_tokens, alone.usage!.input_tokens)
      for (const [unknown, by] of [[id, stranger] as const, [`${id}0`, responses] as const]) {
        const { message, param, status, type } = await failureOf(refer(unknown, by))
        assert.deepStrictEqual([status, type, param], [400, "invalid_request_error", "input"])
        assert.match(message, /Item with id 'msg_[0-9a-f]+' not found\./)
      }
    }
  })

  it("keeps the tools of Codex in the input, and the header that says that they stand there", async () => {
    const run = { type: "function", name: "run" }
    const tools = [{ type: "namespace", name: "shell", description: "Commands", tools: [run] }]
    const call = {
      model,
      input: [
        { type: "additional_tools", role: "developer", tools },
        { type: "message", role: "user", content: "Hello" }
      ]
    }
    const header = "x-openai-internal-codex-responses-lite"
    const answer = await gateway.post("/v1/responses", call, { [header]: "true" })
    assert.strictEqual(answer.status, 200, await answer.text())
    const { body, headers } = (await gateway.gateway().seen()).last.at(-1)!
    assert.strictEqual(body, JSON.stringify(call))
    assert.strictEqual(headers[header], "true")
  })

  it("does not offer what is stored, and says so", async () => {
    const { id } = await openai().responses.create({ model, input: "Hello" })
    const paths = [
      ["GET", `/v1/responses/${id}`],
      ["DELETE", `/v1/responses/${id}`],
      ["POST", `/v1/responses/${id}/cancel`],
      ["GET", `/v1/responses/${id}/input_items`],
      ["POST", "/v1/responses/compact"],
      ["POST", "/v1/responses/input_tokens"],
      ["POST", "/v1/conversations"]
    ] as const
    for (const [method, path] of paths) {
      const answer = await fetch(gateway.url + path, {
        method,
        headers: { authorization: `Bearer ${gateway.key}` }
      })
      assert.strictEqual(answer.status, 404, path)
      const { error } = (await answer.json()) as {
        readonly error: { readonly type: string; readonly message: string }
      }
      assert.strictEqual(error.type, "not_found_error")
      assert.include(error.message, path.slice(0, 14))
    }
  })
})
