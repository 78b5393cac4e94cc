/** Which connections count as one caller's. */
import { assert, describe, it } from "@effect/vitest"
import type { HttpResponse } from "uWebSockets.js"
import { Addresses } from "../../src/http/Addresses.ts"

/** As uWebSockets.js tells of it; IPv6 in hexadecimal. */
const handle = (hex: string, text: string): HttpResponse =>
  ({
    getRemoteAddress: () => new Uint8Array(Buffer.from(hex, "hex")).buffer,
    getRemoteAddressAsText: () => new TextEncoder().encode(text).buffer
  }) as unknown as HttpResponse

const plain = handle("c6336407", "198.51.100.7")
const mapped = handle("00000000000000000000ffffc6336407", "0000:0000:0000:0000:0000:ffff:c633:6407")
const neighbour = handle("c6336408", "198.51.100.8")
const ofIpv6 = (network: string, host: string) => handle(`${network}${host}`, `${network}:${host}`)

describe("an address", () => {
  it("is the same of IPv4 and of IPv4 as IPv6 writes it, and another for each caller", () => {
    const addresses = new Addresses()
    const address = addresses.of(mapped)
    assert.strictEqual(address.text, "198.51.100.7")
    assert.strictEqual(addresses.of(plain), address)
    assert.notStrictEqual(addresses.of(neighbour), address)
  })

  it("of IPv6 is its network of 64 bits, told as the first that came from there", () => {
    const addresses = new Addresses()
    const address = addresses.of(ofIpv6("20010db800000001", "0000000000000001"))
    assert.strictEqual(address.text, "20010db800000001:0000000000000001")
    assert.strictEqual(addresses.of(ofIpv6("20010db800000001", "ffffffffffffffff")), address)
    assert.notStrictEqual(addresses.of(ofIpv6("20010db800000002", "0000000000000001")), address)
    // Of which the first bytes alone, or the last, are as in IPv4 that is mapped.
    const zeros = addresses.of(ofIpv6("0000000000000000", "00000000c6336407"))
    assert.notStrictEqual(zeros, addresses.of(plain))
  })

  it("is known for as long as a connection from there is open", () => {
    const addresses = new Addresses()
    const address = addresses.of(plain)
    assert.deepInclude(address, { count: 0, bodyBytes: 0, doubts: 0 })
    addresses.opened(address)
    addresses.opened(addresses.of(plain))
    assert.strictEqual(address.count, 2)
    addresses.closed(address)
    assert.strictEqual(addresses.of(plain), address)
    addresses.closed(address)
    assert.notStrictEqual(addresses.of(plain), address)
  })
})
