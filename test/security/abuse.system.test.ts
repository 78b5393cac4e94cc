/** Slow and silent clients, keys where they do not belong, and secrets that must not come out. */
import { assert } from "@effect/vitest"
import { afterAll, beforeAll, describe, it } from "vitest"
import { ask as request, replay } from "../gateway/ask.ts"
import { startGateway, type TestAccount, type TestGateway } from "../gateway/start-gateway.ts"
import { post } from "../gateway/open-stream.ts"
import { ask } from "../operations/calls.ts"
import { readMetrics, sumOf } from "../operations/read-metrics.ts"
import { floodWithMadeUpKeys } from "./made-up-keys.ts"
import { openSocket } from "./raw-socket.ts"
import { tellings } from "./telling-answers.ts"

let gateway: TestGateway
let account: TestAccount
beforeAll(async () => {
  gateway = await startGateway({ routes: { minimax: [{ base_url: "http://127.0.0.1:9", api_key: "k" }] } })
  account = await gateway.account("100000")
})
afterAll(() => gateway.stop())

const call = (prompt: string, fields = {}) =>
  post(`${gateway.url}/v1/messages`, account.key, ask(prompt, fields))

describe("a client that dawdles", () => {
  it.concurrent.each([
    ["with its headers", "POST /v1/messages HTTP/1.1\r\nhost: h\r\n", "x-a: b\r\n"],
    ["with its body", "", "x"],
    ["by saying nothing at all", null, null]
  ])("%s is put off, and holds nobody up", async (_, start, piece) => {
    const opening =
      start === ""
        ? `POST /v1/messages HTTP/1.1\r\nhost: h\r\nx-api-key: ${account.key}\r\ncontent-length: 1000000\r\n\r\n`
        : start
    const sockets = await Promise.all(Array.from({ length: 50 }, () => openSocket(gateway.url)))
    const closed = sockets.map((socket) => new Promise((resolve) => socket.once("close", resolve)))
    for (const socket of sockets) {
      // What drips on its way as the gateway closes is answered with a reset, which closes it as well.
      socket.on("error", () => {})
      socket.on("data", () => {})
      if (opening !== null) socket.write(opening)
    }
    const dripping = setInterval(() => {
      if (piece !== null) for (const socket of sockets) if (socket.writable) socket.write(piece)
    }, 1_000)
    assert.strictEqual((await call("Hello")).status, 200)
    await Promise.all(closed)
    clearInterval(dripping)
  })
})

describe("after clients that dawdled", () => {
  it("no call is open and no hold is left", async () => {
    const text = await (await fetch(`${gateway.url}/metrics`)).text()
    assert.match(text, /^tollgate_open_calls\{thread="0"\} 0$/m)
    assert.match(text, /^tollgate_holds 0$/m)
  })
})

describe("thousands of idle connections", () => {
  it("do not keep a call from being served", async () => {
    const sockets = await Promise.all(Array.from({ length: 2_000 }, () => openSocket(gateway.url)))
    assert.strictEqual((await call("Hello")).status, 200)
    for (const socket of sockets) socket.destroy()
  })
})

describe("a flood of made-up keys", () => {
  it("keeps no customer out, not even one whose key was made in its midst, and does not fill the log", async () => {
    const flood = floodWithMadeUpKeys(gateway.url, { connections: 40, each: 50 })
    for (let turn = 0; turn < 5; turn++) {
      assert.strictEqual((await call("Hello")).status, 200)
      const newcomer = await gateway.account("1000")
      assert.strictEqual((await post(`${gateway.url}/v1/messages`, newcomer.key, ask("Hello"))).status, 200)
    }
    assert.deepStrictEqual(await flood, { 401: 2_000 })
    const metrics = await readMetrics(gateway.url)
    const lookups = metrics.get("tollgate_key_lookups_total")!.samples
    assert.strictEqual(lookups.find(({ labels }) => labels["result"] === "unknown")!.value, 2_000)
    assert.strictEqual(sumOf(metrics, "tollgate_key_lookups_waiting"), 0)
    assert.isAtMost(gateway.log.split('"status":401').length - 1, 100)
  })
})

