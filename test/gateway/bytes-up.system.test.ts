/** A request reaches its provider as the client's own bytes, but for the few values that the contract changes. */
import { assert } from "@effect/vitest"
import { afterAll, beforeAll, describe, it } from "vitest"
import { type Answered, ask, chatCall, messagesCall, replay } from "./ask.ts"
import { startGateway, type TestAccount, type TestGateway } from "./start-gateway.ts"

let gateway: TestGateway
let account: TestAccount
beforeAll(async () => {
  gateway = await startGateway()
  account = await gateway.account()
})
afterAll(() => gateway.stop())

const answers = {
  "/v1/messages":
    '{"id":"msg_1","type":"message","role":"assistant","model":"x","content":[{"type":"text","text":"Hi"}],' +
    '"stop_reason":"end_turn","stop_sequence":null,"usage":{"input_tokens":5,"output_tokens":2}}',
  "/v1/chat/completions":
    '{"id":"c","object":"chat.completion","created":1,"model":"x","choices":[{"index":0,"message":' +
    '{"role":"assistant","content":"Hi"},"finish_reason":"stop"}],"usage":{"prompt_tokens":5,"completion_tokens":2,"total_tokens":7}}',
  "/v1/responses":
    '{"id":"resp_1","object":"response","status":"completed","output":[],"usage":{"input_tokens":5,"output_tokens":2}}'
} as const

/** What the upstream got for these bytes; its answer is a canned one, whatever it was asked. */
const up = async (path: keyof typeof answers, body: string, headers: Record<string, string> = {}) => {
  await replay(gateway, { path, body: answers[path] })
  const answer = await ask(gateway, account.key, path, body, headers)
  assert.strictEqual(answer.status, 200, answer.text)
  return { answer, seen: (await gateway.seen()).last.at(-1)! }
}

const oddities =
  ' "zeta" : [ 1e400, -0.0, 1.10, 12345678901234567890123, 1E+2 ],\n\t"esc":"\\u00e9\\/\\ud83d\\ude00 \\u0000 é 😀",' +
  '"dup":1,"dup":{"b":1,"a":2,"10":3,"9":4},"__proto__":{"x":1},"constructor":null,"":"" , "temperature":1.000'

describe("what a provider receives", () => {
  it("of a Messages call is what its client sent, byte for byte, when the model's name stays", async () => {
    const body = `\n { ${oddities},"messages":[ {"role":"user","content":"Xin chào"} ] ,"max_tokens":64,"model":"claude-sonnet-5" }\r\n`
    const { seen } = await up("/v1/messages", body)
    assert.strictEqual(seen.body, body)
  })

  it("differs in the value of model alone when an alias was used", async () => {
    const body = (model: string) =>
      `{${oddities},"max_tokens":64,"model" :\t${model},"messages":[{"role":"user","content":"model: \\"sonnet\\""}]}`
    for (const name of ['"sonnet"', '"s\\u006fnnet"', '"claude-sonnet-latest"']) {
      const { answer, seen } = await up("/v1/messages", body(name))
      assert.strictEqual(seen.body, body('"claude-sonnet-5"'))
      assert.strictEqual(answer.headers.get("x-svc-model"), "claude-sonnet-5")
    }
  })

  it("of a chat call is what its client sent, byte for byte", async () => {
    const body = `{${oddities},"model":"gpt-5.5","messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":"https://example.com/a.png"}}]}],"max_completion_tokens":64}`
    assert.strictEqual((await up("/v1/chat/completions", body)).seen.body, body)
  })

  it("of a chat call has its cap under the name that the model takes", async () => {
    const body = (name: string) =>
      `{"model":"gpt-5.5",${oddities}, "${name}":64,"messages":[{"role":"user","content":"Hello"}]}`
    assert.strictEqual(
      (await up("/v1/chat/completions", body("max_tokens"))).seen.body,
      body("max_completion_tokens")
    )
    const other = body("max_tokens").replace("gpt-5.5", "deepseek-v4-flash")
    assert.strictEqual((await up("/v1/chat/completions", other)).seen.body, other)
  })

  it("has no cap where a client left it to the model with null, under whatever name", async () => {
    const body = (model: string, name: string) =>
      `{"model":"${model}","${name}":null,"messages":[{"role":"user","content":"Hello"}]}`
    for (const [model, name, other] of [
      ["gpt-5.5", "max_completion_tokens", "max_tokens"],
      ["deepseek-v4-flash", "max_tokens", "max_completion_tokens"]
    ] as const) {
      for (const sent of [name, other]) {
        assert.strictEqual((await up("/v1/chat/completions", body(model, sent))).seen.body, body(model, name))
      }
    }
  })

  it("never has a cap above what the model can give", async () => {
    const body = (cap: number) =>
      `{"max_tokens":${cap},${oddities},${JSON.stringify(messagesCall()).slice(1)}`
    const large = body(5_000_000).replace(',"max_tokens":64', "")
    assert.strictEqual(
      (await up("/v1/messages", large)).seen.body,
      body(128_000).replace(',"max_tokens":64', "")
    )
  })

  it("of a Responses call is what its client sent, with nothing added", async () => {
    const body = `{"input":"Hello",${oddities},"model":"gpt-5.5","max_output_tokens":5000000000,"store":false}`
    assert.strictEqual((await up("/v1/responses", body)).seen.body, body)
  })

  it("of a streamed chat call asks for the usage, beside what the client's own options say", async () => {
    const stream = 'data: {"choices":[{"index":0,"delta":{"content":"Hi"},"finish_reason":"stop"}]}\n\n'
    const usage =
      'data: {"choices":[],"usage":{"prompt_tokens":1,"completion_tokens":1,"total_tokens":2}}\n\n'
    const done = "data: [DONE]\n\n"
    const call = (options: string) =>
      `{"model":"gpt-5.5","stream":true${options},${oddities},"messages":[{"role":"user","content":"Hello"}]}`
    const asked = '"include_usage":true'
    const cases = [
      ["", `,"stream_options":{${asked}}`, false],
      [',"stream_options":{}', `,"stream_options":{${asked}}`, false],
      [',"stream_options":null', `,"stream_options":{${asked}}`, false],
      [
        ',"stream_options":{"include_obfuscation":false}',
        `,"stream_options":{"include_obfuscation":false,${asked}}`,
        false
      ],
      [',"stream_options": { "include_usage" : true }', ',"stream_options": { "include_usage" : true }', true]
    ] as const
    for (const [sent, received, isKept] of cases) {
      await replay(gateway, {
        path: "/chat/completions",
        headers: { "content-type": "text/event-stream" },
        body: stream + usage + done
      })
      const answer = await ask(gateway, account.key, "/v1/chat/completions", call(sent))
      assert.strictEqual((await gateway.seen()).last.at(-1)!.body, call(received))
      assert.strictEqual(answer.text, isKept ? stream + usage + done : stream + done)
    }
  })

  it("of a streamed chat call to Mistral, which gives its usage unasked and refuses the question, lacks it", async () => {
    const body = `{"model":"mistral-large-2512","stream":true,"messages":[{"role":"user","content":"Hello"}]}`
    const asking = body.replace('"stream"', '"stream_options": { "include_usage":true } ,"stream"')
    const stream =
      'data: {"choices":[{"index":0,"delta":{"content":"Hi"},"finish_reason":null}]}\n\n' +
      'data: {"choices":[{"index":0,"delta":{"content":""},"finish_reason":"stop"}],"usage":{"prompt_tokens":4,"completion_tokens":1,"total_tokens":5}}\n\n' +
      "data: [DONE]\n\n"
    for (const sent of [body, asking]) {
      await replay(gateway, {
        path: "/chat/completions",
        headers: { "content-type": "text/event-stream" },
        body: stream
      })
      const answer = await ask(gateway, account.key, "/v1/chat/completions", sent)
      assert.strictEqual(answer.text, stream)
      assert.strictEqual((await gateway.seen()).last.at(-1)!.body, body)
    }
  })
})

