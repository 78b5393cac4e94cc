/** Every refusal of the contract: its status, its shape on each endpoint, its headers, its row, and that it is free. */
import { assert } from "@effect/vitest"
import { type IncomingMessage, request } from "node:http"
import { afterAll, beforeAll, describe, it } from "vitest"
import { revokeKey } from "../../src/accounts/keys.ts"
import { probeConnection } from "../http/probe-connection.ts"
import { ask, messagesCall, readAnswer } from "./ask.ts"
import { endpoints, expectError } from "./endpoints.ts"
import { startGateway, type TestAccount, type TestGateway } from "./start-gateway.ts"

let gateway: TestGateway
let account: TestAccount
beforeAll(async () => {
  gateway = await startGateway()
  account = await gateway.account()
})
afterAll(() => gateway.stop())

const get = async (path: string, init: RequestInit = {}) => readAnswer(await fetch(gateway.url + path, init))

describe("an address", () => {
  it("without or with doubled /v1 is 404 before the key is looked at, and names the right one", async () => {
    for (const [path, body] of endpoints) {
      for (const wrong of [path.slice(3), `/${path}`, `/v1${path}`, `/v1/v1${path}`]) {
        for (const key of ["", account.key]) {
          const error = expectError(await ask(gateway, key, wrong, body), 404, "not_found_error", "chat")
          const [take, base] = wrong.includes("/v1") ? ["take", ""] : ["takes", "/v1"]
          assert.include(error.message, ` ${take} ${gateway.url}${base} as base address`)
        }
      }
    }
    for (const path of ["/models", "/v1/v1/models", "/models/gpt-5.5"]) {
      expectError(await get(path), 404, "not_found_error", "chat")
    }
  })

  it("that nobody knows is 404 too", async () => {
    for (const path of [
      "/v1",
      "/v1/",
      "/v1/nothing",
      "/v1/messages/",
      "/v1//messages",
      "/api/hello",
      "/%ff"
    ]) {
      expectError(await get(path), 404, "not_found_error", "chat")
      expectError(await ask(gateway, account.key, path, "{}"), 404, "not_found_error", "chat")
    }
  })

  it("with the wrong method is 405 and says which is right", async () => {
    for (const [path] of endpoints) {
      for (const method of ["GET", "PUT", "DELETE", "PATCH"]) {
        const answer = await get(path, { method })
        expectError(answer, 405, "invalid_request_error", "chat")
        assert.strictEqual(answer.headers.get("allow"), "POST")
      }
    }
    for (const path of ["/v1/models", "/v1/models/gpt-5.5", "/healthz"]) {
      const answer = await ask(gateway, account.key, path, "{}")
      expectError(answer, 405, "invalid_request_error", "chat")
      assert.strictEqual(answer.headers.get("allow"), "GET, HEAD")
    }
  })

  it("of the Responses endpoint refuses a WebSocket with 426, so that its client falls back", async () => {
    const { port } = new URL(gateway.url)
    const { headers, statusCode } = await new Promise<IncomingMessage>((resolve, reject) => {
      request({
        port,
        path: "/v1/responses",
        headers: {
          connection: "Upgrade",
          upgrade: "websocket",
          "sec-websocket-version": "13",
          "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ=="
        }
      })
        .on("response", (response) => resolve(response.resume()))
        .on("error", reject)
        .end()
    })
    assert.strictEqual(statusCode, 426)
    assert.strictEqual(headers["content-type"], "application/json")
    assert.isNotEmpty(headers["request-id"])
    assert.strictEqual(headers["x-request-id"], headers["request-id"])
  })

  it("can be probed with HEAD, and the root read, without a key", async () => {
    for (const [path, status] of [
      ["/", 200],
      ["/api/hello", 404],
      ["/v1/messages", 405],
      ["/v1/nothing", 404]
    ] as const) {
      const answer = await get(path, { method: "HEAD" })
      assert.include([status, 405], answer.status)
      assert.strictEqual(answer.bytes.length, 0)
      assert.isNotEmpty(answer.id)
      assert.strictEqual(answer.headers.get("x-request-id"), answer.id)
    }
    assert.strictEqual((await get("/")).status, 200)
  })

  it("that only takes POST tells a HEAD so, without a body", async () => {
    for (const [path] of endpoints) {
      const answer = await get(path, { method: "HEAD" })
      assert.strictEqual(answer.status, 405, path)
      assert.strictEqual(answer.headers.get("allow"), "POST")
      assert.strictEqual(answer.headers.get("x-should-retry"), "false")
      assert.strictEqual(answer.bytes.length, 0)
    }
  })

  it("takes the next call on the connection of a HEAD", async () => {
    const headers = { "x-api-key": account.key }
    assert.deepStrictEqual(await probeConnection(`${gateway.url}/v1/models`, ["HEAD", "GET"], headers), [
      { status: 200, reused: false },
      { status: 200, reused: true }
    ])
  })
})

