/** Speech and token counts through the whole gateway. */
import Anthropic from "@anthropic-ai/sdk"
import { assert, describe, it } from "@effect/vitest"
import OpenAI from "openai"
import { useGateway } from "../clients/use-gateway.ts"
import { post } from "../gateway/open-stream.ts"

const gateway = useGateway()
const model = "req/gpt-4o-mini-tts"
const speak = (more: object) =>
  gateway.post("/v1/audio/speech", { model, input: "Hello", voice: "alloy", ...more })

describe("speech", () => {
  it("is the provider's bytes and type, at the fixed price, told in the headers", async () => {
    for (const format of ["mp3", "wav", "opus"]) {
      const answer = await speak({ response_format: format })
      assert.strictEqual(answer.status, 200)
      assert.match(answer.headers.get("content-type")!, /^audio\//)
      assert.strictEqual(answer.headers.get("x-svc-cost-vnd"), "1350")
      assert.isAbove((await answer.arrayBuffer()).byteLength, 0)
      const [row] = await gateway.newCalls(1)
      assert.strictEqual(row!.cost_micro_vnd, 1_350_000_000n)
    }
    const client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: gateway.key, maxRetries: 0 })
    const audio = await client.audio.speech.create({ model, input: "Hello", voice: "alloy" })
    assert.isAbove((await audio.arrayBuffer()).byteLength, 0)
    await gateway.newCalls(1)
  })

  it.each([
    [{ input: "" }, "input"],
    [{ input: 5 }, "input"],
    [{ voice: undefined }, "voice"]
  ])("with %j is refused by the name of the field", async (more, field) => {
    const answer = await speak(more)
    assert.strictEqual(answer.status, 400)
    const { error } = (await answer.json()) as { readonly error: { readonly param: string } }
    assert.strictEqual(error.param, field)
    await gateway.newCalls(1)
  })

  it("without a single byte is 502 and costs nothing", async () => {
    await gateway.replay({ path: "/v1/audio/speech", body: Buffer.alloc(0), contentType: "audio/mpeg" })
    assert.strictEqual((await speak({})).status, 502)
    const [row] = await gateway.newCalls(1)
    assert.deepStrictEqual([row!.status, row!.cost_micro_vnd], [502, 0n])
  })

  it.each([
    "application/json",
    "application/vnd.error+json",
    "text/html; charset=utf-8",
    "text/plain",
    "text/json",
    "application/x-ndjson"
  ])("of %s is 502 and costs nothing", async (contentType) => {
    await gateway.replay({ path: "/v1/audio/speech", body: Buffer.from("{}"), contentType })
    const answer = await speak({})
    assert.strictEqual(answer.status, 502)
    const { error } = (await answer.json()) as { readonly error: { readonly type: string } }
    assert.strictEqual(error.type, "api_error")
    const [row] = await gateway.newCalls(1)
    assert.deepStrictEqual([row!.status, row!.cost_micro_vnd], [502, 0n])
  })

  it("as events is the provider's bytes, and costs nothing unless it comes to its end", async () => {
    const event = (type: string, more: object = {}) => `data: ${JSON.stringify({ type, ...more })}\n\n`
    const audio = event("speech.audio.delta", { audio: "SGVsbG8=" })
    const whole = audio + audio + event("speech.audio.done", { usage: { input_tokens: 5, output_tokens: 7 } })
    const spoken = async (body: string, chunkSizes: ReadonlyArray<number>) => {
      const contentType = "text/event-stream; charset=utf-8"
      const path = "/v1/audio/speech"
      await gateway.replay({ path, body: Buffer.from(body), contentType, chunkSizes })
      const answer = await speak({ stream_format: "sse" })
      const text = await answer.text().catch(() => undefined)
      const [row] = await gateway.newCalls(1)
      return { status: answer.status, text, row: [row!.status, row!.cost_micro_vnd] }
    }
    for (const sizes of [[1], [7], [1 << 20]])
      assert.deepStrictEqual(await spoken(whole, sizes), {
        status: 200,
        text: whole,
        row: [200, 1_350_000_000n]
      })
    const busy = event("error", { error: { code: 429, message: "busy" } })
    for (const [body, status] of [
      [audio, 502],
      [audio + busy, 429],
      [busy, 429],
      [event("speech.audio.done"), 502]
    ] as const) {
      const { row, text } = await spoken(body, [1 << 20])
      assert.deepStrictEqual(row, [status, 0n])
      assert.notInclude(text ?? "", "speech.audio")
    }
  })

  it("whose client leaves once audio has come costs its price, and is broken off", async () => {
    const { aborted } = await gateway.gateway().seen()
    const say = (input: string) =>
      post(
        `${gateway.url}/v1/audio/speech`,
        gateway.key,
        { model, input, voice: "alloy" },
        { keepsText: false, read: false }
      )
    const client = await say("[sim: big=100000000]")
    assert.strictEqual(client.status, 200)
    client.leave()
    const [row] = await gateway.newCalls(1)
    assert.deepStrictEqual([row!.status, row!.cost_micro_vnd], [499, 1_350_000_000n])
    await gateway.gateway().seen({ aborted: aborted + 1 })
  })

  it("that fails or breaks off costs nothing and never looks whole", async () => {
    for (const [directive, status] of [
      ["status=500", 502],
      ["status=429", 429],
      ["cut_after=2 big=100000", 502]
    ] as const) {
      const whole = await speak({ input: `[sim: ${directive}]` })
        .then(async (answer) => {
          await answer.arrayBuffer()
          return answer.ok
        })
        .catch(() => false)
      assert.isFalse(whole, directive)
      const [row] = await gateway.newCalls(1)
      assert.deepStrictEqual([row!.status, row!.cost_micro_vnd], [status, 0n], directive)
    }
  })
})

