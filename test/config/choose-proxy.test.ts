import { assert, describe, it } from "@effect/vitest"
import { chooseProxy, placeOf } from "../../src/config/choose-proxy.ts"

const proxiesBut = (...none: ReadonlyArray<string>) => ({
  http: "http://plain:1",
  https: "http://secure:2",
  none
})

describe("the proxy to a place", () => {
  it("is that of its protocol", () => {
    assert.strictEqual(chooseProxy(proxiesBut(), placeOf("https://api.example.com/v1")), "http://secure:2")
    assert.strictEqual(chooseProxy(proxiesBut(), placeOf("http://api.example.com")), "http://plain:1")
    assert.isUndefined(chooseProxy({ ...proxiesBut(), https: undefined }, placeOf("https://api.example.com")))
  })

  it.each([
    "http://localhost:9",
    "http://a.localhost",
    "https://127.0.0.1",
    "http://127.8.9.1",
    "https://[::1]:9",
    "http://[::ffff:127.0.0.1]"
  ])("is none where it is this machine: %s", (url) =>
    assert.isUndefined(chooseProxy(proxiesBut(), placeOf(url)))
  )

  it.each([
    ["*", "https://example.com"],
    ["example.com", "https://example.com"],
    ["example.com", "https://api.example.com"],
    [".example.com", "https://api.example.com"],
    ["*.example.com", "https://a.b.example.com"],
    ["EXAMPLE.com", "https://api.Example.COM"],
    ["example.com", "https://api.example.com."],
    ["example.com:443", "https://example.com"],
    ["example.com:8443", "https://api.example.com:8443"],
    ["10.0.0.1", "http://10.0.0.1"],
    ["10.0.0.1:80", "http://10.0.0.1"],
    ["10.0.0.0/8", "http://10.200.3.4:9000"],
    ["fd00::/8", "http://[fd12::1]"],
    ["fd12::1", "http://[fd12:0::1]"],
    ["[fd12::1]:9000", "http://[fd12::1]:9000"]
  ])("is none by %s for %s", (entry, url) => {
    assert.isUndefined(chooseProxy(proxiesBut("other.test", entry), placeOf(url)))
  })

  it.each([
    ["example.com", "https://notexample.com"],
    ["example.com", "https://example.com.evil.test"],
    ["api.example.com", "https://example.com"],
    ["example.com:443", "https://example.com:8443"],
    ["10.0.0.1", "http://10.0.0.10"],
    ["10.0.0.0/8", "http://11.0.0.1"],
    ["10.0.0.0/8", "http://ten.example.com"],
    ["0.1", "http://10.0.0.1"],
    ["fd00::/8", "http://10.0.0.1"],
    ["[fd12::1]:9000", "http://[fd12::1]:9001"],
    [".", "https://example.com"],
    ["not/an/entry", "https://example.com"]
  ])("is not ruled out by %s for %s", (entry, url) => {
    assert.isDefined(chooseProxy(proxiesBut(entry), placeOf(url)))
  })
})
