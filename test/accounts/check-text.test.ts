import { assert, describe, it } from "@effect/vitest"
import { checkEmail, checkText } from "../../src/accounts/check-text.ts"

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
})
