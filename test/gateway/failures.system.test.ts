/** What a provider's failures and the operator's maintenance become for a caller: free, and told in the contract's words. */
import { assert } from "@effect/vitest"
import { afterAll, beforeAll, describe, it } from "vitest"
import { setMaintenance } from "../../src/accounts/maintenance.ts"
import { type Answered, ask, chatCall, messagesCall, replay, responsesCall } from "./ask.ts"
import { endpoints, expectError } from "./endpoints.ts"
import { startGateway, type TestAccount, type TestGateway } from "./start-gateway.ts"

let gateway: TestGateway
let account: TestAccount
const hedgedModel = "grok-4.3"
beforeAll(async () => {
  gateway = await startGateway({ yaml: { hedge: { models: [hedgedModel], after_ms: 50 } } })
  account = await gateway.account()
})
afterAll(() => gateway.stop())

const heldBy = async ({ key }: TestAccount): Promise<unknown> => {
  const answer = await fetch(`${gateway.url}/v1/balance`, { headers: { "x-api-key": key } })
  return ((await answer.json()) as { readonly held_vnd?: unknown }).held_vnd
}

const textEndpoints = endpoints.filter(([path]) =>
  ["/v1/messages", "/v1/chat/completions", "/v1/responses"].includes(path)
)

describe("a call that can not be converted", () => {
  it("is 400, costs nothing and leaves nothing held", async () => {
    const mine = await gateway.account()
    const upload = { type: "container_upload", file_id: "file_1" }
    const asked = { ...messagesCall(), model: hedgedModel, messages: [{ role: "user", content: [upload] }] }
    for (const stream of [false, true]) {
      const answer = await ask(gateway, mine.key, "/v1/messages", { ...asked, stream })
      expectError(answer, 400, "invalid_request_error")
    }
    const rows = await gateway.calls(mine.accountId, 2)
    assert.deepStrictEqual(
      rows.map((row) => [row.status, row.cost_micro_vnd]),
      [
        [400, 0n],
        [400, 0n]
      ]
    )
    assert.strictEqual(await heldBy(mine), "0")
  })
})

describe("an upstream's failure", () => {
  const mapped: ReadonlyArray<readonly [number, number, string]> = [
    [400, 400, "invalid_request_error"],
    [401, 502, "api_error"],
    [402, 502, "api_error"],
    [403, 502, "api_error"],
    [404, 502, "api_error"],
    [408, 502, "api_error"],
    [409, 502, "api_error"],
    [410, 502, "api_error"],
    [413, 413, "request_too_large"],
    [422, 400, "invalid_request_error"],
    [429, 429, "rate_limit_error"],
    [500, 502, "api_error"],
    [503, 502, "api_error"],
    [529, 502, "api_error"]
  ]
  it("has the contract's status on each endpoint, plain and streamed, costs nothing and is logged", async () => {
    const mine = await gateway.account()
    let count = 0
    for (const [path, , family] of textEndpoints) {
      for (const [status, expected, type] of mapped) {
        for (const stream of [false, true]) {
          const prompt = `[sim: status=${status} retry-after=9]`
          const body =
            path === "/v1/messages"
              ? messagesCall(prompt, { stream })
              : path === "/v1/responses"
                ? responsesCall(prompt, { stream })
                : chatCall(prompt, { stream })
          const answer = await ask(gateway, mine.key, path, body)
          expectError(answer, expected, type, family)
          const wait = status === 429 || status >= 500 ? "9" : null
          assert.strictEqual(answer.headers.get("retry-after"), wait)
          count++
        }
        // In between a success, so that the failures do not open the circuit.
        if (status >= 500)
          await ask(gateway, account.key, path, path === "/v1/messages" ? messagesCall() : chatCall())
      }
    }
    const rows = await gateway.calls(mine.accountId, count)
    assert.strictEqual(rows.length, count)
    for (const row of rows) {
      assert.include([400, 413, 429, 502], row.status)
      assert.isNotEmpty(row.error_type)
      assert.strictEqual(row.cost_micro_vnd, 0n)
    }
    assert.strictEqual(await gateway.balance(mine.accountId), 50_000_000_000n)
    assert.strictEqual(await heldBy(mine), "0")
  })

  it("to make sense is 502 and costs nothing, whatever it sends", async () => {
    const mine = await gateway.account()
    for (const sim of [
      "body=html",
      "body=text",
      "body=empty",
      "body=short",
      "cut_after=2",
      "end_after=2",
      "rubbish_after=2"
    ]) {
      expectError(
        await ask(gateway, mine.key, "/v1/messages", messagesCall(`[sim: ${sim}]`)),
        502,
        "api_error"
      )
      assert.strictEqual((await ask(gateway, account.key, "/v1/messages", messagesCall())).status, 200)
    }
    assert.strictEqual(await gateway.balance(mine.accountId), 50_000_000_000n)
    assert.strictEqual(await heldBy(mine), "0")
  })

  it("is told without the key and the address it was reached by, also under way", async () => {
    const { host } = new URL(gateway.simulatorUrl)
    const message = `Key simulated is not known at ${host}`
    const told = "Key [key] is not known at [address]"
    for (const stream of [false, true]) {
      await replay(gateway, {
        path: "/chat/completions",
        status: 400,
        body: JSON.stringify({ error: { message } })
      })
      const answer = await ask(gateway, account.key, "/v1/chat/completions", chatCall("Hello", { stream }))
      assert.strictEqual(expectError(answer, 400, "invalid_request_error", "chat").message, told)
    }
    const content = JSON.stringify({ choices: [{ index: 0, delta: { content: "Hello" } }] })
    const body = `data: ${content}\n\ndata: ${JSON.stringify({ error: { message } })}\n\n`
    await replay(gateway, {
      path: "/chat/completions",
      headers: { "content-type": "text/event-stream" },
      body
    })
    const streamed = chatCall("Hello", { stream: true })
    const { text } = await ask(gateway, account.key, "/v1/chat/completions", streamed)
    assert.include(text, told)
    assert.notInclude(text, host)
  })

  it("names the field of it that the client knows, and none that only its provider does", async () => {
    const tools = [{ type: "function", function: { name: "f" } }]
    for (const [path, call, upstream, named, told] of [
      ["/v1/chat/completions", chatCall(), "/chat/completions", "messages[0].content", "messages[0].content"],
      ["/v1/chat/completions", chatCall("Hi", { tools }), "/responses", "input[0].content", null],
      ["/v1/chat/completions", chatCall("Hi", { tools }), "/responses", "tools", "tools"],
      ["/v1/responses", responsesCall(), "/responses", "input[0].content", "input[0].content"],
      ["/v1/responses", responsesCall("Hi", { model: hedgedModel }), "/chat/completions", "messages", null]
    ] as const) {
      const error = { message: "no", type: "invalid_request_error", param: named, code: "invalid_value" }
      await replay(gateway, { path: upstream, status: 400, body: JSON.stringify({ error }) })
      const answer = await ask(gateway, account.key, path, call)
      const shown = expectError(answer, 400, "invalid_request_error", "chat")
      assert.deepStrictEqual([shown.message, shown.param, shown.code], ["no", told, "invalid_value"])
    }
  })

  it("with a rate limit has the time to wait that its provider told, in a header or in the body alone", async () => {
    const details = [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "45.8s" }]
    const body = JSON.stringify([{ error: { code: 429, status: "RESOURCE_EXHAUSTED", details } }])
    for (const [headers, wait] of [
      [{}, "46"],
      [{ "retry-after": "3" }, "3"]
    ] as const) {
      await replay(gateway, { path: "/chat/completions", status: 429, headers, body })
      const answer = await ask(
        gateway,
        account.key,
        "/v1/messages",
        messagesCall("Hello", { model: "gemini-3.5-flash" })
      )
      expectError(answer, 429, "rate_limit_error")
      assert.strictEqual(answer.headers.get("retry-after"), wait)
    }
  })

  it("again and again opens its circuit: 502 at once with the time to wait, and back when it has recovered", async () => {
    const mine = await gateway.account()
    const model = "mistral-large-2512"
    let last: Answered | undefined
    for (let index = 0; index < 7; index++) {
      last = await ask(gateway, mine.key, "/v1/chat/completions", chatCall("[sim: status=500]", { model }))
      assert.strictEqual(last.status, 502)
    }
    assert.isAtLeast(Number(last!.headers.get("retry-after")), 1)
    for (;;) {
      const answer = await ask(gateway, mine.key, "/v1/chat/completions", chatCall("Hello", { model }))
      if (answer.status === 200) break
      expectError(answer, 502, "api_error", "chat")
    }
  })
})

