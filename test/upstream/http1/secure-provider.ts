/** A provider behind TLS, with an authority of the test's own, and a way to it on which connections can be held up or lost. */
import { connect, createServer as createWay, type Socket } from "node:net"
import { createServer, type TLSSocket } from "node:tls"
import { afterEach } from "vitest"
import { ConnectionPool } from "../../../src/upstream/http1/ConnectionPool.ts"
import { endpointOf } from "../../../src/upstream/http1/Endpoint.ts"
import { type Authority, type Certificate, makeAuthority } from "../../certificates.ts"
import { listen } from "../../listen.ts"
import { reply } from "../stub-providers.ts"

export interface SecureProvider {
  readonly url: string
  readonly authority: Authority
  /** Connections on their way, the oldest first. */
  readonly ways: ReadonlySet<Socket>
  /** Connections that have come about. */
  readonly opened: Array<TLSSocket>
  /** How each of them came about. */
  readonly handshakes: Array<{
    readonly isResumed: boolean
    readonly name: unknown
    readonly protocol: unknown
  }>
  /** Requests that have come. */
  calls: number
  answer: (socket: TLSSocket) => void
  /** What becomes of a new connection, whose first bytes are these, on its way; it goes on when `onward` is called. */
  meet: (hello: Buffer, onward: () => void, client: Socket) => void
  /** The connection below TLS that a client has to this one. */
  wayOf(socket: TLSSocket): Socket
  poolOf(): ConnectionPool
}

const closers: Array<() => void> = []

export const endSecureAfterEach = (): void =>
  void afterEach(() => {
    for (const close of closers.splice(0).toReversed()) close()
  })

export interface ProviderOptions {
  readonly certificate?: Certificate
  /** Those its own authority vouches for. */
  readonly names?: ReadonlyArray<string>
  readonly protocols?: ReadonlyArray<string>
  /** Whom it asks its clients to be vouched for by. */
  readonly asksFor?: Authority
}

export const startSecureProvider = async (options: ProviderOptions = {}): Promise<SecureProvider> => {
  const authority = makeAuthority()
  const opened: SecureProvider["opened"] = []
  const handshakes: SecureProvider["handshakes"] = []
  const server = createServer(
    {
      ...(options.certificate ?? authority.issue(...(options.names ?? ["localhost", "127.0.0.1"]))),
      ...(options.protocols !== undefined && { ALPNProtocols: [...options.protocols] }),
      ...(options.asksFor !== undefined && { requestCert: true, ca: options.asksFor.cert })
    },
    (socket) => {
      opened.push(socket)
      const name = "servername" in socket ? socket.servername : undefined
      handshakes.push({ isResumed: socket.isSessionReused(), name, protocol: socket.alpnProtocol })
      socket.on("error", () => {})
      socket.on("data", (data) => {
        if (!data.includes("POST ")) return
        provider.calls++
        provider.answer(socket)
      })
    }
  )
  server.on("tlsClientError", () => {})
  const port = await listen(server)
  const ways = new Set<Socket>()
  const clientsByPort = new Map<number, Socket>()
  const way = createWay((client) => {
    ways.add(client)
    client.on("error", () => {}).on("close", () => ways.delete(client))
    client.once("data", (hello) =>
      provider.meet(
        hello,
        () => {
          const onward = connect(port, "127.0.0.1").on("error", () => client.destroy())
          onward.on("connect", () => clientsByPort.set(onward.localPort!, client))
          onward.write(hello)
          client.pipe(onward)
          onward.pipe(client)
          client.on("close", () => onward.destroy())
        },
        client
      )
    )
  })
  const url = `https://localhost:${await listen(way)}`
  const pools: Array<ConnectionPool> = []
  closers.push(() => {
    for (const pool of pools) pool.close()
    for (const client of ways) client.destroy()
    for (const socket of opened) socket.destroy()
    way.close()
    server.close()
  })
  const provider: SecureProvider = {
    url,
    authority,
    ways,
    opened,
    handshakes,
    calls: 0,
    answer: (socket) => void socket.write(reply(200)),
    meet: (_, onward) => onward(),
    wayOf: (socket) => clientsByPort.get(socket.remotePort!)!,
    poolOf: () => {
      const pool = new ConnectionPool(endpointOf(url, { authorities: authority.cert }))
      pools.push(pool)
      return pool
    }
  }
  return provider
}
