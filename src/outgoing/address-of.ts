/** What a proxy is asked for: an address that was checked, or a name. */
import { isIP, type LookupFunction } from "node:net"

/** The name itself where nobody checks addresses: the proxy may know names that we do not. */
export const addressOf = (
  hostname: string,
  lookup: LookupFunction | undefined,
  done: (failure: NodeJS.ErrnoException | null, address: string) => void
): void => {
  if (lookup === undefined || isIP(hostname) !== 0) return done(null, hostname)
  lookup(hostname, { all: false }, (failure, address) => done(failure, String(address)))
}
