import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { checkSettings } from "../../src/accounts/check-key-settings.ts"
import type { KeySettings } from "../../src/storage/keys/key-columns.ts"

const check = (settings: Partial<KeySettings>) => Effect.runSyncExit(checkSettings(settings))

describe("what is set on a key", () => {
  it("is kept in one form", () => {
    const kept = check({
      name: " a ",
      allowedIps: ["203.0.113.7", "2001:db8::1", "10.0.0.0/8"],
      models: ["a*", "a*"]
    })
    assert.deepStrictEqual(
      kept,
      Exit.succeed({
        name: "a",
        allowedIps: ["203.0.113.7/32", "2001:db8::1/128", "10.0.0.0/8"],
        models: ["a*"]
      })
    )
  })

  it.each([
    ["::ffff:203.0.113.7", "203.0.113.7/32"],
    ["::ffff:203.0.113.0/120", "203.0.113.0/24"],
    ["::ffff:0:0/96", "0.0.0.0/0"],
    ["::ffff:0:0/95", "::ffff:0:0/95"]
  ])("is of IPv4 where it says so in IPv6: %s", (given, kept) => {
    assert.deepStrictEqual(check({ allowedIps: [given] }), Exit.succeed({ allowedIps: [kept] }))
  })

  it.each([
    ["no budget of nothing", { budget: { amount: 0n, period: "day" } }],
    ["no budget of an hour", { budget: { amount: 1n, period: "hour" as "day" } }],
    ["no star in the middle", { models: ["claude-*-5"] }],
    ["no model without a name", { models: [""] }],
    ["no empty list", { models: [] }],
    ["no endless list", { models: Array.from({ length: 51 }, (_, index) => `m${index}`) }],
    ["no unknown endpoint", { endpoints: ["chat" as "messages"] }],
    ["no name as an address", { allowedIps: ["example.com"] }],
    ["no half address", { allowedIps: ["10.0/8"] }],
    ["no range wider than all", { allowedIps: ["10.0.0.0/33"] }],
    ["no interface of one machine", { allowedIps: ["fe80::1%eth0"] }],
    ["no range of a range", { allowedIps: ["10.0.0.0/8/8"] }],
    ["no date that is none", { expiresAt: new Date(Number.NaN) }],
    ["no limit below nothing", { rateLimitPerMinute: -1 }]
  ] as ReadonlyArray<readonly [string, Partial<KeySettings>]>)("is %s", (_, settings) => {
    assert.isTrue(Exit.isFailure(check(settings)))
  })
})
