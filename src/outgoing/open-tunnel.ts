/** Connections by way of a proxy, which is asked by CONNECT for one to a place and then knows nothing of what passes (RFC 9110, section 9.3.6). */
import { connect, isIP, type Socket } from "node:net"
import { connect as connectTls } from "node:tls"
import { eachAddress } from "./each-address.ts"
import { trustSystem } from "./trust-system.ts"

export interface Target {
  readonly hostname: string
  readonly port: number
}

/** The proxy has opened no way; `code` says why in a few words and holds neither its address nor its credentials. */
export class TunnelFailed extends Error {
  readonly code: string

  constructor(reason: string) {
    super(`no way through the proxy: ${reason}`)
    this.code = `proxy ${reason}`
  }
}

const headBytesMax = 16 * 1024
const headEnd = "\r\n\r\n"

/**
 * `proxy`: its address, with credentials where it asks for them. `done` is called once; what is answered until then may be
 * destroyed by whoever waits no longer.
 */
export const openTunnel = (
  proxy: string,
  target: Target,
  timeoutMs: number,
  done: (failure: TunnelFailed | undefined, socket: Socket) => void
): Socket => {
  const { authorization, isSecure, socket } = connectTo(new URL(proxy))
  let head = ""
  const settle = (failure?: TunnelFailed): void => {
    clearTimeout(timer)
    socket.off("data", read).off("error", fail).off("close", ended).pause()
    // What breaks it later is told to whoever uses it then; what has been given up breaks for nobody.
    socket.on("error", () => {})
    if (failure !== undefined) socket.destroy()
    done(failure, socket)
  }
  const fail = (error: NodeJS.ErrnoException) => settle(new TunnelFailed(error.code ?? error.name))
  const ended = () => settle(new TunnelFailed("closed"))
  const timer = setTimeout(() => settle(new TunnelFailed("timeout")), timeoutMs)
  const read = (bytes: Buffer): void => {
    head += bytes.toString("latin1")
    const end = head.indexOf(headEnd)
    if (end === -1) return head.length > headBytesMax ? settle(new TunnelFailed("malformed")) : undefined
    const status = /^HTTP\/1\.[01] ([2-5]\d\d)/.exec(head)?.[1]
    if (status?.startsWith("2") !== true) return settle(new TunnelFailed(status ?? "malformed"))
    const rest = head.slice(end + headEnd.length)
    settle()
    // The other side may have spoken first, as a mail server does.
    if (rest !== "") socket.unshift(Buffer.from(rest, "latin1"))
  }
  socket
    .once(isSecure ? "secureConnect" : "connect", () => socket.write(requestFor(target, authorization)))
    .on("data", read)
    .on("error", fail)
    .on("close", ended)
  return socket
}

const connectTo = ({ hostname, password, port, protocol, username }: URL) => {
  const isSecure = protocol === "https:"
  const host = hostname.replace(/^\[|\]$/g, "")
  const options = { host, port: port === "" ? (isSecure ? 443 : 80) : Number(port), ...eachAddress }
  const servername = isIP(host) === 0 ? { servername: host } : {}
  if (isSecure) trustSystem()
  const socket = isSecure
    ? connectTls({ ...options, ...servername, ALPNProtocols: ["http/1.1"] })
    : connect(options)
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return {
    isSecure,
    socket: socket.setNoDelay(true),
    authorization:
      credentials === ":"
        ? ""
        : `proxy-authorization: Basic ${Buffer.from(credentials).toString("base64")}\r\n`
  }
}

const requestFor = ({ hostname, port }: Target, authorization: string): string => {
  const authority = `${hostname.includes(":") ? `[${hostname}]` : hostname}:${port}`
  return `CONNECT ${authority} HTTP/1.1\r\nhost: ${authority}\r\n${authorization}\r\n`
}