describe("a key", () => {
  it.each(["key", "api_key", "x-api-key", "apiKey", "access_token"])(
    "in the query string as %s is refused and not logged",
    async (name) => {
      const url = `${gateway.url}/v1/messages?${name}=${account.key}`
      const answer = await fetch(url, { method: "POST", body: JSON.stringify(ask("Hello")) })
      assert.strictEqual(answer.status, 401)
      assert.notInclude(await answer.text(), account.key)
      assert.notInclude(gateway.output, account.key)
    }
  )

  it("is in no answer, whatever goes wrong", async () => {
    for (const path of ["/v1/messages", "/messages", "/v1/v1/messages", "/v1/models/x", "/nowhere"]) {
      const answer = await fetch(gateway.url + path, {
        method: "POST",
        headers: { authorization: `Bearer ${account.key}x`, "x-api-key": `${account.key.slice(0, -1)}!` },
        body: "{"
      })
      assert.notInclude(await answer.text(), account.key.slice(0, 20))
    }
    assert.notInclude(gateway.output, account.key)
  })
})

describe("a customer whose calls make a provider fail", () => {
  it("closes it for nobody else", async () => {
    const other = await gateway.account("100000")
    const fail = async () => {
      const answer = await call("[sim: status=500]")
      return [answer.status, JSON.parse((await answer.ended).text).error.message]
    }
    const before = await fail()
    for (let time = 0; time < 20; time++) await fail()
    const after = await fail()
    assert.strictEqual(before[0], 502)
    // Its own calls are not even sent any more.
    assert.deepStrictEqual(after, [502, "The model can not be reached right now."])
    const answer = await post(`${gateway.url}/v1/messages`, other.key, ask("Hello"))
    assert.strictEqual(answer.status, 200)
    const metrics = await readMetrics(gateway.url)
    assert.strictEqual(sumOf(metrics, "tollgate_circuit_open"), 0)
  })

  it("by counting tokens, which is free, closes it for no call", async () => {
    const counter = await gateway.account("100000")
    const failing = { ...ask("[sim: status=500]"), max_tokens: undefined, stream: undefined }
    for (let time = 0; time < 20; time++) {
      const { status } = await post(`${gateway.url}/v1/messages/count_tokens`, counter.key, failing)
      assert.strictEqual(status, 502)
    }
    const answer = await post(`${gateway.url}/v1/messages`, counter.key, ask("Hello"))
    assert.strictEqual(answer.status, 200)
  })
})

describe("what a provider tells of itself", () => {
  const secrets = [
    "sk-ant-api03-AAAABBBBCCCCDDDDEEEEFFFF",
    "sk-proj-0123456789abcdefghij",
    "AKIAIOSFODNN7EXAMPLE",
    "AIzaSyA-0123456789abcdefghijk",
    "arn:aws:bedrock:us-east-1:123456789012:inference-profile/x",
    "https://internal.provider.example/v1/secret",
    "org-AbCdEf123456"
  ]

  it.each([400, 401, 403, 404, 413, 422, 429, 500])("does not reach the caller from a %i", async (status) => {
    for (const stream of [false, true]) {
      const body = JSON.stringify({
        type: "error",
        error: { type: "invalid_request_error", message: `Bad call with ${secrets.join(" and ")} simulated` }
      })
      await replay(gateway, {
        path: "/v1/messages",
        status,
        headers: { "content-type": "application/json", "x-internal-host": "node-17.provider" },
        body
      })
      const answer = await call("Hello", { stream })
      const text = (await answer.ended).text
      assert.isAtLeast(answer.status, 400)
      for (const secret of secrets) assert.notInclude(text, secret)
      assert.notProperty(answer.headers, "x-internal-host")
    }
  })

  // The simulator's key, in the ways in which a provider may write it.
  const ours = ["simulated", "simu lated", Buffer.from("simulated:").toString("base64")]

  it.each(Object.entries(tellings))("has no key of ours in %s", async (_, tellingsOf) => {
    for (const secret of ours)
      for (const { answer, body, path } of tellingsOf(secret)) {
        await replay(gateway, answer)
        const { headers, text } = await request(gateway, account.key, path, body)
        assert.match(text, /error|^sound$/, "what the provider told is what was answered")
        for (const shown of [text, JSON.stringify([...headers])])
          for (const each of ours) assert.notInclude(shown, each, `${path} told ${secret}`)
      }
  })

  it("stands in no log line and no metric", async () => {
    const metrics = await (await fetch(`${gateway.url}/metrics`)).text()
    for (const shown of [gateway.output, metrics]) for (const each of ours) assert.notInclude(shown, each)
  })

  it("is not told when it can not be reached: no host, no stack", async () => {
    const answer = await call("Hello", { model: "minimax-m3" })
    const { text } = await answer.ended
    assert.notMatch(text, /127\.0\.0\.1|ECONN|node_modules|\.ts:\d/)
  })
})

