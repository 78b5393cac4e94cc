/** Sockets to providers, plain or behind TLS, by way of a proxy or not. */
import { connect, isIP, type OnReadOpts, type Socket } from "node:net"
import { type ConnectionOptions, connect as connectTls } from "node:tls"
import { addressOf } from "../../outgoing/address-of.ts"
import { eachAddress } from "../../outgoing/each-address.ts"
import { openTunnel } from "../../outgoing/open-tunnel.ts"
import type { Endpoint } from "./Endpoint.ts"

/** Who hears of a socket. */
export interface SocketListener {
  connected(socket: Socket): void
  /** `bytes` are overwritten by the next ones. */
  read(bytes: Buffer): void
  drained(): void
  /** The other side has closed its own. */
  ended(): void
  /** `reason`: a code of the operating system, of TLS or of the proxy's. */
  failed(reason: string): void
}

/**
 * What has just come, on whichever connection of this thread: Node would take 64 KB for each piece and give most of it back,
 * which costs a call 2 to 4 % of its CPU, and as many calls a second.
 */
const received = Buffer.allocUnsafeSlow(64 * 1024)

/** For what lies between, which forgets connections that say nothing while a model thinks. */
const probeAfterMs = 60_000

/** Answers what ends it, at any time. */
export const openSocket = (endpoint: Endpoint, timeoutMs: number, listener: SocketListener): (() => void) => {
  const { hostname, lookup, port, proxy } = endpoint
  if (proxy === undefined) {
    const socket = listenTo(openDirectly(endpoint, listener), endpoint, listener)
    return () => socket.destroy()
  }
  let socket: Socket | undefined
  let isEnded = false
  addressOf(hostname, lookup, (failure, address) => {
    if (isEnded) return
    if (failure !== null) return listener.failed(failure.code ?? failure.name)
    socket = openTunnel(proxy, { hostname: address, port }, timeoutMs, (failure, tunnel) => {
      if (failure !== undefined) return listener.failed(failure.code)
      socket = openWithin(tunnel, endpoint, listener)
    })
  })
  return () => {
    isEnded = true
    socket?.destroy()
  }
}

const openDirectly = (endpoint: Endpoint, listener: SocketListener): Socket => {
  const onread: OnReadOpts = {
    buffer: received,
    callback: (length) => {
      listener.read(received.subarray(0, length))
      return true
    }
  }
  const { hostname, lookup, port } = endpoint
  const options = {
    host: hostname,
    port,
    ...eachAddress,
    onread,
    ...(lookup !== undefined && { lookup })
  }
  return endpoint.isSecure ? openSecure(endpoint, options) : connect(options)
}

/** Node reads into memory of one's own only where it has opened the socket itself. */
const openWithin = (tunnel: Socket, endpoint: Endpoint, listener: SocketListener): Socket => {
  const socket = endpoint.isSecure
    ? openSecure(endpoint, { host: endpoint.hostname, socket: tunnel })
    : tunnel
  listenTo(socket, endpoint, listener).on("data", (bytes: Buffer) => listener.read(bytes))
  if (socket === tunnel) {
    socket.resume()
    listener.connected(socket)
  }
  return socket
}

const listenTo = (socket: Socket, { isSecure }: Endpoint, listener: SocketListener): Socket =>
  socket
    .once(isSecure ? "secureConnect" : "connect", () => listener.connected(socket))
    .on("drain", () => listener.drained())
    .on("end", () => listener.ended())
    .on("error", (error) => listener.failed("code" in error ? String(error.code) : error.name))
    .on("close", () => listener.failed("closed"))
    // As options they would be passed over behind TLS.
    .setNoDelay(true)
    .setKeepAlive(true, probeAfterMs)

const openSecure = (endpoint: Endpoint, options: ConnectionOptions): Socket =>
  connectTls({
    ...options,
    ...(isIP(endpoint.hostname) === 0 && { servername: endpoint.hostname }),
    ...(endpoint.context !== undefined && { secureContext: endpoint.context }),
    ...(endpoint.session !== undefined && { session: endpoint.session }),
    ALPNProtocols: ["http/1.1"]
  })
    .on("session", (session) => {
      endpoint.session = session
    })
    // It may be of the session: with it the next connection would fail of the same, and so would all others.
    .on("error", () => {
      endpoint.session = undefined
    })
