/** What providers do that breaks the rules of HTTP, or that only a connection can tell, and what callers may try by it. */
import { assert } from "@effect/vitest"
import { createServer, type RequestListener } from "node:http"
import { brotliCompressSync, gzipSync } from "node:zlib"
import { afterAll, beforeAll, describe, it } from "vitest"
import { listen } from "../listen.ts"
import { readMetrics, sumOf } from "../operations/read-metrics.ts"
import { sendRaw } from "../security/raw-socket.ts"
import { ask, errorOf, messagesCall } from "./ask.ts"
import { startGateway, type TestAccount, type TestGateway } from "./start-gateway.ts"

let gateway: TestGateway
let account: TestAccount
let answer: RequestListener = () => {}
const provider = createServer((request, response) => answer(request, response))
beforeAll(async () => {
  const url = `http://127.0.0.1:${await listen(provider)}`
  gateway = await startGateway({
    routes: {
      openai: [{ base_url: url, api_key: "k" }],
      mistral: [{ base_url: `${url}/v1`, api_key: "k" }]
    }
  })
  account = await gateway.account()
})
afterAll(async () => {
  await gateway.stop()
  provider.closeAllConnections()
  provider.close()
})

const speak = () =>
  ask(gateway, account.key, "/v1/audio/speech", {
    model: "req/gpt-4o-mini-tts",
    input: "Hello",
    voice: "alloy"
  })

describe("speech that comes compressed although we asked for none", () => {
  it("is 502 and costs nothing, instead of noise", async () => {
    answer = (_, response) => {
      response.writeHead(200, { "content-type": "audio/mpeg", "content-encoding": "gzip" })
      response.end(gzipSync("sound"))
    }
    const answered = await speak()
    assert.strictEqual(answered.status, 502)
    assert.strictEqual(errorOf(answered, "chat").type, "api_error")
    const [row] = await gateway.calls(account.accountId, 1)
    assert.deepStrictEqual([row!.status, row!.cost_micro_vnd], [502, 0n])
  })
})

describe("an error that comes compressed although we asked for none", () => {
  it.each([
    [400, "gzip", gzipSync],
    [413, "br", brotliCompressSync],
    [429, "gzip", gzipSync]
  ] as const)("(%i, %s) is told in words of ours, instead of noise", async (status, encoding, compress) => {
    answer = (_, response) => {
      response.writeHead(status, { "content-encoding": encoding, "retry-after-ms": 16_500 })
      response.end(compress(JSON.stringify({ error: { message: "No." } })))
    }
    const answered = await speak()
    assert.strictEqual(answered.status, status)
    assert.match(errorOf(answered, "chat").message, /^The (?:model's provider|request) [\w' ]+\.$/)
    assert.strictEqual(answered.headers.get("retry-after"), status === 429 ? "17" : null)
  })
})

describe("half a character in what is told of an error", () => {
  const isStrict = (text: string) => assert.notMatch(text, /\\ud[89a-f]/i)

  it("where a provider's words are cut, or hold it, is none that strict readers of JSON would refuse", async () => {
    for (const message of [`${"x".repeat(1_999)}😀`, "\ud83d is not taken"]) {
      answer = (_, response) => {
        response.writeHead(400, { "content-type": "application/json" })
        response.end(JSON.stringify({ error: { message } }))
      }
      const answered = await speak()
      isStrict(answered.text)
      assert.include(errorOf(answered, "chat").message, "\ufffd")
    }
  })

  it("where a caller's are repeated, too", async () => {
    for (const model of ["no/\ud83d", `no/${"x".repeat(196)}😀`]) {
      const answered = await ask(gateway, account.key, "/v1/messages", messagesCall("Hello", { model }))
      assert.strictEqual(answered.status, 404)
      isStrict(answered.text)
      errorOf(answered)
    }
  })
})

describe("speech of which nothing tells whether it is whole", () => {
  it.each(["", "connection: close\r\n"])(
    "is 502 and costs nothing, instead of half a sentence: %j",
    async (header) => {
      answer = (_, { socket }) =>
        void socket!.end(`HTTP/1.1 200 OK\r\ncontent-type: audio/mpeg\r\n${header}\r\nsound`)
      const { accountId, key } = await gateway.account()
      const call = { model: "req/gpt-4o-mini-tts", input: "Hello", voice: "alloy" }
      assert.strictEqual((await ask(gateway, key, "/v1/audio/speech", call)).status, 502)
      const [row] = await gateway.calls(accountId, 1)
      assert.deepStrictEqual([row!.status, row!.cost_micro_vnd], [502, 0n])
    }
  )
})

/** Two customers call until the circuit of this provider's route is open; each is a 502 at no cost. */
const untilOpen = async (route: string, path: string, call: object) => {
  const keys = [account.key, (await gateway.account()).key]
  for (let turn = 0; turn < 6; turn++) {
    assert.strictEqual((await ask(gateway, keys[turn % 2]!, path, call)).status, 502)
  }
  const metrics = await readMetrics(gateway.url)
  assert.strictEqual(sumOf(metrics, "tollgate_circuit_open", { route }), 1)
}

describe("images that break off under way", () => {
  it("open the circuit of their route, however well they began", async () => {
    answer = (_, response) => {
      response.writeHead(200, { "content-length": 1_000_000 })
      response.write(Buffer.alloc(500_000), () => setTimeout(() => response.destroy(), 20))
    }
    await untilOpen("openai#0", "/v1/images/generations", { model: "req/gpt-image-2", prompt: "A house" })
  })
})

describe("answers that can not be read", () => {
  it("open the circuit of their route, though they came as successes", async () => {
    answer = (_, response) => response.end("<html>Welcome to the proxy</html>")
    await untilOpen("mistral#0", "/v1/chat/completions", {
      model: "mistral-medium-2604",
      messages: [{ role: "user", content: "Hello" }]
    })
  })
})

describe("a header that can not be passed on", () => {
  it("is its caller's mistake, and nothing that closes the provider to others", async () => {
    const body = JSON.stringify(messagesCall())
    const head = `POST /v1/messages HTTP/1.1\r\nhost: h\r\nx-api-key: ${account.key}\r\n`
    for (let turn = 0; turn < 6; turn++) {
      const { text } = await sendRaw(
        gateway.url,
        `${head}anthropic-beta: a\u007fb\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
        { enough: (received) => received.includes('"request_id"'), waitMs: 30_000 }
      )
      assert.include(text, " 400 ")
      assert.include(text, "invalid_request_error")
    }
    assert.strictEqual((await ask(gateway, account.key, "/v1/messages", messagesCall())).status, 200)
  })
})
