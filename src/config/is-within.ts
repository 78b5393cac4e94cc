import ipaddr from "ipaddr.js"

/** Whether an address is of a range as `10.0.0.0/8`, or that one address. IPv4 within IPv6 counts as IPv4; what is no address, is within none. */
export const isWithin = (text: string, range: string): boolean => {
  if (!ipaddr.isValid(text)) return false
  const address = ipaddr.process(text)
  const [network, bits] = ipaddr.parseCIDR(
    range.includes("/") ? range : `${range}/${range.includes(":") ? 128 : 32}`
  )
  return address.kind() === network.kind() && address.match(network, bits)
}
