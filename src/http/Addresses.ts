/** Where connections come from, and how many from where. */
import type { HttpResponse } from "uWebSockets.js"

/** One caller's address; of IPv6 its network of 64 bits, all of which one caller may have. */
export interface Address {
  readonly key: string
  /** For lists of addresses. */
  readonly text: string
  /** Connections open from there. */
  count: number
  /** Kept of bodies from there whose callers are not known. */
  bodyBytes: number
  /** Rises when it can not be told which of the connections at rest from there has gone. */
  doubts: number
}

export class Addresses {
  readonly #open = new Map<string, Address>()

  /** Of a connection that is open. */
  of(handle: HttpResponse): Address {
    const bytes = Buffer.from(handle.getRemoteAddress())
    const isMapped = bytes.length === 16 && bytes.subarray(0, 12).equals(mappedPrefix)
    const own = isMapped ? bytes.subarray(12) : bytes
    const key = own.toString("latin1", 0, Math.min(own.length, 8))
    const known = this.#open.get(key)
    if (known !== undefined) return known
    const text = own.length === 4 ? own.join(".") : Buffer.from(handle.getRemoteAddressAsText()).toString()
    const address = { key, text, count: 0, bodyBytes: 0, doubts: 0 }
    this.#open.set(key, address)
    return address
  }

  opened(address: Address): void {
    address.count++
  }

  closed(address: Address): void {
    address.count--
    if (address.count === 0) this.#open.delete(address.key)
  }
}

/** Of an IPv4 address as IPv6 writes it. */
const mappedPrefix = Buffer.from("00000000000000000000ffff", "hex")
