import ipaddr from "ipaddr.js"

/** Whom limits take for one caller: whoever has one IPv6 address has a whole block of them. */
export const addressBlock = (text: string): string => {
  if (!ipaddr.isValid(text)) return text
  const address = ipaddr.process(text)
  if (address.kind() === "ipv4") return address.toString()
  return `${address.toByteArray().slice(0, 8).join(".")}/64`
}
