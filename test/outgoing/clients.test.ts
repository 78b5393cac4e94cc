/** Every client of the program that is not one of a provider's: it goes by the proxy that the environment names. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { request as requestSecurely } from "node:https"
import { createServer as createMailServer } from "node:net"
import { createServer as createSecure } from "node:tls"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, vi } from "vitest"
import { fetch } from "undici"
import { sendPasswordMail } from "../../src/accounts/password-mail.ts"
import { noProxies, type Proxies } from "../../src/config/choose-proxy.ts"
import { OutwardAgent, outwardAgent } from "../../src/outgoing/connect-outward.ts"
import { Tracing } from "../../src/telemetry/Tracing.ts"
import { makeBedrockSigner } from "../../src/upstream/sign-bedrock.ts"
import { makeAuthority } from "../certificates.ts"
import { listen } from "../listen.ts"
import { makeFetcher, png, reasonOf } from "../upstream/file-server.ts"
import { endAfterEach, reply, startStub } from "../upstream/stub-providers.ts"
import { endProxiesAfterEach, startTestProxy } from "./test-proxy.ts"

endAfterEach()
endProxiesAfterEach()
afterEach(() => void vi.unstubAllEnvs())

const by = (url: string): Proxies => ({ http: url, https: url, none: ["direct.test"] })

/** A web server behind TLS that answers every request with `ok`. */
const startSecureServer = async () => {
  // Nobody's authorities vouch for it; what is tried here is the way to it.
  vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0")
  const names: Array<unknown> = []
  const server = createSecure(makeAuthority().issue("localhost"), (socket) => {
    names.push("servername" in socket ? socket.servername : undefined)
    socket.on("error", () => {}).once("data", () => socket.end(reply(200, "connection: close\r\n", "ok")))
  })
  const port = await listen(server)
  return { close: () => server.close(), names, port }
}

describe("requests of undici, as to the bank and to a collector of traces", () => {
  it.each(["http", "https"])("go through a proxy of %s", async (protocol) => {
    const server = await startSecureServer()
    const certificate = protocol === "https" ? { certificate: makeAuthority().issue("localhost") } : {}
    const proxy = await startTestProxy({ credentials: ["user", "secret"], ...certificate })
    const agent = outwardAgent(by(proxy.url))
    const answer = await fetch(`https://bank.test:${server.port}/`, { dispatcher: agent })
    assert.strictEqual(await answer.text(), "ok")
    assert.deepStrictEqual([proxy.asked, server.names], [[`bank.test:${server.port}`], ["bank.test"]])
    await agent.destroy()
    server.close()
  })

  it("do not go through it to places that are reached without one", async () => {
    const stub = await startStub("")
    const server = createServer((_, response) => response.end("ok"))
    const port = await listen(server)
    const agent = outwardAgent(by(`http://127.0.0.1:${stub.port}`))
    assert.strictEqual(await (await fetch(`http://localhost:${port}`, { dispatcher: agent })).text(), "ok")
    assert.strictEqual(stub.open.size, 0)
    await agent.destroy()
    server.closeAllConnections()
    server.close()
  })

  it("fail where the proxy refuses them, without telling its password", async () => {
    const proxy = await startTestProxy({ credentials: ["user", "secret"] })
    const agent = outwardAgent(by(proxy.url.replace("secret", "hidden")))
    const failure = await fetch("https://bank.test/", { dispatcher: agent }).catch((error: unknown) => error)
    const { cause } = failure as Error
    assert.strictEqual((cause as Error).message, "no way through the proxy: 407")
    assert.notInclude(String(failure) + String(cause), "hidden")
    await agent.destroy()
  })

  it.live("carry spans", () =>
    Effect.gen(function* () {
      let taken = 0
      const collector = createServer((request, response) => {
        request.resume().on("end", () => response.end())
        taken++
      })
      const port = yield* Effect.promise(() => listen(collector))
      const proxy = yield* Effect.promise(() => startTestProxy())
      const settings = {
        otlpTracesUrl: `http://collector.test:${port}/v1/traces`,
        headers: {},
        serviceName: "tollgate",
        resourceAttributes: {}
      }
      const call = Effect.gen(function* () {
        const tracing = yield* Tracing
        const times = { startedMs: 0, endedMs: 1, status: 200, errorType: "", attributes: {}, attempts: [] }
        tracing.finished({ trace: tracing.begin("")!, endpoint: "messages", ...times })
      })
      yield* Effect.provide(call, Tracing.layer(settings, by(proxy.url)))
      collector.closeAllConnections()
      collector.close()
      assert.deepStrictEqual([taken, proxy.asked], [1, [`collector.test:${port}`]])
    })
  )
})

