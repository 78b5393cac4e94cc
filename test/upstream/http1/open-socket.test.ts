/** What sockets to providers are told, plain and behind TLS. */
import { assert, describe, it, vi } from "vitest"
import { Socket } from "node:net"
import { endpointOf } from "../../../src/upstream/http1/Endpoint.ts"
import { openSocket } from "../../../src/upstream/http1/open-socket.ts"
import { endAfterEach, startStub } from "../stub-providers.ts"
import { until } from "../../until.ts"

endAfterEach()

/** What Node tells the operating system of a socket. */
const toldOf = (socket: Socket): Array<string> => {
  const told: Array<string> = []
  const { _handle: handle } = socket as unknown as { _handle: Record<string, unknown> }
  for (const name of ["setNoDelay", "setKeepAlive"])
    handle[name] = (...values: ReadonlyArray<unknown>) => told.push(`${name} ${values.join(" ")}`)
  return told
}

describe("a socket to a provider", () => {
  it.each([
    ["http://example.com", "example.com", "example.com", 80],
    ["https://example.com", "example.com", "example.com", 443],
    ["https://example.com:8443", "example.com:8443", "example.com", 8443],
    ["http://[::1]:8080", "[::1]:8080", "::1", 8080]
  ])("leads where the origin says: %s", (url, host, hostname, port) => {
    assert.deepInclude(endpointOf(url), { host, hostname, port })
  })

  it.each(["http", "https"])(
    "keeps no small piece waiting, and is probed while it is silent: %s",
    async (protocol) => {
      const { open, port } = await startStub(() => {})
      let told: Array<string> = []
      const { setNoDelay } = Socket.prototype
      const spy = vi.spyOn(Socket.prototype, "setNoDelay").mockImplementation(function (this: Socket, isOn) {
        told = toldOf(this)
        return setNoDelay.call(this, isOn)
      })
      const close = openSocket(endpointOf(`${protocol}://127.0.0.1:${port}`), 1_000, deaf)
      spy.mockRestore()
      await until(() => open.size === 1 && told.length > 0)
      // Again once it is connected: what was told before does not hold on every system.
      assert.deepStrictEqual(told.slice(-2), ["setNoDelay true", "setKeepAlive true 60"])
      close()
    }
  )
})

const deaf = { connected: () => {}, read: () => {}, drained: () => {}, ended: () => {}, failed: () => {} }
