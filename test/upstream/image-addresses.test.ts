import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { isPublicAddress } from "../../src/outgoing/public-address.ts"
import { makeFetcher, reasonOf } from "./file-server.ts"

describe("an address that callers may name", () => {
  it.each(["8.8.8.8", "1.1.1.1", "2606:4700:4700::1111", "::ffff:8.8.8.8"])("may be %s", (address) => {
    assert.isTrue(isPublicAddress(address))
  })

  it.each([
    "127.0.0.1",
    "127.255.0.9",
    "0.0.0.0",
    "10.1.2.3",
    "172.16.0.1",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "100.100.100.200",
    "192.0.0.192",
    "192.0.2.1",
    "198.18.0.1",
    "224.0.0.1",
    "240.0.0.1",
    "255.255.255.255",
    "168.63.129.16",
    "::",
    "::1",
    "::7f00:1",
    "::ffff:127.0.0.1",
    "::ffff:169.254.169.254",
    "::ffff:0:127.0.0.1",
    "64:ff9b::7f00:1",
    "64:ff9b:1::a00:1",
    "2002:7f00:1::",
    "2001::1",
    "2001:db8::1",
    "100::1",
    "fe80::1",
    "fec0::1",
    "fc00::1",
    "fd00:ec2::254",
    "ff02::1",
    "rubbish"
  ])("may not be %s", (address) => {
    assert.isFalse(isPublicAddress(address))
  })
})

describe("an image URL that is refused before anything is sent", () => {
  it.effect.each([
    ["http://127.0.0.1/", "its address is not public"],
    ["http://2130706433/", "its address is not public"],
    ["http://0x7f.1/", "its address is not public"],
    ["http://0177.0.0.1/", "its address is not public"],
    ["http://127.1/", "its address is not public"],
    ["http://①②⑦.0.0.1/", "its address is not public"],
    ["http://169.254.169.254/latest/meta-data/", "its address is not public"],
    ["http://[::1]:8080/", "its address is not public"],
    ["http://[::ffff:7f00:1]/", "its address is not public"],
    ["http://[64:ff9b::a9fe:a9fe]/", "its address is not public"],
    ["http://user:secret@example.com/a.png", "it carries credentials"],
    ["http://example.com:22/a.png", "its port is not allowed"],
    ["ftp://example.com/a.png", "it is not an http URL"],
    ["file:///etc/passwd", "it is not an http URL"],
    ["not a url", "it is not a URL"]
  ] as const)("%s: %s", ([url, reason]) =>
    Effect.gen(function* () {
      const fetcher = yield* makeFetcher({
        resolve: () => assert.fail("nothing may be looked up")
      })
      assert.strictEqual(yield* reasonOf(fetcher, url), reason)
    })
  )
})
