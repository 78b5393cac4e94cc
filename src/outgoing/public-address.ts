/** Keeps what others name as a place to call from being a place inside our own network. */
import ipaddr from "ipaddr.js"
import { lookup as dnsLookup, type LookupAddress } from "node:dns"
import { isIP, type LookupFunction } from "node:net"
import { isWithin } from "../config/is-within.ts"

/** Whether an address may be connected with. */
export type MayReach = (address: string) => boolean

export type Resolve = (
  hostname: string,
  done: (error: Error | null, addresses: Array<LookupAddress>) => void
) => void

/** Why a place may not be called. Whether its name is not known, or known inside alone, is one answer. */
export type PlaceProblem =
  | "it is not a URL"
  | "it is not an http URL"
  | "it carries credentials"
  | "its port is not allowed"
  | "its address is not public"
  | "its name is not public"

/** The URL as it will be called, or what is wrong with it. */
export const checkPlace = (text: string, mayReach: MayReach, base?: URL): URL | PlaceProblem => {
  const url = URL.parse(text, base?.href)
  if (url === null) return "it is not a URL"
  if (url.protocol !== "http:" && url.protocol !== "https:") return "it is not an http URL"
  if (url.username !== "" || url.password !== "") return "it carries credentials"
  // A literal address is never looked up. The parser has made 127.0.0.1 of 0x7f.1, 2130706433 and the like.
  const literal = url.hostname.replace(/^\[|\]$/g, "")
  const port = url.port === "" ? 443 : Number(url.port)
  if (port < 1024 && port !== 80 && port !== 443) return "its port is not allowed"
  if (isIP(literal) !== 0) return mayReach(literal) ? url : "its address is not public"
  // A single word is a name of the inside, where the resolver would complete it.
  return literal.replace(/\.$/, "").includes(".") ? url : "its name is not public"
}

/** None of a name's addresses may be connected with, or it has none. */
export class NoPublicAddress extends Error {
  readonly code = "NO_PUBLIC_ADDRESS"
  constructor() {
    super("no public address")
  }
}

/** The connection goes to the very addresses checked here, so a second answer of the name's server changes nothing. */
export const checkedLookup =
  (mayReach: MayReach, resolve: Resolve = resolveAll): LookupFunction =>
  (hostname, options, done) => {
    resolve(hostname, (error, addresses) => {
      if (error !== null) return done(error, [])
      const safe: Array<LookupAddress> = addresses.filter(
        ({ address, family }) =>
          mayReach(address) &&
          (options.family === 4 || options.family === 6 ? family === options.family : true)
      )
      const first = safe[0]
      if (first === undefined) return done(new NoPublicAddress(), [])
      if (options.all === true) done(null, safe)
      else done(null, first.address, first.family)
    })
  }

const resolveAll: Resolve = (hostname, done) =>
  dnsLookup(hostname, { all: true }, (error, addresses) => done(error, addresses ?? []))

/** Anyone on the internet could reach this address: no private, local, metadata, reserved or tunnelled one. */
export const isPublicAddress: MayReach = (address) => {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.process(address)
  if (parsed.range() !== "unicast" || cloudInternal.has(parsed.toString())) return false
  // Of IPv6 only 2000::/3 is handed out; ::7f00:1 and its like would be unicast otherwise.
  return parsed.kind() === "ipv4" || (parsed.toByteArray()[0]! & 0xe0) === 0x20
}

/** Azure's host service; it looks public but answers inside only. */
const cloudInternal: ReadonlySet<string> = new Set(["168.63.129.16"])

/** Public ones, and those of these ranges (`10.0.0.0/8`, or one address). */
export const publicOr =
  (ranges: ReadonlyArray<string>): MayReach =>
  (address) =>
    isPublicAddress(address) || ranges.some((range) => isWithin(address, range))
