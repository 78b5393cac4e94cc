/** Codes are read as people type and paste them. */
import { assert, describe, it } from "@effect/vitest"
import { isCode, makeRecoveryCode, readCode } from "../../src/domain/second-factor-codes.ts"

describe("a recovery code", () => {
  it("has sixty bits, in three groups of what is taken for nothing else", () => {
    const codes = Array.from({ length: 200 }, makeRecoveryCode)
    for (const code of codes) {
      assert.match(code, /^[\da-hjkmnp-tv-z]{4}(-[\da-hjkmnp-tv-z]{4}){2}$/)
      assert.strictEqual(readCode(code), code)
    }
    assert.strictEqual(new Set(codes).size, 200)
  })

  it.each([
    "k0m1-9qtx-4hw1",
    "K0M1-9QTX-4HW1",
    "k0m19qtx4hw1",
    " kOmI 9qtx 4hwl ",
    "k0m1–9qtx—4hw1",
    "k0m1\u20119qtx\u22124hw1",
    "k0m1-9qtx-4hw1\u200b",
    "ｋ０ｍ１－９ｑｔｘ－４ｈｗ１"
  ])("is read where it is typed %s", (typed) => {
    assert.strictEqual(readCode(typed), "k0m1-9qtx-4hw1")
  })

  it.each(["J6Wz1-TWO6d", "J6Wz1TWO6d", "J6Wz1 – TWO6d"])(
    "of the former kind keeps its case: %s",
    (typed) => {
      assert.strictEqual(readCode(typed), "J6Wz1-TWO6d")
    }
  )
})

describe("a code of an app", () => {
  it.each(["123456", "123 456", "123-456", "１２３４５６", "\u202a123456\u202c"])(
    "is read where it is typed %s",
    (typed) => {
      assert.isTrue(isCode(typed))
      assert.strictEqual(readCode(typed), "123456")
    }
  )

  it.each(["12345", "1234567", "", "12345a"])("is none where it is %s", (typed) => {
    assert.isFalse(isCode(typed))
  })
})
