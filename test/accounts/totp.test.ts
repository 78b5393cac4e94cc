import { assert, describe, it } from "@effect/vitest"
import { stepOfCode } from "../../src/accounts/totp.ts"

/** RFC 6238, appendix B, of whose codes the last six digits. */
const secret = "12345678901234567890"
const published = [
  [1_111_111_109, "081804"],
  [1_111_111_111, "050471"],
  [1_234_567_890, "005924"],
  [2_000_000_000, "279037"],
  [20_000_000_000, "353130"]
] as const

describe("a code of an authenticator app", () => {
  it.each(published)("of second %d is of its step, a step before and after it, too", (second, code) => {
    const step = Math.floor(second / 30)
    for (const aside of [-30, 0, 30])
      assert.strictEqual(stepOfCode(secret, code, (second + aside) * 1_000), step)
    for (const aside of [-60, 60]) assert.isUndefined(stepOfCode(secret, code, (second + aside) * 1_000))
  })

  it.each(["", "28708", "2870820", "２８７０８２", "wrong-"])("is not %o", (code) => {
    assert.isUndefined(stepOfCode(secret, code, 59_000))
  })
})
