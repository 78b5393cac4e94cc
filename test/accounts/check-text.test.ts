import { assert, describe, it } from "@effect/vitest"
import { checkEmail, checkLines, checkOwnEmail, checkText } from "../../src/accounts/check-text.ts"
import { typedTaxCode } from "../../src/domain/tax-code.ts"
import { wantedText } from "../../src/domain/typed-text.ts"
import { composedLengths } from "../composed-lengths.ts"

const refused = (answer: unknown) => typeof answer !== "string"

describe("checkText", () => {
  it("takes names of any script and cuts the spaces around them", () => {
    assert.strictEqual(checkText("name", "  Máy chủ Hà Nội 🚀 ", 100), "Máy chủ Hà Nội 🚀")
  })

  it.each([
    "",
    "   ",
    "a\nb",
    "a\u0000b",
    "a\u001b[31mb",
    "a\u202eb",
    "a\u2028b",
    "a\u0085b",
    "a\ud800b",
    "\u200b",
    "\u2060 \u00ad",
    "\u3164",
    "\u2800"
  ])("refuses %j", (text) => assert.isTrue(refused(checkText("name", text, 100))))

  it("counts characters, not their halves", () => {
    assert.isFalse(refused(checkText("name", "🚀".repeat(100), 100)))
    assert.isTrue(refused(checkText("name", "🚀".repeat(101), 100)))
  })

  it("keeps a letter and its accents as one character, however they were written", () => {
    const [name, long] = ["Nguyễn Thị Ế", "ế".repeat(100)]
    assert.strictEqual(checkText("name", name.normalize("NFD"), 100), name)
    assert.strictEqual(checkText("name", long.normalize("NFD"), 100), long)
    assert.strictEqual(checkLines("note", `${name}\n${name}`.normalize("NFD"), 100), `${name}\n${name}`)
  })

  it("says what is wrong in a sentence", () => {
    const answer = checkText("name", "", 100)
    assert.strictEqual(typeof answer === "string" ? answer : answer.message, "The name must not be empty")
  })
})

describe("checkEmail", () => {
  it.each(["a@b.vn", "Nguyễn.An+x@ví-dụ.vn", "o'brien@mail.example.com"])("takes %s", (email) =>
    assert.strictEqual(checkEmail(email), email)
  )

  it.each([
    "",
    "a",
    "a@b",
    "a@@b.vn",
    "a b@c.vn",
    "a@b..vn",
    "a@.vn",
    "a@b.vn\n.x",
    "<a@b.vn>",
    `${"a".repeat(250)}@b.vn`
  ])("refuses %j", (email) => assert.isTrue(refused(checkEmail(email))))

  it("takes an address without what nobody sees of it, and in one form", () => {
    assert.strictEqual(checkEmail(" ke\u00adtoan@khach.vn\u200b\u00a0"), "ketoan@khach.vn")
    assert.strictEqual(checkEmail("kế.toán@khach.vn".normalize("NFD")), "kế.toán@khach.vn")
  })
})

describe("checkOwnEmail", () => {
  it.each(["a@b.vn", "o'brien+x_y-z@mail.example.com", "A.B@b-c.vn\u200b"])("takes %j", (email) =>
    assert.isFalse(refused(checkOwnEmail(email)))
  )

  it.each(["nguyễn@b.vn", "a@ví-dụ.vn", "a!b@b.vn", "a.@b.vn", "a..b@b.vn", "a@b.v", "a@b_c.vn", "a@b"])(
    "refuses %s",
    (email) => assert.isTrue(refused(checkOwnEmail(email)))
  )
})

describe("a text of a megabyte of accents", () => {
  it("is refused without putting them in their order, which takes a minute", () => {
    const text = `a${"\u0300\u0323".repeat(250_000)}`
    const { answers, lengths } = composedLengths(() => [
      checkText("name", text, 100),
      checkLines("note", text, 2_000),
      checkEmail(`${text}@b.vn`)
    ])
    assert.isTrue(answers.every(refused))
    const looked = composedLengths(() => [typedTaxCode(text), wantedText(text)])
    assert.isAtMost(Math.max(0, ...lengths, ...looked.lengths), 8_000)
  })
})
