/** Who asks, as far as limits can tell them apart. */
import ipaddr from "ipaddr.js"
import type { Incoming } from "./exchange.ts"

/** The gateway writes this header itself and strips the caller's own. */
export const callerAddress = (incoming: Pick<Incoming, "header">): string =>
  addressBlock(incoming.header("x-real-ip"))

/** Whoever has one IPv6 address has a whole block of them. */
export const addressBlock = (text: string): string => {
  if (!ipaddr.isValid(text)) return text
  const address = ipaddr.process(text)
  if (address.kind() === "ipv4") return address.toString()
  return `${address.toByteArray().slice(0, 8).join(".")}/64`
}
