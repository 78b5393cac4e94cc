/** Passkeys are of one host: that of the public address. */
import { isIP } from "node:net"

/** `undefined` where the address is an IP address, or neither HTTPS nor this machine: browsers have no passkeys there. */
export const passkeyHostOf = (publicUrl: string): string | undefined => {
  const { hostname, protocol } = new URL(publicUrl)
  const isName = isIP(hostname.replace(/^\[|\]$/g, "")) === 0
  return isName && (protocol === "https:" || hostname === "localhost") ? hostname : undefined
}
