/** The headers of every kind of answer, and that the call log says the same. */
import { assert } from "@effect/vitest"
import { afterAll, beforeAll, describe, it } from "vitest"
import { ask, chatCall, messagesCall, readAnswer, responsesCall } from "./ask.ts"
import { TestPerson } from "../dashboard/TestPerson.ts"
import { startGateway, type TestAccount, type TestGateway } from "./start-gateway.ts"

let gateway: TestGateway
let account: TestAccount
beforeAll(async () => {
  gateway = await startGateway({ env: { DASHBOARD: "on" } })
  account = await gateway.account()
})
afterAll(() => gateway.stop())

const rowOf = async (id: string) => {
  for (;;) {
    const row = (await gateway.calls(account.accountId, 1)).find((call) => call.id === id)
    if (row !== undefined) return row
  }
}

const costNames = [
  "x-svc-input-tokens",
  "x-svc-output-tokens",
  "x-svc-cost-vnd",
  "x-svc-price-vnd-per-mtok",
  "x-svc-price-vnd-per-request"
]

describe("a plain answer", () => {
  const calls = [
    ["/v1/messages", messagesCall(), "6500"],
    ["/v1/chat/completions", chatCall(), "2400"],
    ["/v1/responses", responsesCall(), "2400"]
  ] as const
  for (const [path, body, price] of calls) {
    it(`of ${path} says what it cost, as the call log does`, async () => {
      const answer = await ask(gateway, account.key, path, body)
      assert.strictEqual(answer.status, 200)
      const row = await rowOf(answer.id)
      assert.strictEqual(answer.headers.get("x-request-id"), answer.id)
      assert.strictEqual(answer.headers.get("content-type"), "application/json")
      assert.strictEqual(answer.headers.get("x-svc-model"), body.model)
      assert.isNull(answer.headers.get("x-svc-model-mapped-from"))
      assert.strictEqual(answer.headers.get("x-svc-price-vnd-per-mtok"), price)
      assert.isNull(answer.headers.get("x-svc-price-vnd-per-request"))
      assert.strictEqual(answer.headers.get("x-svc-input-tokens"), String(row.input_tokens))
      assert.strictEqual(answer.headers.get("x-svc-output-tokens"), String(row.output_tokens))
      assert.strictEqual(row.cost_micro_vnd, BigInt(row.input_tokens + row.output_tokens) * BigInt(price))
      assert.strictEqual(
        answer.headers.get("x-svc-cost-vnd"),
        (Number(row.cost_micro_vnd) / 1e6).toFixed(6).replace(/\.?0+$/, "")
      )
      assert.deepStrictEqual(
        [row.status, row.error_type, row.stream, row.estimated, row.model, row.model_requested],
        [200, "", false, false, body.model, body.model]
      )
    })
  }

  it("of a model priced per request says the fixed price", async () => {
    const answer = await ask(gateway, account.key, "/v1/chat/completions", {
      ...chatCall(),
      model: "req/deepseek-v4-flash"
    })
    assert.strictEqual(answer.headers.get("x-svc-cost-vnd"), "230")
    assert.strictEqual(answer.headers.get("x-svc-price-vnd-per-request"), "230")
    assert.isNull(answer.headers.get("x-svc-price-vnd-per-mtok"))
    assert.strictEqual((await rowOf(answer.id)).cost_micro_vnd, 230_000_000n)
  })
})

