/** Ways through a proxy: how it is asked, and what becomes of a way that it does not open. */
import { assert, describe, it } from "vitest"
import type { Socket } from "node:net"
import { openTunnel } from "../../src/outgoing/open-tunnel.ts"
import { makeAuthority } from "../certificates.ts"
import { deadPort, endAfterEach, startStub } from "../upstream/stub-providers.ts"
import { endProxiesAfterEach, startTestProxy } from "./test-proxy.ts"
import { until } from "../until.ts"

endAfterEach()
endProxiesAfterEach()

const open = (proxy: string, port: number, hostname = "provider.test", timeoutMs = 10_000) =>
  new Promise<string | Socket>((resolve) =>
    openTunnel(proxy, { hostname, port }, timeoutMs, (failure, socket) => resolve(failure?.code ?? socket))
  )

describe("a way through a proxy", () => {
  it("is asked for by name, with credentials and nothing else", async () => {
    const proxy = await startTestProxy({ credentials: ["us:er", "p@ss"] })
    const socket = await open(proxy.url, (await startStub(() => {})).port)
    assert.instanceOf(socket, Object)
    const [host] = proxy.asked
    assert.deepStrictEqual(proxy.heads, [
      `CONNECT ${host} HTTP/1.1\r\nhost: ${host}\r\nproxy-authorization: Basic ${btoa("us:er:p@ss")}\r\n\r\n`
    ])
    assert.match(host!, /^provider\.test:\d+$/)
    ;(socket as Socket).destroy()
    await until(() => proxy.open.size === 0)
  })

  it.each([
    ["us:er", ""],
    ["", "p@ss"]
  ])("is asked for with the credentials %j and %j, one of which is empty", async (...credentials) => {
    const proxy = await startTestProxy({ credentials })
    assert.instanceOf(await open(proxy.url, (await startStub(() => {})).port), Object)
  })

  it("leads to an address of IPv6 in brackets", async () => {
    const proxy = await startTestProxy()
    proxy.answer = (socket) => void socket.end("HTTP/1.1 403 Forbidden\r\n\r\n")
    assert.strictEqual(await open(proxy.url, 443, "2001:db8::1"), "proxy 403")
    assert.deepStrictEqual(proxy.asked, ["[2001:db8::1]:443"])
  })

  it("carries what comes right behind its opening, as of a server that speaks first", async () => {
    const proxy = await startTestProxy()
    proxy.answer = (socket) => {
      socket.setNoDelay(true)
      socket.write("HTTP/1.1 200 OK\r\nx: y")
      setTimeout(() => socket.write("\r\n\r\n220 mail.test\r\n"), 5)
    }
    const socket = (await open(proxy.url, 25)) as Socket
    const greeting = await new Promise((resolve) => socket.once("data", resolve).resume())
    assert.strictEqual(String(greeting), "220 mail.test\r\n")
    socket.destroy()
  })

  it.each<[string, (socket: Socket) => void, string]>([
    ["it asks for credentials", (socket) => socket.end("HTTP/1.1 407 X\r\n\r\n"), "proxy 407"],
    ["it reaches nobody", (socket) => socket.end("HTTP/1.0 502 X\r\n\r\n"), "proxy 502"],
    ["it speaks something else", (socket) => socket.write("SSH-2.0-x\r\n\r\n"), "proxy malformed"],
    [
      "it never ends its head",
      (socket) => socket.write("HTTP/1.1 200 OK\r\n".repeat(2_000)),
      "proxy malformed"
    ],
    ["it hangs up", (socket) => socket.end(), "proxy closed"],
    ["it resets", (socket) => socket.resetAndDestroy(), "proxy ECONNRESET"],
    ["it says nothing", () => {}, "proxy timeout"]
  ])("is none where %s", async (_, answer, code) => {
    const proxy = await startTestProxy()
    proxy.answer = answer
    const timeoutMs = code === "proxy timeout" ? 100 : undefined
    assert.strictEqual(await open(proxy.url, 443, "provider.test", timeoutMs), code)
    await until(() => proxy.open.size === 0)
  })

  it("is none where no proxy is", async () => {
    assert.strictEqual(await open(`http://127.0.0.1:${await deadPort()}`, 443), "proxy ECONNREFUSED")
  })

  it("is none through a proxy over TLS for which nobody vouches", async () => {
    const proxy = await startTestProxy({ certificate: makeAuthority().issue("localhost") })
    assert.match(String(await open(proxy.url, 443)), /^proxy UNABLE_TO_VERIFY|^proxy SELF_SIGNED/)
    assert.deepStrictEqual(proxy.asked, [])
  })
})
