/** What connections to a provider behind TLS have agreed upon, and the next ones go on with. */
import { assert, describe, it } from "vitest"
import { reply } from "../stub-providers.ts"
import { collect, request } from "./collect.ts"
import { endSecureAfterEach, startSecureProvider } from "./secure-provider.ts"
import { until } from "../../until.ts"

endSecureAfterEach()

describe("a session with a provider", () => {
  it("is gone on with, and forgotten where it is refused", async () => {
    const provider = await startSecureProvider()
    provider.answer = (socket) => socket.end(reply(200, "connection: close\r\n"))
    let refusesSessions = false
    let plainHelloBytes = 0
    provider.meet = (hello, onward, client) => {
      plainHelloBytes ||= hello.length
      if (refusesSessions && hello.length >= plainHelloBytes + 100) client.destroy()
      else onward()
    }
    const pool = provider.poolOf()
    const call = async () => {
      const answer = await collect(pool, request)
      await until(() => pool.open === 0)
      return answer?.status
    }
    const resumed = () => provider.handshakes.map(({ isResumed }) => isResumed)
    assert.strictEqual(await call(), 200)
    assert.strictEqual(await call(), 200)
    assert.deepStrictEqual(resumed(), [false, true])
    refusesSessions = true
    assert.isUndefined(await call())
    assert.strictEqual(await call(), 200)
    assert.deepStrictEqual(resumed(), [false, true, false])
    assert.deepStrictEqual([...new Set(provider.handshakes.map(({ name }) => name))], ["localhost"])
  })
})
