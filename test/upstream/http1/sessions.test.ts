/** What connections to a provider behind TLS have agreed upon, and the next ones go on with. */
import { assert, describe, it, vi } from "vitest"
import { connect, createServer as createProxy } from "node:net"
import { setTimeout as delay } from "node:timers/promises"
import { createServer } from "node:tls"
import { ConnectionPool } from "../../../src/upstream/http1/ConnectionPool.ts"
import { selfSigned } from "../../gateway/self-signed.ts"
import { listen } from "../../listen.ts"
import { reply } from "../stub-providers.ts"
import { collect, request } from "./collect.ts"

/** A provider that closes behind each answer, and to which connections are made by way of `pass`. */
const startSecure = async (pass: (hello: Buffer) => boolean) => {
  const resumed: Array<boolean> = []
  const names = new Set<unknown>()
  const server = createServer(selfSigned(), (socket) => {
    resumed.push(socket.isSessionReused())
    names.add("servername" in socket ? socket.servername : undefined)
    socket.on("error", () => {})
    socket.on("data", () => socket.end(reply(200, "connection: close\r\n")))
  })
  const port = await listen(server)
  const proxy = createProxy((client) => {
    client.on("error", () => {})
    client.once("data", (hello) => {
      if (!pass(hello)) return void client.destroy()
      const provider = connect(port, "127.0.0.1").on("error", () => client.destroy())
      provider.write(hello)
      client.pipe(provider).pipe(client)
    })
  })
  const pool = new ConnectionPool(`https://localhost:${await listen(proxy)}`)
  const call = async () => {
    const answer = await collect(pool, request)
    await delay(20)
    return answer?.status
  }
  const stop = () => {
    pool.close()
    proxy.close()
    server.close()
  }
  return { call, names, resumed, stop }
}

describe("a session with a provider", () => {
  it("is gone on with, and forgotten where it is refused", async () => {
    vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0")
    let refusesSessions = false
    let plainHelloBytes = 0
    const { call, names, resumed, stop } = await startSecure((hello) => {
      plainHelloBytes ||= hello.length
      return !refusesSessions || hello.length < plainHelloBytes + 100
    })
    assert.strictEqual(await call(), 200)
    assert.strictEqual(await call(), 200)
    assert.deepStrictEqual(resumed, [false, true])
    refusesSessions = true
    assert.isUndefined(await call())
    assert.strictEqual(await call(), 200)
    assert.deepStrictEqual(resumed, [false, true, false])
    assert.deepStrictEqual([...names], ["localhost"])
    stop()
    vi.unstubAllEnvs()
  })
})