describe("a streamed answer", () => {
  const calls = [
    ["/v1/messages", messagesCall("Hello", { stream: true })],
    ["/v1/chat/completions", chatCall("Hello", { stream: true })],
    ["/v1/responses", responsesCall("Hello", { stream: true })],
    ["/v1/chat/completions", { ...chatCall("Hello", { stream: true }), model: "req/gpt-5.5" }]
  ] as const
  for (const [path, body] of calls) {
    it(`of ${path} (${body.model}) names the model and no cost, and is not cached or buffered on its way`, async () => {
      const answer = await ask(gateway, account.key, path, body)
      assert.strictEqual(answer.status, 200)
      assert.match(answer.headers.get("content-type")!, /^text\/event-stream/)
      assert.strictEqual(answer.headers.get("cache-control"), "no-cache, no-transform")
      assert.strictEqual(answer.headers.get("x-accel-buffering"), "no")
      assert.strictEqual(answer.headers.get("x-request-id"), answer.id)
      assert.strictEqual(answer.headers.get("x-svc-model"), body.model)
      for (const name of costNames) assert.isNull(answer.headers.get(name))
      const row = await rowOf(answer.id)
      assert.isTrue(row.stream)
      assert.isAbove(Number(row.cost_micro_vnd), 0)
    })
  }
})

describe("a name that stands for another model", () => {
  const names: ReadonlyArray<readonly [sent: string, done: string]> = [
    ["fable", "claude-fable-5"],
    ["opus", "claude-opus-5"],
    ["sonnet", "claude-sonnet-5"],
    ["haiku", "claude-fable-5"],
    ["claude-opus", "claude-opus-5"],
    ["opus-latest", "claude-opus-5"],
    ["claude-opus-latest", "claude-opus-5"],
    ["gpt-9-nothing", "claude-fable-5"],
    ["Tên lạ 😀", "claude-fable-5"]
  ]
  it("is told in a header, plainly and streamed, on both protocols", async () => {
    for (const [sent, done] of names) {
      for (const stream of [false, true]) {
        for (const [path, call] of [
          ["/v1/messages", messagesCall("Hello", { stream, model: sent })],
          ["/v1/chat/completions", chatCall("Hello", { stream, model: sent })]
        ] as const) {
          const answer = await ask(gateway, account.key, path, call)
          assert.strictEqual(answer.status, 200, `${sent}: ${answer.text}`)
          assert.strictEqual(answer.headers.get("x-svc-model"), done)
          assert.strictEqual(
            answer.headers.get("x-svc-model-mapped-from"),
            sent.replace(/[^ -~]/gu, (character) => encodeURIComponent(character))
          )
        }
      }
    }
    const counted = await ask(gateway, account.key, "/v1/messages/count_tokens", {
      ...messagesCall(),
      max_tokens: undefined,
      model: "opus"
    })
    assert.strictEqual(counted.headers.get("x-svc-model-mapped-from"), "opus")
  })

  it("is told with the spaces that it begins or ends with: they made it another name", async () => {
    const call = (model: string) =>
      ask(gateway, account.key, "/v1/messages", messagesCall("Hello", { model }))
    for (const [sent, told] of [
      ["claude-opus-5 ", "claude-opus-5%20"],
      ["  my opus", "%20 my opus"],
      [" ", "%20"]
    ] as const) {
      const { headers } = await call(sent)
      assert.strictEqual(headers.get("x-svc-model-mapped-from"), told)
      assert.strictEqual(headers.get("x-svc-model"), "claude-fable-5")
    }
  })

  it("can not break the headers apart", async () => {
    const answer = await ask(
      gateway,
      account.key,
      "/v1/messages",
      messagesCall("Hello", { model: "x\r\nset-cookie: a=b\u0000\u2028" })
    )
    assert.strictEqual(answer.status, 200)
    assert.isNull(answer.headers.get("set-cookie"))
    assert.strictEqual((await rowOf(answer.id)).status, 200)
  })
})

