/** Providers as they are in the world: behind TLS, and ready to speak HTTP/2. */
import { assert } from "@effect/vitest"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { connect } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createServer, type TLSSocket } from "node:tls"
import { afterAll, beforeAll, describe, it } from "vitest"
import { listen } from "../listen.ts"
import { selfSigned } from "../certificates.ts"
import { startGateway, type TestAccount, type TestGateway } from "./start-gateway.ts"

const folder = mkdtempSync(join(tmpdir(), "tollgate-tls-"))
const sockets = new Set<TLSSocket>()
const protocols = new Set<string | false | null>()
let gateway: TestGateway
let account: TestAccount

/** The simulator behind TLS. */
const tunnelWith = async (certificate: ReturnType<typeof selfSigned>) => {
  const server = createServer({ ...certificate, ALPNProtocols: ["h2", "http/1.1"] }, (socket) => {
    sockets.add(socket)
    protocols.add(socket.alpnProtocol)
    const provider = connect(Number(new URL(gateway.simulatorUrl).port), "127.0.0.1")
    socket.pipe(provider).pipe(socket)
    socket.on("error", () => provider.destroy())
    provider.on("error", () => socket.destroy())
  })
  const port = await listen(server)
  afterAll(() => void server.close())
  return `https://localhost:${port}`
}

beforeAll(async () => {
  const [trusted, foreign] = [selfSigned(), selfSigned()]
  writeFileSync(join(folder, "trusted.pem"), trusted.cert)
  gateway = await startGateway({
    env: { NODE_EXTRA_CA_CERTS: join(folder, "trusted.pem") },
    routes: {
      anthropic: [{ base_url: await tunnelWith(trusted), api_key: "simulated" }],
      deepseek: [{ base_url: `${await tunnelWith(foreign)}/v1`, api_key: "simulated" }]
    }
  })
  account = await gateway.account("100000")
})
afterAll(async () => {
  await gateway.stop()
  for (const socket of sockets) socket.destroy()
  rmSync(folder, { recursive: true, force: true })
})

const ask = (path: string, body: object) =>
  fetch(gateway.url + path, {
    method: "POST",
    headers: { "x-api-key": account.key },
    body: JSON.stringify({ max_tokens: 50_000, ...body })
  })
const messagesOf = (content: string) => ({ model: "claude-sonnet-5", messages: [{ role: "user", content }] })

describe("a provider behind TLS", () => {
  it("is called, many times at once, by connections that are used again", async () => {
    for (let round = 0; round < 2; round++) {
      const answers = Array.from({ length: 20 }, () => ask("/v1/messages", messagesOf("Hello")))
      for (const answer of await Promise.all(answers)) assert.strictEqual(answer.status, 200)
    }
    assert.isAtMost(sockets.size, 20)
  })

  it("keeps its connections while nobody calls for some seconds", async () => {
    assert.strictEqual((await ask("/v1/messages", messagesOf("Hello"))).status, 200)
    const opened = sockets.size
    await new Promise((resolve) => setTimeout(resolve, 6_000))
    assert.strictEqual((await ask("/v1/messages", messagesOf("Hello"))).status, 200)
    assert.strictEqual(sockets.size, opened)
  })

  it("is spoken to in HTTP/1.1, so that no call shares its connection", async () => {
    assert.strictEqual((await ask("/v1/messages", messagesOf("Hello"))).status, 200)
    assert.deepStrictEqual([...protocols], ["http/1.1"])
  })

  it("streams a long answer to a reader that pauses, and nothing of it is lost", async () => {
    const tokens = 20_000
    const answer = await ask("/v1/messages", { ...messagesOf(`[sim: tokens=${tokens}]`), stream: true })
    let text = ""
    for await (const chunk of answer.body!.pipeThrough(new TextDecoderStream())) {
      if (text.length < 1e6) await new Promise((resolve) => setTimeout(resolve, 5))
      text += chunk
    }
    assert.lengthOf(text.match(/^event: content_block_delta$/gm)!, tokens)
    assert.match(text, /event: message_stop\ndata: .*\n\n$/)
  })

  it("whose certificate nobody vouches for gets no call, and its client a 502 at no cost", async () => {
    const { accountId, key } = await gateway.account("1000")
    const answer = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}` },
      body: JSON.stringify({ model: "deepseek-v4-pro", messages: [{ role: "user", content: "Hello" }] })
    })
    assert.strictEqual(answer.status, 502)
    assert.notMatch(await answer.text(), /localhost|certificate/)
    assert.strictEqual((await gateway.calls(accountId, 1))[0]!.cost_micro_vnd, 0n)
  })
})