describe("a stream", () => {
  it("that breaks off is told of as such, however many before it have", async () => {
    const mine = await gateway.account()
    for (let call = 0; call < 8; call++) {
      const body = messagesCall("[sim: tokens=20 cut_after=6]", { stream: true })
      const { status, text } = await ask(gateway, mine.key, "/v1/messages", body)
      assert.strictEqual(status, 200)
      assert.include(text, "event: error")
    }
  })

  it("that is tried twice, since it did not begin for long, is answered once and charged once", async () => {
    const mine = await gateway.account()
    const body = chatCall("[sim: latency=300]", { model: hedgedModel, stream: true })
    const { id, text } = await ask(gateway, mine.key, "/v1/chat/completions", body)
    assert.lengthOf(text.match(/data: \[DONE\]/g)!, 1)
    const rows = await gateway.calls(mine.accountId, 1)
    assert.lengthOf(rows, 1)
    assert.strictEqual(await gateway.balance(mine.accountId), 50_000_000_000n - rows[0]!.cost_micro_vnd)
    const once = chatCall("[sim: latency=20]", { model: hedgedModel, stream: true })
    await ask(gateway, mine.key, "/v1/chat/completions", once)
    assert.strictEqual((await gateway.calls(mine.accountId, 2))[1]!.cost_micro_vnd, rows[0]!.cost_micro_vnd)
    const { attempts } = JSON.parse(await gateway.logged(id)) as {
      attempts: ReadonlyArray<{ outcome: unknown }>
    }
    assert.sameMembers(
      attempts.map(({ outcome }) => outcome),
      [200, "left"]
    )
    const metrics = await (await fetch(`${gateway.url}/metrics`)).text()
    assert.match(metrics, /tollgate_route_first_byte_seconds\{route="xai#0",quantile="0.95"\} \d/)
  })
})

describe("maintenance", () => {
  it("is 503 with the time to wait for new calls; the one under way finishes", async () => {
    const { started } = await gateway.seen()
    const slow = ask(
      gateway,
      account.key,
      "/v1/messages",
      messagesCall("[sim: tokens=20 interval=20]", { stream: true })
    )
    await gateway.seen({ started: started + 1 })
    await gateway.run(setMaintenance(true, "test"))
    try {
      for (const [path, body, family] of endpoints) {
        // Counting tokens is free and goes on.
        if (path === "/v1/messages/count_tokens") continue
        expectError(await ask(gateway, account.key, path, body), 503, "service_unavailable", family)
      }
      assert.include((await slow).text, "message_stop")
    } finally {
      await gateway.run(setMaintenance(false, "test"))
    }
    assert.strictEqual((await ask(gateway, account.key, "/v1/messages", messagesCall())).status, 200)
  })
})
