/** Providers that are reached by way of a proxy, vouched for by an authority of their own, or that ask who we are. */
import { afterEach, assert, describe, it } from "vitest"
import { delay } from "../../delay.ts"
import type { Passage } from "../../../src/config/settings.ts"
import { ConnectionPool } from "../../../src/upstream/http1/ConnectionPool.ts"
import { endpointOf } from "../../../src/upstream/http1/Endpoint.ts"
import { makeAuthority } from "../../certificates.ts"
import { endProxiesAfterEach, startTestProxy } from "../../outgoing/test-proxy.ts"
import { endAfterEach, reply, startStub } from "../stub-providers.ts"
import { collect, howItFails, listening, request } from "./collect.ts"
import { endSecureAfterEach, startSecureProvider } from "./secure-provider.ts"
import { until } from "../../until.ts"

endAfterEach()
endProxiesAfterEach()
endSecureAfterEach()

const pools: Array<ConnectionPool> = []
afterEach(() => {
  for (const pool of pools.splice(0)) pool.close()
})
const poolBy = (url: string, passage: Passage) => {
  const pool = new ConnectionPool(endpointOf(url, passage))
  pools.push(pool)
  return pool
}

const startBehindProxy = async (options: Parameters<typeof startTestProxy>[0] = {}) => {
  const proxy = await startTestProxy(options)
  const certificates = makeAuthority()
  const provider = await startSecureProvider({ certificate: certificates.issue("provider.test") })
  const { port } = new URL(provider.url)
  const url = `https://provider.test:${port}`
  return { provider, proxy, url, passage: { proxy: proxy.url, authorities: certificates.cert } }
}

describe("a provider behind a proxy", () => {
  it("is called by one connection after the other, whose session is gone on with", async () => {
    const { provider, proxy, url, passage } = await startBehindProxy({ credentials: ["user", "secret"] })
    const pool = poolBy(url, passage)
    for (let call = 0; call < 3; call++) {
      assert.strictEqual((await collect(pool, request))?.status, 200)
      await delay(5)
    }
    assert.deepStrictEqual(proxy.asked, [new URL(url).host])
    for (const socket of provider.opened) socket.destroy()
    await until(() => pool.open === 0)
    assert.strictEqual((await collect(pool, request))?.status, 200)
    assert.deepStrictEqual(
      provider.handshakes.map(({ isResumed, name }) => [isResumed, name]),
      [
        [false, "provider.test"],
        [true, "provider.test"]
      ]
    )
  })

  it("is called without TLS by CONNECT as well", async () => {
    const proxy = await startTestProxy()
    const stub = await startStub(reply(200))
    const pool = poolBy(`http://provider.test:${stub.port}`, { proxy: proxy.url })
    for (let call = 0; call < 3; call++) {
      assert.strictEqual((await collect(pool, request))?.body, "{}")
      await delay(5)
    }
    assert.deepStrictEqual(proxy.asked, [`provider.test:${stub.port}`])
  })

  it("is asked for by an address that was checked, where not every one may be connected with", async () => {
    const proxy = await startTestProxy()
    const stub = await startStub(reply(200))
    const url = `http://localhost:${stub.port}`
    const allowed = poolBy(url, { proxy: proxy.url, publicOr: ["127.0.0.0/8"] })
    assert.strictEqual((await collect(allowed, request))?.body, "{}")
    assert.deepStrictEqual(proxy.asked, [`127.0.0.1:${stub.port}`])
    const refused = poolBy(url, { proxy: proxy.url, publicOr: [] })
    assert.deepStrictEqual(await howItFails(refused), ["NO_PUBLIC_ADDRESS", true])
    assert.lengthOf(proxy.asked, 1)
  })

  it("is read no faster than it is taken, and sends large bodies both ways whole", async () => {
    const { provider, url, passage } = await startBehindProxy()
    const bytes = Buffer.alloc(8 * 1024 * 1024, "0123456789abcdef")
    bytes.write("END", bytes.length - 3)
    provider.answer = (socket) => {
      socket.on("data", (data) => {
        if (data.subarray(-3).equals(Buffer.from("END")))
          socket.write(
            Buffer.concat([Buffer.from(`HTTP/1.1 200 OK\r\ncontent-length: ${bytes.length}\r\n\r\n`), bytes])
          )
      })
    }
    const taken: Array<Buffer> = []
    await new Promise<void>((resolve, reject) => {
      const onData = (piece: Buffer) => {
        taken.push(piece)
        if (taken.length % 20 !== 0) return
        delivery.pause()
        setTimeout(() => delivery.resume(), 1)
      }
      const onFailure = (reason: string) => reject(new Error(reason))
      const listener = listening({ onData, onEnd: resolve, onFailure })
      const delivery = poolBy(url, passage).send({ ...request, body: bytes }, 1_000, listener)
    })
    assert.isTrue(Buffer.concat(taken).equals(bytes))
  })

  it("is not reached, unsent, where the proxy refuses us, and its connection ends", async () => {
    const { proxy, url, passage } = await startBehindProxy({ credentials: ["user", "secret"] })
    const wrong = { ...passage, proxy: passage.proxy.replace("secret", "wrong") }
    assert.deepStrictEqual(await howItFails(poolBy(url, wrong)), ["proxy 407", true])
    await until(() => proxy.open.size === 0)
  })

  it("is not reached, unsent, where the proxy says nothing, and nothing is left of it", async () => {
    const { proxy, url, passage } = await startBehindProxy()
    proxy.answer = () => {}
    const [reason, isUnsent] = await howItFails(poolBy(url, passage), 50)
    assert.include(["connect timeout", "proxy timeout"], reason)
    assert.isTrue(isUnsent)
    await until(() => proxy.open.size === 0)
  })

  it("gets its call once again where the proxy had closed an idle way", async () => {
    const { proxy, provider, url, passage } = await startBehindProxy()
    const pool = poolBy(url, passage)
    await collect(pool, request)
    await delay(5)
    const [former] = provider.opened
    provider.answer = (socket) => {
      if (socket !== former) return void socket.write(reply(200))
      for (const each of proxy.open) each.destroy()
    }
    assert.strictEqual((await collect(pool, request))?.status, 200)
    assert.strictEqual(provider.calls, 3)
  })
})