describe("a body made to be dear", () => {
  const bodyWith = (more: string) =>
    `{"model":"gpt-5.5","max_tokens":10,"messages":[{"role":"user","content":"Hello"}]${more}}`
  const send = (path: string, key: string, body: string) =>
    fetch(gateway.url + path, { method: "POST", headers: { "x-api-key": key }, body })
  const manyMembers = bodyWith(',"a":0'.repeat(400_000))
  const bodies = ["{", manyMembers, bodyWith(`,"a":[${"{},".repeat(40_000)}0]`), bodyWith("")]

  it("is not looked at while its wallet is empty, whatever it is; counting stays free", async () => {
    const poor = await gateway.account("0")
    const paths = ["messages", "chat/completions", "responses", "images/edits", "audio/speech"]
    for (const path of paths)
      for (const body of bodies) {
        const answer = await send(`/v1/${path}`, poor.key, body)
        assert.strictEqual(answer.status, 402, `${path}: ${body.slice(0, 20)}`)
        assert.include(await answer.text(), "/dashboard/topup")
      }
    const counted = await send("/v1/messages/count_tokens", poor.key, bodyWith(""))
    assert.strictEqual(counted.status, 200)
    const rows = await gateway.calls(poor.accountId, paths.length * bodies.length + 1)
    assert.strictEqual(rows.length, paths.length * bodies.length + 1)
    for (const row of rows.slice(0, -1)) {
      assert.deepStrictEqual(
        [row.status, row.error_type, row.model, row.model_requested, row.cost_micro_vnd],
        [402, "insufficient_balance", "", "", 0n]
      )
    }
  })

  it.each([
    ["members", manyMembers, "more than 1000 members"],
    ["values", bodyWith(`,"a":[${"{},".repeat(250_001)}0]`), "more than 250000 values"],
    ["levels", bodyWith(`,"a":${"[".repeat(100_000)}${"]".repeat(100_000)}`), "deeper than 512 levels"]
  ])("of too many %s is refused by name, also where it is only counted", async (_, body, problem) => {
    for (const path of ["/v1/messages", "/v1/messages/count_tokens"]) {
      const answers = await Promise.all(Array.from({ length: 3 }, () => send(path, account.key, body)))
      for (const answer of answers) {
        assert.strictEqual(answer.status, 400)
        assert.include(await answer.text(), problem)
      }
    }
  })
})

describe("a log line", () => {
  it("can not be forged by what a caller writes", async () => {
    const forged = '\n{"time":"2000","level":"info","message":"call","account":"forged"}\n'
    const answer = await call("Hello", { model: `x${forged}` })
    await answer.ended
    const missing = await call("Hello", { model: `svc/x${forged}` })
    await missing.ended
    await fetch(`${gateway.url}/v1/%0a${encodeURIComponent(forged)}`, { method: "POST", body: "{}" })
    await (
      await call("Hello")
    ).ended
    for (const line of gateway.output.split("\n").filter((each) => each.startsWith("{"))) {
      const fields = JSON.parse(line) as Record<string, unknown>
      assert.notStrictEqual(fields["account"], "forged")
    }
  })
})
