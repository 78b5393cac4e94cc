import { assert, describe, it } from "@effect/vitest"
import { findOrderCodes, makeOrderCode } from "../../../src/accounts/banks/order-code.ts"

const codes = Array.from({ length: 200 }, makeOrderCode)

describe("order codes", () => {
  it("are ST, eight characters and a check character, without letters that look like digits", () => {
    for (const code of codes) assert.match(code, /^ST[0-9A-HJKMNP-TV-Z]{9}$/)
    assert.strictEqual(new Set(codes).size, codes.length)
  })

  it("are found however a bank or a payer bends them", () => {
    for (const code of codes) {
      const bent = [
        code,
        code.toLowerCase(),
        `${code.slice(0, 4)} ${code.slice(4, 8)}-${code.slice(8)}`,
        `MBVCB.3278907687.${code}.CT tu 0011002233 NGUYEN VAN A toi 0123456789`,
        `chuyen tien${code}`,
        `nap tien ${code.replaceAll("0", "O").replaceAll("1", "I")}`,
        `nap tien ${code.replaceAll("0", "o").replaceAll("1", "l")} cam on`
      ]
      for (const memo of bent) assert.include(findOrderCodes(memo), code, memo)
    }
  })

  it("are refused with any one character mistyped", () => {
    const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
    for (const code of codes.slice(0, 20)) {
      for (let at = 2; at < code.length; at++) {
        for (const other of alphabet) {
          if (other === code[at]) continue
          const mistyped = code.slice(0, at) + other + code.slice(at + 1)
          assert.notInclude(findOrderCodes(mistyped), mistyped)
          assert.notInclude(findOrderCodes(mistyped), code)
        }
      }
    }
  })

  it("are named once each when a memo holds several", () => {
    const [first, second] = codes as [string, string]
    assert.deepStrictEqual(findOrderCodes(`${first} ${second} ${first}`), [first, second])
  })

  it("are not seen in memos without one", () => {
    for (const memo of ["", "NGUYEN VAN AN chuyen khoan", "ST", "STK", "st 12"])
      assert.deepStrictEqual(findOrderCodes(memo), [])
  })

  it("are looked for in the first 1,000 characters only, so that no memo is slow", () => {
    assert.isBelow(findOrderCodes("ST".repeat(1_000_000)).length, 500)
  })
})