describe("a provider with an authority of its own", () => {
  it("is believed by it, and by nobody else's", async () => {
    const provider = await startSecureProvider()
    assert.strictEqual((await collect(provider.poolOf(), request))?.status, 200)
    const other = poolBy(provider.url, { authorities: makeAuthority("Another").cert })
    assert.deepStrictEqual(await howItFails(other), ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", true])
    assert.deepStrictEqual(await howItFails(poolBy(provider.url, {})), [
      "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
      true
    ])
  })

  it("is not believed where it says another name", async () => {
    const authority = makeAuthority()
    const provider = await startSecureProvider({ certificate: authority.issue("other.test") })
    const pool = poolBy(provider.url, { authorities: authority.cert })
    assert.deepStrictEqual(await howItFails(pool), ["ERR_TLS_CERT_ALTNAME_INVALID", true])
    assert.strictEqual(provider.calls, 0)
  })

  it("is called by its address where it vouches for that", async () => {
    const authority = makeAuthority()
    const provider = await startSecureProvider({ certificate: authority.issue("127.0.0.1") })
    const url = provider.url.replace("localhost", "127.0.0.1")
    assert.strictEqual((await collect(poolBy(url, { authorities: authority.cert }), request))?.status, 200)
  })
})

describe("a provider that asks who we are", () => {
  it("is shown the certificate of its route, and calls without one fail", async () => {
    const clients = makeAuthority()
    const { cert, key } = clients.issue("tollgate")
    const provider = await startSecureProvider({ asksFor: clients })
    const authorities = provider.authority.cert
    const shown = poolBy(provider.url, { authorities, certificate: cert, key })
    assert.strictEqual((await collect(shown, request))?.status, 200)
    const [reason] = await howItFails(poolBy(provider.url, { authorities }))
    assert.match(reason, /ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED|ECONNRESET/)
    assert.strictEqual(provider.calls, 1)
  })
})