describe("a key", () => {
  it("that is missing, foreign, mistyped or only in the address is 401 on every endpoint, in its own shape", async () => {
    const mistyped = account.key.replace(/.$/, (last) => (last === "a" ? "b" : "a"))
    const swapped = `sk-tg-${account.key.slice(6, 38).split("").toReversed().join("")}${account.key.slice(38)}`
    for (const [path, body, family] of endpoints) {
      for (const key of [
        "",
        "sk-ant-api03-abc",
        mistyped,
        swapped,
        `${account.key} `.slice(1),
        "x".repeat(5000)
      ]) {
        expectError(await ask(gateway, key, path, body), 401, "authentication_error", family)
      }
      for (const query of [`?key=${account.key}`, `?api_key=${account.key}`, `?x-api-key=${account.key}`]) {
        expectError(await ask(gateway, "", path + query, body), 401, "authentication_error", family)
      }
      for (const authorization of [account.key, `Basic ${account.key}`, "Bearer", "Bearer  "]) {
        const answer = await ask(gateway, "", path, body, { authorization })
        expectError(answer, 401, "authentication_error", family)
      }
    }
    for (const path of ["/v1/models", "/v1/models/gpt-5.5"]) {
      expectError(await get(path), 401, "authentication_error", "chat")
    }
  })

  it("may stand in either header, in any case of Bearer, and one good one of two is enough", async () => {
    for (const headers of [
      { "x-api-key": account.key },
      { authorization: `Bearer ${account.key}` },
      { authorization: `bearer ${account.key}` },
      { "x-api-key": account.key, authorization: "Bearer wrong" },
      { "x-api-key": "wrong", authorization: `Bearer ${account.key}` }
    ]) {
      assert.strictEqual((await ask(gateway, "", "/v1/messages", messagesCall(), headers)).status, 200)
    }
  })

  it("that was revoked is refused from then on, while its call under way finishes and is charged", async () => {
    const mine = await gateway.account()
    const { started } = await gateway.seen()
    const slow = ask(
      gateway,
      mine.key,
      "/v1/messages",
      messagesCall("[sim: tokens=20 interval=20]", { stream: true })
    )
    await gateway.seen({ started: started + 1 })
    await gateway.run(revokeKey(mine.keyId, "test"))
    for (const [path, body, family] of endpoints) {
      expectError(await ask(gateway, mine.key, path, body), 401, "authentication_error", family)
    }
    expectError(
      await get("/v1/models", { headers: { "x-api-key": mine.key } }),
      401,
      "authentication_error",
      "chat"
    )
    const finished = await slow
    assert.strictEqual(finished.status, 200)
    assert.include(finished.text, "message_stop")
    const rows = await gateway.calls(mine.accountId, 1)
    const row = rows.find((call) => call.id === finished.id)!
    assert.strictEqual(row.status, 200)
    assert.isAbove(Number(row.cost_micro_vnd), 0)
    assert.strictEqual(await gateway.balance(mine.accountId), 50_000_000_000n - row.cost_micro_vnd)
  })

  it("whose revoked twin stands in the other header is still good", async () => {
    const other = await gateway.account()
    await gateway.run(revokeKey(other.keyId, "test"))
    const answer = await ask(gateway, other.key, "/v1/messages", messagesCall(), {
      authorization: `Bearer ${account.key}`
    })
    assert.strictEqual(answer.status, 200, answer.text)
  })

  it("with a limit of its own is 429 beyond it, with the time to wait", async () => {
    const limited = await gateway.account("50000", { rateLimitPerMinute: 2 })
    const statuses = []
    for (let index = 0; index < 3; index++) {
      const answer = await ask(gateway, limited.key, "/v1/messages", messagesCall())
      statuses.push(answer.status)
      if (answer.status === 429) expectError(answer, 429, "rate_limit_error")
    }
    assert.deepStrictEqual(statuses, [200, 200, 429])
    // Nothing of it is looked at.
    expectError(await ask(gateway, limited.key, "/v1/messages", "{"), 429, "rate_limit_error")
    const logged = await gateway.calls(limited.accountId, 4)
    assert.deepStrictEqual(logged.map(({ status }) => status).toSorted(), [200, 200, 429, 429])
  })
})

