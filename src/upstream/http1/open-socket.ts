/** Sockets to providers, plain or behind TLS. */
import { connect, isIP, type OnReadOpts, type Socket, type TcpNetConnectOpts } from "node:net"
import { connect as connectTls } from "node:tls"
import { eachAddress } from "../each-address.ts"
import type { Endpoint } from "./Endpoint.ts"

/**
 * What has just come, on whichever connection of this thread: Node would take 64 KB for each piece and give most of it back,
 * which costs a call 2 to 4 % of its CPU, and as many calls a second.
 */
export const received: Buffer = Buffer.allocUnsafeSlow(64 * 1024)

/** For what lies between, which forgets connections that say nothing while a model thinks. */
const probeAfterMs = 60_000

/** `onRead` is told of so many bytes in `received`, and has to be done with them when it returns. */
export const openSocket = (endpoint: Endpoint, onRead: (length: number) => void): Socket => {
  const onread: OnReadOpts = {
    buffer: received,
    callback: (length) => {
      onRead(length)
      return true
    }
  }
  const options: TcpNetConnectOpts = {
    host: endpoint.hostname,
    port: endpoint.port,
    ...eachAddress,
    onread
  }
  const socket = endpoint.isSecure ? openSecure(endpoint, options) : connect(options)
  // As options they would be passed over behind TLS.
  return socket.setNoDelay(true).setKeepAlive(true, probeAfterMs)
}

const openSecure = (endpoint: Endpoint, options: TcpNetConnectOpts): Socket =>
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
