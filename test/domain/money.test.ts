/** Money is whole µVND: what is printed reads back the same, and no amount is ever rounded. */
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { formatVnd, fromVnd, parseVnd } from "../../src/domain/money.ts"

/** Whole dong and µVND apart, so that amounts far beyond 2^53 µVND occur. */
const Dong = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 999_999_999_999_999 }))
const Micro = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 999_999 }))

const amountOf = (dong: number, micro: number, negative: boolean) =>
  (BigInt(dong) * 1_000_000n + BigInt(micro)) * (negative ? -1n : 1n)

describe("money", () => {
  it.each([
    [0n, "0"],
    [1n, "0.000001"],
    [830_000n, "0.83"],
    [230_000_000n, "230"],
    [1_062_400_000n, "1062.4"],
    [-1_062_400_000n, "-1062.4"],
    [-1n, "-0.000001"],
    [100_000_001n, "100.000001"],
    [9_007_199_254_740_993n, "9007199254.740993"]
  ])("prints %s µVND as %s", (amount, text) => {
    assert.strictEqual(formatVnd(amount), text)
    assert.strictEqual(parseVnd(text), amount)
  })

  it.prop(
    "reads what it prints as the same amount",
    [Dong, Micro, Schema.Boolean],
    ([dong, micro, negative]) => {
      const amount = amountOf(dong, micro, negative)
      assert.strictEqual(parseVnd(formatVnd(amount)), amount)
    }
  )

  it.prop(
    "prints no trailing zeros, no lone point, and at most six decimals",
    [Dong, Micro],
    ([dong, micro]) => {
      assert.match(formatVnd(amountOf(dong, micro, false)), /^(0|[1-9]\d*)(\.\d{0,5}[1-9])?$/)
    }
  )

  it.prop("counts a dong as a million µVND", [Dong], ([dong]) => {
    assert.strictEqual(formatVnd(fromVnd(BigInt(dong))), String(dong))
  })

  it.each([
    "",
    "-",
    ".5",
    "5.",
    "1,000",
    "1e3",
    "+1",
    " 1",
    "1 ",
    "0.0000001",
    "1.2.3",
    "VND",
    "1234567890123456",
    "١"
  ])("does not read %j", (text) => {
    assert.strictEqual(parseVnd(text), undefined)
  })
})
