/** Money as people type it: read as what they mean, or not at all. */
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { formatVnd, type MicroVnd } from "../../src/domain/money.ts"
import { readExactVnd, readTypedVnd, readWholeVnd, showVnd, writeVnd } from "../../src/domain/typed-money.ts"

/** Short amounts come often: they are those that two languages write alike. */
const Dong = Schema.Union([
  Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1_100 })),
  Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 2_000_000 })),
  Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 999_999_999_999_999 }))
])
const Micro = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 999_999 }))
/** Of the fraction: whole dong, one to three digits, all six. */
const Step = Schema.Literals([1_000_000, 100_000, 1_000, 1])
const amountOf = (dong: number, micro: number, step: number, isNegative: boolean): MicroVnd =>
  (BigInt(dong) * 1_000_000n + BigInt(micro - (micro % step))) * (isNegative ? -1n : 1n)

const languages = ["vi", "en"] as const

const read = (text: string): string => {
  const typed = readTypedVnd(text)
  return typed._tag === "Amount" ? formatVnd(typed.amount) : typed._tag
}

describe("money that is typed", () => {
  it.each([
    ["500.000", "500000"],
    ["500,000", "500000"],
    ["500 000", "500000"],
    ["500\u202f000", "500000"],
    ["500000", "500000"],
    ["500k", "500000"],
    ["500K", "500000"],
    ["500 nghìn", "500000"],
    ["500 nghìn".normalize("NFD"), "500000"],
    ["500 ngàn đồng", "500000"],
    ["1,5tr", "1500000"],
    ["1.5tr", "1500000"],
    ["2 triệu", "2000000"],
    ["1.25 triệu", "1250000"],
    ["-500k", "-500000"],
    ["12.340", "12340"],
    ["1.050.499", "1050499"],
    ["1,050,499", "1050499"],
    ["1.050.499,25", "1050499.25"],
    ["1,050,499.25", "1050499.25"],
    ["1.062,415", "1062.415"],
    ["1062.415", "1062.415"],
    ["0.83", "0.83"],
    ["0,83", "0.83"],
    ["0.123", "0.123"],
    ["12.3450", "12.345"],
    ["250000.5", "250000.5"],
    ["-50.000", "-50000"],
    ["−50.000 ₫", "-50000"],
    ["+500.000 ₫", "500000"],
    ["100.000đ", "100000"],
    ["₫1,000,000", "1000000"],
    ["VND 1.000.000", "1000000"],
    ["\u202a1.000.000\u200b\u202c", "1000000"],
    [" 100,000 VND ", "100000"],
    ["0", "0"],
    ["0.000001", "0.000001"]
  ])("reads %j as %s", (text, vnd) => {
    assert.strictEqual(read(text), vnd)
  })

  it.each([
    ["12.345", [12_345_000_000n, 12_345_000n], ["12345", "12.3450"]],
    ["12,345", [12_345_000_000n, 12_345_000n], ["12345", "12,3450"]],
    ["-1.001 ₫", [-1_001_000_000n, -1_001_000n], ["-1001", "-1.0010"]]
  ] as const)(
    "can not tell which of two amounts %j is, and says how each is typed",
    (text, amounts, writings) => {
      assert.deepStrictEqual(readTypedVnd(text), { _tag: "Ambiguous", amounts, writings })
      for (const [at, writing] of writings.entries())
        assert.strictEqual(read(writing), formatVnd(amounts[at]!))
    }
  )

  it.each([
    "",
    "-",
    "much",
    ".5",
    "5.",
    "1e3",
    "0x10",
    "--5",
    "1.2.3",
    "1.000,5,5",
    "1.000.50",
    "1,000.000.000",
    "1.500,000",
    "1234,500",
    "0.500",
    "012.500",
    "00",
    "1.500k",
    "1.234k",
    "5m",
    "5 m",
    "1tr5",
    "500kk",
    "12 34",
    "1  000",
    "1.0000001",
    "1234567890123456",
    "9999999999tr",
    "١",
    "$5"
  ])("does not read %j", (text) => {
    assert.strictEqual(read(text), "Unreadable")
  })

  it.prop(
    "is read as what stands in a field, in either language",
    [Dong, Micro, Step, Schema.Boolean],
    ([dong, micro, step, isNegative]) => {
      const amount = amountOf(dong, micro, step, isNegative)
      for (const language of languages)
        assert.strictEqual(read(writeVnd(amount, language)), formatVnd(amount))
    }
  )

  it.prop(
    "is read as what a page shows, or not where the other language shows another amount so",
    [Dong, Micro, Step, Schema.Boolean],
    ([dong, micro, step, isNegative]) => {
      const amount = amountOf(dong, micro, step, isNegative)
      for (const language of languages) {
        const shown = showVnd(amount, language)
        const typed = readTypedVnd(`${shown} ₫`)
        if (typed._tag === "Ambiguous") {
          const written = typed.amounts.map((each) => languages.map((other) => showVnd(each, other)))
          assert.isTrue(written.every((each) => each.includes(shown)))
          assert.include(typed.amounts, amount)
        } else assert.deepStrictEqual(typed, { _tag: "Amount", amount })
      }
    }
  )

  it.prop(
    "is not read where the languages show two amounts so",
    [
      Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 999 })),
      Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 99 })),
      Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 9 }))
    ],
    ([whole, tens, ones]) => {
      const thousands = amountOf(whole * 1_000 + tens * 10 + ones, 0, 1, false)
      const fraction = amountOf(whole, (tens * 10 + ones) * 1_000, 1, false)
      assert.strictEqual(showVnd(thousands, "vi"), showVnd(fraction, "en"))
      for (const language of languages) assert.strictEqual(read(showVnd(thousands, language)), "Ambiguous")
    }
  )
})

describe("whole dong that are typed", () => {
  it.prop("are read as what a page shows, in either language", [Dong], ([dong]) => {
    const amount = amountOf(dong, 0, 1, false)
    for (const language of languages) assert.strictEqual(readWholeVnd(showVnd(amount, language)), amount)
  })

  it.each(["0.5", "12.34", "1.062,4", "0.123", "much", ""])("are not %j", (text) => {
    assert.isUndefined(readWholeVnd(text))
  })
})

describe("money that a program writes", () => {
  it.each([
    ["500000", 500_000_000_000n],
    ["-0.5", -500_000n],
    ["0.120", 120_000n],
    ["12.345", 12_345_000n],
    ["1000.000", 1_000_000_000n],
    // As people write thousands, and no program a fraction.
    ["500.000", undefined],
    ["-1.250", undefined],
    ["500,000", undefined],
    ["0.1234567", undefined]
  ])("%j is %s µVND", (text, amount) => {
    assert.strictEqual(readExactVnd(text), amount)
  })
})

describe("money that is shown", () => {
  it.each([
    [0n, "0", "0"],
    [999_000_000n, "999", "999"],
    [1_000_000_000n, "1.000", "1,000"],
    [1_050_499_000_000n, "1.050.499", "1,050,499"],
    [-1_062_400_000n, "-1.062,4", "-1,062.4"],
    [-1n, "-0,000001", "-0.000001"]
  ])("%s µVND: %s in Vietnamese, %s in English", (amount, vietnamese, english) => {
    assert.deepStrictEqual([showVnd(amount, "vi"), showVnd(amount, "en")], [vietnamese, english])
  })
})