describe("requests of AWS's clients", () => {
  it.each([true, false])("go by an agent that knows the proxy, or none: %s", async (isProxied) => {
    const server = await startSecureServer()
    const proxy = await startTestProxy()
    const agent = new OutwardAgent(isProxied ? by(proxy.url) : noProxies)
    const host = isProxied ? "sts.test" : "localhost"
    const status = await new Promise((resolve, reject) => {
      const options = { agent, host, port: server.port, method: "POST" }
      requestSecurely(options, (response) => resolve(response.resume().statusCode))
        .on("error", reject)
        .end()
    })
    assert.strictEqual(status, 200)
    assert.deepStrictEqual(proxy.asked, isProxied ? [`sts.test:${server.port}`] : [])
    server.close()
  })

  it("are made for the credentials of calls to Bedrock", async () => {
    const folder = mkdtempSync(join(tmpdir(), "tollgate-aws-"))
    writeFileSync(join(folder, "token"), "token")
    vi.stubEnv("AWS_WEB_IDENTITY_TOKEN_FILE", join(folder, "token"))
    vi.stubEnv("AWS_ROLE_ARN", "arn:aws:iam::123456789012:role/test")
    vi.stubEnv("AWS_EC2_METADATA_DISABLED", "true")
    vi.stubEnv("AWS_MAX_ATTEMPTS", "1")
    const proxy = await startTestProxy()
    proxy.answer = (socket) => void socket.end("HTTP/1.1 403 Forbidden\r\n\r\n")
    const sign = makeBedrockSigner({
      region: "eu-west-1",
      endpoint: "https://bedrock.test",
      proxies: by(proxy.url)
    })
    const call = { operation: "converse", model: "m", body: Buffer.from("{}") } as const
    assert.strictEqual((await Effect.runPromise(Effect.flip(sign(call))))._tag, "BedrockCredentialsError")
    assert.deepStrictEqual([...new Set(proxy.asked)], ["sts.eu-west-1.amazonaws.com:443"])
    rmSync(folder, { recursive: true })
  })
})

describe("an image by its address", () => {
  it.live("is fetched through the proxy by the very address that was checked", () =>
    Effect.gen(function* () {
      const server = createServer((request, response) => {
        hosts.push(request.headers.host)
        response.end(png)
      })
      const hosts: Array<unknown> = []
      const port = yield* Effect.promise(() => listen(server))
      const proxy = yield* Effect.promise(() => startTestProxy())
      const fetcher = yield* makeFetcher({
        proxies: by(proxy.url),
        resolve: (name, done) =>
          done(null, [{ address: name === "inside.test" ? "10.0.0.1" : "93.184.216.34", family: 4 }])
      })
      const image = yield* fetcher.fetch(
        { kind: "image", url: `http://images.test:${port}/cat.png` },
        () => true
      )
      assert.strictEqual(image.mediaType, "image/png")
      assert.deepStrictEqual([proxy.asked, hosts], [[`93.184.216.34:${port}`], [`images.test:${port}`]])
      for (const inside of ["http://inside.test/", "http://10.0.0.1/", "https://[::1]/"])
        assert.match(
          yield* reasonOf(fetcher, inside),
          /^its address is not public$|^it could not be fetched$/
        )
      assert.strictEqual(proxy.asked.length, 1)
      server.closeAllConnections()
      server.close()
    })
  )
})

describe("mail", () => {
  it("goes through the proxy, whose mail server speaks first", async () => {
    const said: Array<string> = []
    const mailServer = createMailServer((socket) => {
      socket.write("220 mail.test ESMTP\r\n")
      let isBody = false
      socket
        .on("error", () => {})
        .on("data", (data) => {
          const text = data.toString()
          said.push(text)
          if (isBody && text.includes("\r\n.\r\n")) isBody = false
          else if (isBody) return
          isBody ||= text.startsWith("DATA")
          socket.write(isBody ? "354 go on\r\n" : text.startsWith("QUIT") ? "221 bye\r\n" : "250 ok\r\n")
        })
    })
    const port = await listen(mailServer)
    const proxy = await startTestProxy({ credentials: ["user", "secret"] })
    const mail = { url: `smtp://mail.test:${port}`, from: "tollgate@example.com", proxies: by(proxy.url) }
    await sendPasswordMail(mail, "somebody@example.com", "https://example.com/reset")
    assert.deepStrictEqual(proxy.asked, [`mail.test:${port}`])
    assert.include(said.join(""), "https://example.com/reset")
    mailServer.close()
  })
})
