/** How undici's clients, and AWS's, come to their connections: by way of the proxy that leads to a place, where there is one. */
import { Agent as HttpsAgent, type RequestOptions } from "node:https"
import { isIP, type LookupFunction } from "node:net"
import type { Duplex } from "node:stream"
import { connect as connectTls } from "node:tls"
import { Agent, buildConnector } from "undici"
import { chooseProxy, type Place, type Proxies } from "../config/choose-proxy.ts"
import { addressOf } from "./address-of.ts"
import { eachAddress } from "./each-address.ts"
import { openTunnel } from "./open-tunnel.ts"
import { trustSystem } from "./trust-system.ts"

const connectTimeoutMs = 10_000

export interface OutwardOptions {
  /** Finds, and may refuse, the addresses of a name; by way of a proxy too, which is then asked for an address. */
  readonly lookup?: LookupFunction
}

export const outwardAgent = (proxies: Proxies): Agent =>
  new Agent({ connect: outwardConnector(proxies), allowH2: false })

export const outwardConnector = (
  proxies: Proxies,
  { lookup }: OutwardOptions = {}
): buildConnector.connector => {
  const options = {
    timeout: connectTimeoutMs,
    allowH2: false,
    ...eachAddress,
    ...(lookup !== undefined && { lookup })
  }
  const connect = buildConnector(options)
  return (asked, done) => {
    const isSecure = asked.protocol === "https:"
    if (isSecure) trustSystem()
    const hostname = asked.hostname.replace(/^\[|\]$/g, "")
    const place: Place = { isSecure, hostname, port: Number(asked.port) || (isSecure ? 443 : 80) }
    const proxy = chooseProxy(proxies, place)
    if (proxy === undefined) return connect(asked, done)
    addressOf(hostname, lookup, (failure, address) => {
      if (failure !== null) return done(failure, null)
      openTunnel(proxy, { hostname: address, port: place.port }, connectTimeoutMs, (failure, socket) => {
        if (failure !== undefined) done(failure, null)
        else if (isSecure) connect({ ...asked, httpSocket: socket }, done)
        else done(null, socket)
      })
    })
  }
}

/** For clients that take an agent of Node's own. */
export class OutwardAgent extends HttpsAgent {
  readonly #proxies: Proxies

  constructor(proxies: Proxies) {
    super({ keepAlive: false })
    this.#proxies = proxies
  }

  override createConnection(
    options: RequestOptions,
    done: (failure: Error | null, socket: Duplex) => void = () => {}
  ): Duplex | null | undefined {
    trustSystem()
    const hostname = String(options.host ?? options.hostname)
    const port = Number(options.port ?? 443)
    const proxy = chooseProxy(this.#proxies, { isSecure: true, hostname, port })
    if (proxy === undefined) return super.createConnection(options, done)
    openTunnel(proxy, { hostname, port }, connectTimeoutMs, (failure, socket) => {
      if (failure !== undefined) return done(failure, socket)
      const servername = isIP(hostname) === 0 ? { servername: hostname } : {}
      done(null, connectTls({ host: hostname, socket, ...servername }))
    })
    return undefined
  }
}