describe("a browser", () => {
  it("may call from any origin", async () => {
    const preflight = await fetch(`${gateway.url}/v1/messages`, {
      method: "OPTIONS",
      headers: {
        origin: "https://app.example",
        "access-control-request-method": "POST",
        "access-control-request-headers": "x-api-key,anthropic-version"
      }
    })
    assert.strictEqual(preflight.status, 204)
    assert.isNull(preflight.headers.get("content-length"), "there is no body to tell the length of")
    assert.isNotEmpty(preflight.headers.get("request-id"))
    assert.strictEqual(preflight.headers.get("access-control-allow-origin"), "*")
    assert.include(preflight.headers.get("access-control-allow-headers")!, "x-api-key")
    assert.include(preflight.headers.get("access-control-allow-methods")!, "POST")
    for (const [body, key] of [
      [messagesCall(), account.key],
      [messagesCall("Hello", { stream: true }), account.key],
      [messagesCall(), "wrong"]
    ] as const) {
      const answer = await ask(gateway, key, "/v1/messages", body, { origin: "https://app.example" })
      assert.strictEqual(answer.headers.get("access-control-allow-origin"), "*")
      assert.strictEqual(answer.headers.get("access-control-expose-headers"), "*")
    }
  })

  it.each(["/chat/completions", "/v1/v1/messages", "//v1/messages"])(
    "is shown that %s is at a wrong base address",
    async (path) => {
      const preflight = await fetch(gateway.url + path, {
        method: "OPTIONS",
        headers: { origin: "https://app.example", "access-control-request-method": "POST" }
      })
      assert.strictEqual(preflight.status, 204)
      assert.strictEqual(preflight.headers.get("access-control-allow-origin"), "*")
      const answer = await ask(gateway, account.key, path, chatCall(), { origin: "https://app.example" })
      assert.strictEqual(answer.status, 404)
      assert.strictEqual(answer.headers.get("access-control-allow-origin"), "*")
    }
  )

  it("may use again what was answered to a caller without an origin", async () => {
    const answer = await ask(gateway, account.key, "/v1/messages", messagesCall())
    assert.strictEqual(answer.headers.get("access-control-allow-origin"), "*")
  })
})

describe("a HEAD", () => {
  it.each(["/v1/models", "/healthz", "/openapi.json", "/llms.txt", "/status.json", "/dashboard/signin"])(
    "has the status and the length of the GET: %s",
    async (path) => {
      const headers = { "x-api-key": account.key, "accept-encoding": "identity" }
      const head = await fetch(gateway.url + path, { method: "HEAD", headers })
      const whole = await readAnswer(await fetch(gateway.url + path, { headers }))
      assert.strictEqual(head.status, whole.status)
      assert.strictEqual(head.headers.get("content-length"), String(whole.bytes.length))
      assert.strictEqual(await head.text(), "")
    }
  )
})

describe("an identity of calls", () => {
  it("is never given twice", async () => {
    const ids = await Promise.all(
      Array.from({ length: 50 }, async () =>
        readAnswer(await fetch(`${gateway.url}/v1/models`, { headers: { "x-api-key": account.key } }))
      )
    )
    assert.strictEqual(new Set(ids.map(({ id }) => id)).size, 50)
  })

  it.each(["/", "/healthz", "/readyz", "/metrics", "/dashboard/signin", "/dashboard/api/models", "/nowhere"])(
    "is given to what is no call too: %s",
    async (path) => {
      const { headers } = await fetch(gateway.url + path)
      assert.match(headers.get("request-id") ?? "", /^req_/)
      assert.strictEqual(headers.get("x-request-id"), headers.get("request-id"))
    }
  )

  it("stands in the log lines of what the dashboard could not answer, and not what its client calls it", async () => {
    await gateway.untilPages()
    const person = new TestPerson(gateway)
    await person.signUp("someone@example.com")
    for (const [path, table, said] of [
      ["alerts", "webhook_endpoints", "Could not answer GET /dashboard/api/alerts"],
      ["keys", "keys", "list keys"]
    ] as const) {
      await gateway.sql((sql) => sql`alter table ${sql(table)} rename to away`)
      const answer = await person.get(`/dashboard/api/${path}`, { "x-request-id": "req_of_its_client" })
      await gateway.sql((sql) => sql`alter table away rename to ${sql(table)}`)
      assert.strictEqual(answer.status, 503)
      const line = await gateway.logged(said)
      assert.strictEqual(JSON.parse(line).request_id, answer.headers.get("request-id"))
    }
    assert.notInclude(gateway.log, "req_of_its_client")
  })
})
