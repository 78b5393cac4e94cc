/** What can break between us and a provider behind TLS, at each moment of a call: what becomes of the call, and of what comes after it. */
import { assert, describe, it } from "vitest"
import type { TLSSocket } from "node:tls"
import type { Socket } from "node:net"
import { delay } from "../../delay.ts"
import { makeAuthority } from "../../certificates.ts"
import { reply } from "../stub-providers.ts"
import { collect, howItFails, request } from "./collect.ts"
import {
  endSecureAfterEach,
  type ProviderOptions,
  type SecureProvider,
  startSecureProvider
} from "./secure-provider.ts"
import { until } from "../../until.ts"

endSecureAfterEach()

/** A record that none of its keys has made. */
const forged = Buffer.concat([Buffer.of(0x17, 3, 3, 0, 64), Buffer.alloc(64, 7)])

const isClosed = /^closed$/
/** Where bytes and the reset come at once, TLS tells of its end alone. */
const isReset = /^ECONNRESET$|^closed$/

/** How a connection ends, or is ended by what lies between. */
const ends: ReadonlyArray<
  readonly [name: string, reason: RegExp, end: (socket: TLSSocket, way: Socket) => void]
> = [
  ["is closed by the provider", isClosed, (socket) => void socket.end()],
  ["is cut without a word of TLS", isClosed, (_, way) => void way.unpipe().end()],
  ["is reset", isReset, (_, way) => void way.resetAndDestroy()],
  ["is disturbed", /^ERR_SSL_/, (_, way) => void way.write(forged)]
]

const chunkedHead = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n"

/** What has come of an answer by then. */
const moments: ReadonlyArray<readonly [name: string, come: string]> = [
  ["nothing", ""],
  ["a part of its head", "HTTP/1.1 200 OK\r\ncontent-"],
  ["a head that only informs", "HTTP/1.1 102 Processing\r\n\r\n"],
  ["its head", "HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n"],
  ["a part of its body", "HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhello"],
  ["a chunk", `${chunkedHead}5\r\nhello\r\n`],
  ["a part of a chunk", `${chunkedHead}5\r\nhel`],
  ["all but the last byte", `${chunkedHead}0\r\n\r`]
]

const breakAt = (provider: SecureProvider, come: string, end: (socket: TLSSocket, way: Socket) => void) => {
  let isBroken = false
  provider.answer = (socket) => {
    // What goes out again, or comes after it, is answered.
    if (isBroken) return void socket.write(reply(200))
    isBroken = true
    const way = provider.wayOf(socket)
    if (come === "") return end(socket, way)
    const before = way.bytesWritten
    // What lies between has passed it on.
    const whenPassed = () =>
      void (way.bytesWritten > before + come.length ? end(socket, way) : setImmediate(whenPassed))
    socket.write(come, whenPassed)
  }
}

describe.each(moments)("a call over TLS of whose answer %s has come", (moment, come) => {
  describe.each([
    ["fresh", 0],
    ["used", 1]
  ])("over a %s connection", (_, callsBefore) => {
    it.each(ends)("that %s fails, or goes out again, and the next one goes well", async (_, reason, end) => {
      const provider = await startSecureProvider()
      const pool = provider.poolOf()
      for (let call = 0; call < callsBefore; call++) await collect(pool, request)
      await delay(5)
      breakAt(provider, come, end)
      provider.calls = 0
      const goesAgain = callsBefore > 0 && moment === "nothing" && (reason === isClosed || reason === isReset)
      if (goesAgain) {
        assert.strictEqual((await collect(pool, request))?.status, 200)
        assert.strictEqual(provider.calls, 2)
      } else {
        const [found, isUnsent] = await howItFails(pool)
        assert.match(found, reason)
        assert.isFalse(isUnsent)
        assert.strictEqual(provider.calls, 1)
      }
      assert.strictEqual((await collect(pool, request))?.status, 200)
    })
  })
})

describe("a call over TLS whose answer is whole", () => {
  it.each(ends)(
    "goes well though its connection %s behind it, and so does the next one",
    async (_, __, end) => {
      const provider = await startSecureProvider()
      const pool = provider.poolOf()
      for (let call = 0; call < 3; call++) {
        assert.strictEqual((await collect(pool, request))?.status, 200)
        const socket = provider.opened.at(-1)!
        end(socket, provider.wayOf(socket))
        await until(() => pool.open === 0)
      }
    }
  )
})

interface Handshake {
  readonly reason: RegExp
  readonly meet?: SecureProvider["meet"]
  readonly options?: ProviderOptions
}

const handshakes: Readonly<Record<string, Handshake>> = {
  "is reset": { reason: isReset, meet: (_, __, client) => void client.resetAndDestroy() },
  "is ended": { reason: /^ECONNRESET$|^closed$/, meet: (_, __, client) => void client.end() },
  "is answered by something else": {
    reason: /^ERR_SSL_|^EPROTO$/,
    meet: (_, __, client) => void client.write(reply(400))
  },
  "never ends": { reason: /^connect timeout$/, meet: () => {} },
  "speaks of HTTP/2 alone": { reason: /^ERR_SSL_.*NO_APPLICATION_PROTOCOL$/, options: { protocols: ["h2"] } },
  "shows another's name": { reason: /^ERR_TLS_CERT_ALTNAME_INVALID$/, options: { names: ["other.test"] } },
  "asks who we are": {
    reason: /^ERR_SSL_.*CERTIFICATE_REQUIRED$|^ECONNRESET$/,
    options: { asksFor: makeAuthority("Another") }
  }
}

describe("a handshake", () => {
  it.each(Object.entries(handshakes))(
    "that %s fails its call alone",
    async (_, { meet, options, reason }) => {
      const provider = await startSecureProvider(options)
      const pool = provider.poolOf()
      const usual = provider.meet
      provider.meet = meet ?? usual
      const [found, isUnsent] = await howItFails(pool, meet === undefined ? 2_000 : 100)
      assert.match(found, reason)
      assert.strictEqual(provider.calls, 0)
      // TLS 1.3 lets a client speak before it is told that it is not wanted.
      if (options?.asksFor === undefined) assert.isTrue(isUnsent)
      if (meet === undefined) return
      provider.meet = usual
      assert.strictEqual((await collect(pool, request))?.status, 200)
    }
  )
})
