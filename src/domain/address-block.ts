import ipaddr from "ipaddr.js"

/** As people write it: an IPv4 address that came within IPv6 as itself, zeros of IPv6 left out. */
export const plainAddress = (text: string): string =>
  ipaddr.isValid(text) ? ipaddr.process(text).toString() : text

/** Whom limits take for one caller: whoever has one IPv6 address has a whole block of them. */
export const addressBlock = (text: string): string => {
  if (!ipaddr.isValid(text)) return text
  const address = ipaddr.process(text)
  if (address.kind() === "ipv4") return address.toString()
  const { parts } = address as ipaddr.IPv6
  return `${new ipaddr.IPv6([...parts.slice(0, 4), 0, 0, 0, 0])}/64`
}