describe("the headers that a provider receives", () => {
  const sent = {
    "user-agent": "marker-agent",
    cookie: "marker=1",
    "x-forwarded-for": "10.9.8.7",
    "x-custom": "marker",
    referer: "https://marker.example",
    "openai-organization": "marker",
    "x-stainless-lang": "marker",
    "accept-language": "vi"
  }

  it("are its own: nothing of the client's leaks but what the contract passes on", async () => {
    const body = JSON.stringify(messagesCall())
    const { seen } = await up("/v1/messages", body, { ...sent, "anthropic-beta": "one,two" })
    const allowed = new Set([
      "host",
      "connection",
      "content-length",
      "content-type",
      "accept",
      "accept-encoding",
      "user-agent",
      "x-api-key",
      "anthropic-version",
      "anthropic-beta"
    ])
    assert.deepStrictEqual(
      Object.keys(seen.headers).filter((name) => !allowed.has(name)),
      []
    )
    assert.notInclude(JSON.stringify(seen.headers), "marker")
    assert.notInclude(JSON.stringify(seen.headers), account.key)
    assert.strictEqual(seen.headers["x-api-key"], "simulated")
    assert.strictEqual(seen.headers["anthropic-beta"], "one,two")
    assert.strictEqual(seen.headers["content-type"], "application/json")
    const chat = (await up("/v1/chat/completions", JSON.stringify(chatCall()), sent)).seen
    assert.notInclude(JSON.stringify(chat.headers), "marker")
    assert.notInclude(JSON.stringify(chat.headers), account.key)
    assert.strictEqual(chat.headers["authorization"], "Bearer simulated")
    assert.isUndefined(chat.headers["anthropic-version"])
  })

  it("name the version of the Messages protocol that the client named in either way, else the usual one", async () => {
    const body = JSON.stringify(messagesCall())
    const versions: ReadonlyArray<readonly [Record<string, string>, string]> = [
      [{}, "2023-06-01"],
      [{ "anthropic-version": "2099-01-01" }, "2099-01-01"],
      [{ "msgapi-version": "2023-06-01" }, "2023-06-01"],
      [{ "msgapi-version": "2098-01-01" }, "2098-01-01"]
    ]
    for (const [headers, version] of versions) {
      const { seen } = await up("/v1/messages", body, headers)
      assert.strictEqual(seen.headers["anthropic-version"], version)
      assert.isUndefined(seen.headers["msgapi-version"])
    }
  })

  it("and its address keep the beta flag of the query", async () => {
    await replay(gateway, { path: "/v1/messages", body: answers["/v1/messages"] })
    const answer: Answered = await ask(gateway, account.key, "/v1/messages?beta=true", messagesCall())
    assert.strictEqual(answer.status, 200)
    assert.include((await gateway.seen()).last.at(-1)!.path, "/v1/messages")
  })
})