describe("a model's name", () => {
  it("with an unknown prefix or behind a known one is 404 and is repeated", async () => {
    for (const [path, body, family] of endpoints) {
      for (const model of ["openai/gpt-5.5", "svc/nothing", "req/nothing", "/", "a/b/c"]) {
        const error = expectError(
          await ask(gateway, account.key, path, { ...body, model }),
          404,
          "not_found_error",
          family
        )
        assert.strictEqual(error.message, `model not found: ${model}`)
      }
    }
  })

  it("that is unknown is 404 where nothing is mapped", async () => {
    for (const [path, body, family] of endpoints.slice(3)) {
      for (const model of ["sonnet", "nothing", "GPT-5.5"]) {
        expectError(await ask(gateway, account.key, path, { ...body, model }), 404, "not_found_error", family)
      }
    }
  })

  it("on the wrong endpoint is 400 and names the right path", async () => {
    const wrong = [
      ["/v1/messages", "req/gpt-image-2", "/v1/images/generations"],
      ["/v1/chat/completions", "req/gpt-4o-mini-tts", "/v1/audio/speech"],
      ["/v1/responses", "req/gpt-image-2", "/v1/images/generations"],
      ["/v1/images/generations", "gpt-5.5", "/v1/chat/completions"],
      ["/v1/images/generations", "deepseek-v4-flash", "/v1/responses"],
      ["/v1/images/edits", "req/gpt-4o-mini-tts", "/v1/audio/speech"],
      ["/v1/audio/speech", "claude-opus-5", "/v1/messages"]
    ] as const
    for (const [path, model, right] of wrong) {
      const [, body, family] = endpoints.find(([known]) => known === path)!
      const answer = await ask(gateway, account.key, path, { ...body, model })
      assert.include(expectError(answer, 400, "invalid_request_error", family).message, right)
    }
  })
})

describe("a page of models", () => {
  it("of a size that is none, or beside a model that is none, is 400", async () => {
    const headers = { "x-api-key": account.key }
    for (const query of [
      "limit=0",
      "limit=-1",
      "limit=1001",
      "limit=1.5",
      "limit=1e2",
      "limit=x",
      "after_id=x",
      "before_id=x"
    ])
      expectError(await get(`/v1/models?${query}`, { headers }), 400, "invalid_request_error", "chat")
    const one = await get("/v1/models?limit=1", { headers })
    assert.deepInclude(JSON.parse(one.text), { has_more: true })
  })
})

describe("a node that serves calls alone", () => {
  it.each(["/dashboard", "/dashboard/topup", "/dashboard/api/session", "/webhooks/sepay", "/openapi.json"])(
    "has no %s",
    async (path) => void expectError(await get(path), 404, "not_found_error", "chat")
  )

  it("leads nobody to pages that others serve", async () => {
    const answer = await get("/", { headers: { accept: "text/html" } })
    assert.strictEqual(answer.text, '{"service":"tollgate"}')
  })
})
