import { assert, describe, it } from "@effect/vitest"
import { addressBlock } from "../../src/domain/address-block.ts"
import { RateLimits } from "../../src/dashboard/rate-limits.ts"

const start = 1_000_000

describe("what may be done so often", () => {
  it("is refused beyond that until the window ends", () => {
    const limits = new RateLimits(true)
    const take = (nowMs: number) => limits.take("sign-in", "lan", 2, 60_000, nowMs)
    assert.deepStrictEqual([take(start), take(start), take(start + 1_000)], [0, 0, 59])
    assert.strictEqual(take(start + 60_000), 0)
    assert.strictEqual(limits.take("sign-in", "minh", 2, 60_000, start), 0)
  })

  it("is refused for no longer where the clock is set back, and counted on", () => {
    const limits = new RateLimits(true)
    const take = (nowMs: number) => limits.take("sign-in", "lan", 2, 60_000, nowMs)
    assert.deepStrictEqual([take(start + 3_600_000), take(start), take(start)], [0, 0, 60])
    assert.deepStrictEqual([take(start + 59_000), take(start + 60_000)], [1, 0])
  })

  it("does not count what is given back", () => {
    const limits = new RateLimits(true)
    for (let time = 0; time < 10; time++) {
      assert.strictEqual(limits.take("sign-in", "lan", 1, 60_000, start), 0)
      limits.giveBack("sign-in", "lan")
    }
    limits.giveBack("sign-in", "nobody")
    assert.strictEqual(limits.take("sign-in", "lan", 1, 60_000, start), 0)
    assert.strictEqual(limits.take("sign-in", "lan", 1, 60_000, start), 60)
  })

  it("is not forgotten for made-up subjects, but for as many as there is room for", () => {
    const limits = new RateLimits(true)
    const take = (subject: string) => limits.take("sign-in", subject, 1, 60_000, start)
    for (let subject = 0; subject < 40_000; subject++) take(`early-${subject}`)
    take("lan")
    for (let subject = 0; subject < 40_000; subject++) take(`late-${subject}`)
    assert.isAbove(take("lan"), 0)
  })
})

describe("callers are told apart", () => {
  it.each([
    ["203.0.113.7", "203.0.113.7", true],
    ["203.0.113.7", "203.0.113.8", false],
    ["::ffff:203.0.113.7", "203.0.113.7", true],
    ["2001:db8:1:2::1", "2001:db8:1:2:ffff::9", true],
    ["2001:db8:1:2::1", "2001:0db8:0001:0002:0000:0000:0000:0000", true],
    ["2001:db8:1:2::1", "2001:db8:1:3::1", false],
    ["", "", true]
  ])("%s and %s: %s are one", (one, other, areOne) => {
    assert.strictEqual(addressBlock(one) === addressBlock(other), areOne)
  })

  it("in a form that people know, too", () => {
    assert.strictEqual(addressBlock("2001:0db8:0001:0002:0000:0000:0000:0009"), "2001:db8:1:2::/64")
    assert.strictEqual(addressBlock("0000:0000:0000:0000:0000:ffff:cb00:7107"), "203.0.113.7")
  })
})
