/** Where a provider is, and what it takes to be connected with it. */
import { createSecureContext, type SecureContext } from "node:tls"

export interface Identity {
  /** Authorities in PEM that vouch for the provider, and nobody else does; else those that the program trusts. */
  readonly authorities?: string | undefined
  /** Whom we show ourselves as, both in PEM. */
  readonly certificate?: string | undefined
  readonly key?: string | undefined
}

export interface Endpoint {
  readonly origin: string
  readonly isSecure: boolean
  /** As a request names it: with its port, unless that is the usual one. */
  readonly host: string
  readonly hostname: string
  readonly port: number
  /** Made once: to read all authorities again for each connection would cost more than its handshake. */
  readonly context: SecureContext | undefined
  /** What the last connection has agreed upon with the provider: with it the next one needs less time and CPU. */
  session: Buffer | undefined
}

export const endpointOf = (url: string, { authorities, certificate, key }: Identity = {}): Endpoint => {
  const { host, hostname, origin, port, protocol } = new URL(url)
  const isSecure = protocol === "https:"
  return {
    origin,
    isSecure,
    host,
    hostname: hostname.replace(/^\[|\]$/g, ""),
    port: port === "" ? (isSecure ? 443 : 80) : Number(port),
    context: isSecure ? createSecureContext({ ca: authorities, cert: certificate, key }) : undefined,
    session: undefined
  }
}