describe("token counts", () => {
  const count = (id: string, key: string, more: object = {}) =>
    fetch(`${gateway.url}/v1/messages/count_tokens`, {
      method: "POST",
      headers: { "x-api-key": key },
      body: JSON.stringify({
        model: id,
        messages: [{ role: "user", content: "Xin chào, hôm nay trời thế nào?" }],
        ...more
      })
    })
  const tokensOf = async (answer: Response) =>
    ((await answer.json()) as { readonly input_tokens: number }).input_tokens

  it("are free, logged, and there with an empty wallet, from the provider and from here", async () => {
    const poor = await gateway.gateway().account("0")
    const models = [
      "claude-sonnet-5",
      "svc/claude-sonnet-5",
      "gpt-5.5",
      "svc/nova-pro",
      "req/deepseek-v4-pro"
    ]
    for (const id of models) {
      const answer = await count(id, poor.key)
      assert.strictEqual(answer.status, 200, id)
      assert.strictEqual(answer.headers.get("x-svc-model"), id)
      assert.isAbove(await tokensOf(answer), 5)
    }
    const rows = await gateway.gateway().calls(poor.accountId, models.length)
    assert.deepStrictEqual(
      rows.map((row) => [row.endpoint, row.model, row.status, row.cost_micro_vnd]),
      models.map((id) => ["count_tokens", id, 200, 0n])
    )
  })

  it("are the provider's own where it counts, and equal what the call is charged", async () => {
    const client = new Anthropic({ baseURL: gateway.url, apiKey: gateway.key, maxRetries: 0 })
    const request = {
      model: "claude-sonnet-5",
      messages: [{ role: "user" as const, content: "Hello there" }]
    }
    const { input_tokens: counted } = await client.messages.countTokens(request)
    await client.messages.create({ ...request, max_tokens: 10 })
    const rows = await gateway.newCalls(2)
    assert.strictEqual(rows[1]!.input_tokens, counted)
  })

  const path = "/v1/messages/count_tokens"

  it("are made here when the provider has no such call, however often, and its route is none the worse", async () => {
    for (const status of [501, 404, 405]) {
      const body = Buffer.from('{"type":"error"}')
      await gateway.replay({ path, status, body, contentType: "application/json", times: 6 })
      for (let turn = 0; turn < 6; turn++) {
        const answer = await count("claude-sonnet-5", gateway.key)
        assert.strictEqual(answer.status, 200, String(status))
        assert.isAbove(await tokensOf(answer), 5)
      }
    }
    await gateway.newCalls(18)
    const metrics = await fetch(`${gateway.url}/metrics`).then((answer) => answer.text())
    assert.match(metrics, /^tollgate_route_success_ratio\{route="anthropic#0"\} 1$/m)
  })

  it("that the provider can not make are told as its failures", async () => {
    await gateway.replay({ path, status: 500, body: Buffer.from("{}"), contentType: "application/json" })
    assert.strictEqual((await count("claude-sonnet-5", gateway.key)).status, 502)
    for (const rubbish of ["{}", '{"input_tokens":-1}', '{"input_tokens":1.5}']) {
      await gateway.replay({ path, status: 200, body: Buffer.from(rubbish), contentType: "application/json" })
      assert.strictEqual((await count("claude-sonnet-5", gateway.key)).status, 502)
    }
    await gateway.newCalls(4)
  })

  it("of large bodies are made on codec workers", async () => {
    const text = "Một câu khá dài để đếm. ".repeat(20_000)
    const answer = await count("gpt-5.5", gateway.key, { messages: [{ role: "user", content: text }] })
    assert.strictEqual(answer.status, 200)
    assert.isAbove(await tokensOf(answer), 100_000)
    await gateway.newCalls(1)
  })

  it("of what is no request are 400", async () => {
    for (const body of ["", "{", "[]", "{}", '{"model":"gpt-5.5"}', '{"model":"gpt-5.5","messages":5}']) {
      assert.strictEqual((await gateway.post("/v1/messages/count_tokens", body)).status, 400, body)
    }
    await gateway.newCalls(6)
  })
})
