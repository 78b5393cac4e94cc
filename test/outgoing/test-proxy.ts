/** A proxy that opens a way by CONNECT, for tests: every name leads to this machine. */
import { connect, createServer as createPlain, type Server, type Socket } from "node:net"
import { createServer as createSecure } from "node:tls"
import { afterEach } from "vitest"
import type { Certificate } from "../certificates.ts"
import { listen } from "../listen.ts"

export interface TestProxy {
  /** With the credentials that it asks for. */
  readonly url: string
  /** What it was asked for, `host:port`. */
  readonly asked: Array<string>
  /** Heads of requests as they came. */
  readonly heads: Array<string>
  readonly open: ReadonlySet<Socket>
  /** Instead of opening the way. */
  answer: ((socket: Socket) => void) | undefined
}

export interface ProxyOptions {
  readonly credentials?: readonly [user: string, password: string]
  /** It is spoken to over TLS, as `localhost`. */
  readonly certificate?: Certificate
}

const closers: Array<() => void> = []
export const endProxies = (): void => {
  for (const close of closers.splice(0)) close()
}
export const endProxiesAfterEach = (): void => void afterEach(endProxies)

export const startTestProxy = async (options: ProxyOptions = {}): Promise<TestProxy> => {
  const { certificate, credentials } = options
  const open = new Set<Socket>()
  const keep = (socket: Socket) => {
    open.add(socket)
    socket.on("error", () => {}).on("close", () => open.delete(socket))
  }
  const expected = credentials && `Basic ${Buffer.from(credentials.join(":")).toString("base64")}`
  const serve = (socket: Socket) => {
    keep(socket)
    socket.once("data", (bytes) => {
      const head = bytes.toString()
      proxy.heads.push(head)
      const [, host = "", port = ""] = /^CONNECT (\S+):(\d+) HTTP\/1\.1\r\n/.exec(head) ?? []
      if (expected !== undefined && !head.includes(`\r\nproxy-authorization: ${expected}\r\n`))
        return void socket.end("HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n")
      proxy.asked.push(`${host}:${port}`)
      if (proxy.answer !== undefined) return proxy.answer(socket)
      const onward = connect(Number(port), "127.0.0.1", () => {
        socket.write("HTTP/1.1 200 Connection established\r\n\r\n")
        socket.pipe(onward)
        onward.pipe(socket)
      })
      keep(onward)
      onward.on("error", () => socket.end("HTTP/1.1 502 Bad Gateway\r\n\r\n"))
      socket.on("close", () => onward.destroy())
    })
  }
  const server: Server = certificate === undefined ? createPlain(serve) : createSecure(certificate, serve)
  const port = await listen(server)
  closers.push(() => {
    for (const socket of open) socket.destroy()
    server.close()
  })
  const user = credentials === undefined ? "" : `${credentials.map(encodeURIComponent).join(":")}@`
  const proxy: TestProxy = {
    url: `${certificate === undefined ? "http" : "https"}://${user}localhost:${port}`,
    asked: [],
    heads: [],
    open,
    answer: undefined
  }
  return proxy
}
