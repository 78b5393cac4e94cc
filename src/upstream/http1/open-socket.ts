/** Sockets to providers, plain or behind TLS. */
import { connect, isIP, type OnReadOpts, type Socket, type TcpNetConnectOpts } from "node:net"
import { connect as connectTls } from "node:tls"
import { eachAddress } from "../each-address.ts"

export interface Origin {
  readonly isSecure: boolean
  /** As a request names it: with its port, unless that is the usual one. */
  readonly host: string
  readonly hostname: string
  readonly port: number
  /** What the last connection has agreed upon with the provider: with it the next one needs less time and CPU. */
  session: Buffer | undefined
}

export const originOf = (url: string): Origin => {
  const { host, hostname, port, protocol } = new URL(url)
  const isSecure = protocol === "https:"
  return {
    isSecure,
    host,
    hostname: hostname.replace(/^\[|\]$/g, ""),
    port: port === "" ? (isSecure ? 443 : 80) : Number(port),
    session: undefined
  }
}

/**
 * What has just come, on whichever connection of this thread: Node would take 64 KB for each piece and give most of it back,
 * which costs a call 2 to 4 % of its CPU, and as many calls a second.
 */
export const received: Buffer = Buffer.allocUnsafeSlow(64 * 1024)

/** For what lies between, which forgets connections that say nothing while a model thinks. */
const probeAfterMs = 60_000

/** `onRead` is told of so many bytes in `received`, and has to be done with them when it returns. */
export const openSocket = (origin: Origin, onRead: (length: number) => void): Socket => {
  const onread: OnReadOpts = {
    buffer: received,
    callback: (length) => {
      onRead(length)
      return true
    }
  }
  const options: TcpNetConnectOpts = {
    host: origin.hostname,
    port: origin.port,
    ...eachAddress,
    onread
  }
  const socket = origin.isSecure ? openSecure(origin, options) : connect(options)
  // As options they would be passed over behind TLS.
  return socket.setNoDelay(true).setKeepAlive(true, probeAfterMs)
}

const openSecure = (origin: Origin, options: TcpNetConnectOpts): Socket =>
  connectTls({
    ...options,
    ...(isIP(origin.hostname) === 0 && { servername: origin.hostname }),
    ...(origin.session !== undefined && { session: origin.session }),
    ALPNProtocols: ["http/1.1"]
  })
    .on("session", (session) => {
      origin.session = session
    })
    // It may be of the session: with it the next connection would fail of the same, and so would all others.
    .on("error", () => {
      origin.session = undefined
    })
