/** Providers as they are in the world: behind TLS, and ready to speak HTTP/2. */
import { assert } from "@effect/vitest"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { connect } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createServer, type TlsOptions, type TLSSocket } from "node:tls"
import { afterAll, beforeAll, describe, it } from "vitest"
import { listen } from "../listen.ts"
import { type Certificate, makeAuthority, selfSigned } from "../certificates.ts"
import { endProxies, startTestProxy, type TestProxy } from "../outgoing/test-proxy.ts"
import { startGateway, type TestAccount, type TestGateway } from "./start-gateway.ts"
import { delay } from "../delay.ts"

const folder = mkdtempSync(join(tmpdir(), "tollgate-tls-"))
const sockets = new Set<TLSSocket>()
const protocols = new Set<string | false | null>()
const pathOf = (name: string) => join(folder, `${name}.pem`)
let proxy: TestProxy
let gateway: TestGateway
let account: TestAccount

/** The simulator behind TLS. */
const tunnelWith = async (certificate: Certificate, more: TlsOptions = {}) => {
  const server = createServer({ ...certificate, ...more, ALPNProtocols: ["h2", "http/1.1"] }, (socket) => {
    sockets.add(socket)
    protocols.add(socket.alpnProtocol)
    const provider = connect(Number(new URL(gateway.simulatorUrl).port), "127.0.0.1")
    socket.pipe(provider)
    provider.pipe(socket)
    socket.on("error", () => provider.destroy())
    provider.on("error", () => socket.destroy())
  })
  const port = await listen(server)
  afterAll(() => void server.close())
  return `https://localhost:${port}`
}

beforeAll(async () => {
  const [trusted, foreign] = [selfSigned(), selfSigned()]
  const [system, own, clients] = [makeAuthority("System"), makeAuthority("Own"), makeAuthority("Clients")]
  const client = clients.issue("tollgate")
  const files = {
    trusted: trusted.cert,
    system: system.cert,
    own: own.cert,
    client: client.cert,
    key: client.key
  }
  for (const [name, content] of Object.entries(files)) writeFileSync(pathOf(name), content)
  proxy = await startTestProxy({ credentials: ["user", "pass word"] })
  const asked = await tunnelWith(own.issue("provider.test"), { requestCert: true, ca: clients.cert })
  gateway = await startGateway({
    // Twenty handshakes at once take a busy machine longer than the usual five seconds.
    yaml: { providers: { anthropic: { connect_timeout_ms: 60_000 } } },
    env: { NODE_EXTRA_CA_CERTS: pathOf("trusted"), SSL_CERT_FILE: pathOf("system"), PROXY: proxy.url },
    routes: {
      mistral: [{ base_url: `${await tunnelWith(system.issue("localhost"))}/v1`, api_key: "simulated" }],
      xai: [
        {
          base_url: `${asked.replace("localhost", "provider.test")}/v1`,
          api_key: "simulated",
          proxy: "${PROXY}",
          ca: pathOf("own"),
          client_certificate: pathOf("client"),
          client_key: pathOf("key")
        }
      ],
      anthropic: [{ base_url: await tunnelWith(trusted), api_key: "simulated" }],
      deepseek: [{ base_url: `${await tunnelWith(foreign)}/v1`, api_key: "simulated" }]
    }
  })
  account = await gateway.account("100000")
})
afterAll(async () => {
  await gateway.stop()
  for (const socket of sockets) socket.destroy()
  endProxies()
  rmSync(folder, { recursive: true, force: true })
})

const ask = (path: string, body: object) =>
  fetch(gateway.url + path, {
    method: "POST",
    headers: { "x-api-key": account.key },
    body: JSON.stringify({ max_tokens: 50_000, ...body })
  })
const askChat = (key: string, model: string) =>
  fetch(`${gateway.url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}` },
    body: JSON.stringify({ model, messages: [{ role: "user", content: "Hello" }] })
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
    await delay(6_000)
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
      if (text.length < 1e6) await delay(5)
      text += chunk
    }
    assert.lengthOf(text.match(/^event: content_block_delta$/gm)!, tokens)
    assert.match(text, /event: message_stop\ndata: .*\n\n$/)
  })

  it.each([
    ["that the system's authorities vouch for", "mistral-medium-2604"],
    ["behind a proxy, with an authority of its own, that asks who we are", "grok-4.3"]
  ])("%s is called", async (_, model) => {
    const answer = await askChat(account.key, model)
    assert.strictEqual(answer.status, 200, await answer.text())
  })

  it("behind a proxy was asked for by name, and nobody is told how", async () => {
    assert.match(proxy.asked.join(), /^provider\.test:\d+$/)
    assert.notInclude(gateway.output, "pass word")
    assert.notInclude(gateway.output, "pass%20word")
    const metrics = await (await fetch(`${gateway.url}/metrics`)).text()
    assert.match(
      metrics,
      /tollgate_upstream_connections_opened_total\{origin="https:\/\/provider\.test:\d+"\} 1/
    )
    assert.match(
      metrics,
      /tollgate_upstream_connections_reused_total\{origin="https:\/\/localhost:\d+"\} [1-9]/
    )
  })

  it("whose certificate nobody vouches for gets no call, and its client a 502 at no cost", async () => {
    const { accountId, key } = await gateway.account("1000")
    const answer = await askChat(key, "deepseek-v4-pro")
    assert.strictEqual(answer.status, 502)
    assert.notMatch(await answer.text(), /localhost|certificate/)
    assert.strictEqual((await gateway.calls(accountId, 1))[0]!.cost_micro_vnd, 0n)
  })
})
