/** Which proxy leads to a place, as `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` say it. */
import ipaddr from "ipaddr.js"
import { isIP } from "node:net"
import { isWithin } from "./is-within.ts"

export interface Proxies {
  /** Addresses of proxies, with credentials where they ask for them: for places of `http:`, and of `https:` and all others. */
  readonly http: string | undefined
  readonly https: string | undefined
  /** Places that are reached without one: `*`, names with all below them, addresses, ranges of addresses, each perhaps with a port. */
  readonly none: ReadonlyArray<string>
}

export const noProxies: Proxies = { http: undefined, https: undefined, none: [] }

export interface Place {
  readonly isSecure: boolean
  /** Without brackets. */
  readonly hostname: string
  readonly port: number
}

const usualPorts: Readonly<Record<string, number>> = {
  "http:": 80,
  "https:": 443,
  "smtp:": 587,
  "smtps:": 465
}

/** Whatever is not plain http goes by the proxy for https: there is no other word for it. */
export const placeOf = (url: string): Place => {
  const { hostname, port, protocol } = new URL(url)
  return {
    isSecure: protocol !== "http:",
    hostname: hostname.replace(/^\[|\]$/g, ""),
    port: port === "" ? usualPorts[protocol]! : Number(port)
  }
}

/** This machine itself is never reached by way of another one. */
export const chooseProxy = (proxies: Proxies, place: Place): string | undefined => {
  const proxy = place.isSecure ? proxies.https : proxies.http
  if (proxy === undefined || isLoopback(place.hostname)) return undefined
  return proxies.none.some((entry) => covers(entry, place)) ? undefined : proxy
}

export const isLoopback = (hostname: string): boolean =>
  isIP(hostname) === 0
    ? hostname === "localhost" || hostname.endsWith(".localhost")
    : ipaddr.process(hostname).range() === "loopback"

const covers = (entry: string, { hostname, port }: Place): boolean => {
  if (entry === "*") return true
  if (isIP(hostname) !== 0 && ipaddr.isValidCIDR(entry)) return isWithin(hostname, entry)
  const [, name = entry, ownPort] = /^(\[.*\]|[^:]*):(\d+)$/.exec(entry) ?? []
  if (ownPort !== undefined && Number(ownPort) !== port) return false
  const bare = name.toLowerCase().replace(/^\[|\]$|^\*?\./g, "")
  if (isIP(hostname) !== 0) return isIP(bare) !== 0 && sameAddress(bare, hostname)
  const host = hostname.toLowerCase().replace(/\.$/, "")
  return bare !== "" && (host === bare || host.endsWith(`.${bare}`))
}

const sameAddress = (left: string, right: string): boolean =>
  ipaddr.process(left).toNormalizedString() === ipaddr.process(right).toNormalizedString()
