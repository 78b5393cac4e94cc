/** Where a provider is, and what it takes to be connected with it. */
import type { LookupFunction } from "node:net"
import { createSecureContext, type SecureContext } from "node:tls"
import { placeOf } from "../../config/choose-proxy.ts"
import type { Passage } from "../../config/settings.ts"
import { checkedLookup, publicOr } from "../../outgoing/public-address.ts"
import { trustSystem } from "../../outgoing/trust-system.ts"

export interface Endpoint {
  readonly origin: string
  readonly isSecure: boolean
  /** As a request names it: with its port, unless that is the usual one. */
  readonly host: string
  readonly hostname: string
  readonly port: number
  readonly proxy: string | undefined
  /** Where not every address of its name may be connected with. */
  readonly lookup: LookupFunction | undefined
  /** Made once: to read all authorities again for each connection would cost more than its handshake. */
  readonly context: SecureContext | undefined
  /** What the last connection has agreed upon with the provider: with it the next one needs less time and CPU. */
  session: Buffer | undefined
}

export const endpointOf = (url: string, passage: Passage = {}): Endpoint => {
  const { host, origin } = new URL(url)
  const place = placeOf(url)
  return {
    origin,
    host,
    ...place,
    proxy: passage.proxy,
    lookup: passage.publicOr === undefined ? undefined : checkedLookup(publicOr(passage.publicOr)),
    context: place.isSecure ? contextOf(passage) : undefined,
    session: undefined
  }
}

const contextOf = ({ authorities, certificate, key }: Passage): SecureContext => {
  if (authorities === undefined) trustSystem()
  return createSecureContext({ ca: authorities, cert: certificate, key })
}
