/** What sockets to providers are told, plain and behind TLS. */
import { assert, describe, it } from "vitest"
import { once } from "node:events"
import type { Socket } from "node:net"
import { endpointOf } from "../../../src/upstream/http1/Endpoint.ts"
import { openSocket } from "../../../src/upstream/http1/open-socket.ts"
import { endAfterEach, startStub } from "../stub-providers.ts"

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
      const { port } = await startStub(() => {})
      const socket = openSocket(endpointOf(`${protocol}://127.0.0.1:${port}`), () => {})
      const told = toldOf(socket)
      await once(socket, "connect")
      assert.deepStrictEqual(told, ["setNoDelay true", "setKeepAlive true 60"])
      socket.destroy()
    }
  )
})
