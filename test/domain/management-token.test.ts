import { assert, describe, it } from "@effect/vitest"
import { generateTokenSecret, isTokenSecret } from "../../src/domain/management-token.ts"

describe("the secret of a management token", () => {
  it("is new each time, and of its own form", () => {
    const [one, other] = [generateTokenSecret(), generateTokenSecret()]
    assert.match(one, /^tg-mgmt-[0-9A-Za-z]{40}$/)
    assert.notStrictEqual(one, other)
    assert.isTrue(isTokenSecret(one))
  })

  it.each([
    `tg-${"a".repeat(40)}`,
    `tg-mgmt-${"a".repeat(39)}`,
    `tg-mgmt-${"a".repeat(41)}`,
    `tg-mgmt-${"a".repeat(39)}-`,
    ` tg-mgmt-${"a".repeat(40)}`
  ])("is not %j", (text) => {
    assert.isFalse(isTokenSecret(text))
  })
})
