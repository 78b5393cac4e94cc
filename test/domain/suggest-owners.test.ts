import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import {
  codePartsOf,
  distanceIn,
  type Hint,
  mailWordsOf,
  phrasesOf,
  plainText,
  rankSuggestions
} from "../../src/domain/suggest-owners.ts"

const code = "ST7KQ2M9XZA"

describe("what is like a code", () => {
  it.each([
    [0, "nap tien st7kq2m9xza ft123"],
    [0, "ST 7KQ2-M9XZA"],
    [0, "ST7KQ2M9XZA".toLowerCase()],
    [1, "nap 7KQ2M9XZ8"],
    [1, "nap 7KQ2M9XA"],
    [1, "nap 7KQQ2M9XZA"],
    [2, "7KQ2MXYZA"]
  ])("differs from it by %i characters: %s", (distance, memo) => {
    assert.strictEqual(distanceIn(memo, code), distance)
  })

  it("is not found in what is none", () => {
    assert.isAbove(distanceIn("NGUYEN VAN AN chuyen tien an trua thang 11", code), 2)
    assert.strictEqual(distanceIn("", code), 9)
  })

  it("is read as it may be mistaken: O for 0, I and L for 1", () => {
    assert.strictEqual(distanceIn("st o1il2m9xza", "ST01112M9XZA"), 0)
    assert.deepStrictEqual(codePartsOf("oil o1"), ["011", "110", "101"])
  })

  it("has parts of three characters, none with a U, which no code has", () => {
    assert.deepStrictEqual(codePartsOf("ab-cd ab cud e"), ["ABC", "BCD", "CDA", "DAB"])
    for (const short of ["", "a", "ab"]) assert.deepStrictEqual(codePartsOf(short), [])
  })

  const Edits = Schema.Array(
    Schema.Struct({
      kind: Schema.Literals(["change", "drop", "add"]),
      at: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 8 })),
      by: Schema.Literals(["0", "7", "Z", "A", "W"])
    })
  ).check(Schema.isMaxLength(2))

  it.prop(
    "shares a part with it, whichever two mistakes were made",
    [Edits, Schema.String],
    ([edits, around]) => {
      let body = code.slice(2)
      for (const { at, by, kind } of edits) {
        const rest = body.slice(kind === "add" ? at : at + 1)
        body = body.slice(0, at) + (kind === "drop" ? "" : by) + rest
      }
      const memo = `${around.slice(0, 100)} ${body}`
      assert.isAtMost(distanceIn(memo, code), 2)
      const parts = codePartsOf(memo)
      assert.isTrue(
        [2, 5, 8].some((start) => parts.includes(code.slice(start, start + 3))),
        body
      )
    }
  )

  it("is looked for in a bounded part of the memo", () => {
    assert.strictEqual(distanceIn(`${"W".repeat(480)} ${code}`, code), 0)
    assert.isAbove(distanceIn(`${"W".repeat(500)} ${code}`, code), 2)
  })
})

describe("names", () => {
  it("are read as banks write them", () => {
    assert.strictEqual(plainText("  Nguyễn  Đức-Ân "), "nguyen duc an")
    assert.includeMembers([...phrasesOf("MBVCB.327.NGUYEN VAN AN chuyen tien", 2, 6)], ["nguyen van an"])
    assert.deepStrictEqual(mailWordsOf("Minh.Tran82 1"), ["minhtran82", "minhtran821", "tran82", "tran821"])
    // Five letters at least, and three words at most.
    assert.deepStrictEqual(mailWordsOf("a b cd ef"), ["bcdef"])
    const many = Array.from({ length: 1_000 }, (_, index) => `w${index}`).join(" ")
    assert.isAtMost(mailWordsOf(many).length, 180)
    assert.deepStrictEqual(phrasesOf("", 1, 8), [])
    assert.isAtMost(phrasesOf("a ".repeat(10_000), 1, 8).length, 480)
  })
})

describe("suggestions", () => {
  const hint = (accountId: string, reason: Hint["reason"], weight: number, orderCode?: string): Hint => ({
    accountId,
    reason,
    weight,
    ...(orderCode !== undefined && { orderCode })
  })

  it("are the likeliest five in their order, whose hints add up, each reason once, with the strongest one's order", () => {
    const found = rankSuggestions([
      hint("y", "name", 35),
      hint("z", "amount", 15, "ST2"),
      hint("z", "code", 90, "ST1"),
      hint("z", "code", 70, "ST3"),
      hint("y", "mail", 50),
      ...["d", "f", "c", "e"].map((id) => hint(id, "amount", 15, `ST${id}`))
    ])
    assert.deepStrictEqual(
      found.map(({ accountId, orderCode, reasons, weight }) => [accountId, weight, reasons, orderCode]),
      [
        ["z", 105, ["code", "amount"], "ST1"],
        ["y", 85, ["mail", "name"], undefined],
        ["c", 15, ["amount"], "STc"],
        ["d", 15, ["amount"], "STd"],
        ["e", 15, ["amount"], "STe"]
      ]
    )
  })
})
