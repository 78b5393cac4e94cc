/** The local tokenizer: exact where o200k is, quick for any text, and below the estimate. */
import { assert, describe, it, vi } from "@effect/vitest"
import { countInputTokens, exactTextTokens, exactTokensMax } from "../../src/tokens/count-input-tokens.ts"
import { measureInput } from "../../src/tokens/measure-input.ts"
import { modelNamed } from "../catalogue.ts"

const claude = modelNamed("claude-sonnet-4-6")
const gpt = modelNamed("gpt-5.5")

const marker = "an unmistakable sentence about seventeen purple elephants in the garden"

describe("the local count", () => {
  it("takes names of special tokens as text", () => {
    assert.isAbove(exactTextTokens("<|endoftext|>"), 1)
  })

  it("is the same cut into pieces as whole, for text with blanks", () => {
    const text =
      "Nếu khách hàng rời đi giữa chừng, chúng tôi chỉ tính phần đã tiêu thụ; 12,5 % of it. ".repeat(5)
    const once = exactTextTokens(text.slice(0, 480).replace(/ \S*$/, ""))
    assert.isAbove(once, 0)
    assert.approximately(exactTextTokens(text.repeat(50)), exactTextTokens(text.slice(0, -1)) * 50, 60)
  })

  it.each([
    ["one letter", "a".repeat(1_000_000)],
    ["blanks", " ".repeat(1_000_000)],
    ["marks", "=".repeat(1_000_000)],
    ["Chinese without a stop", "汉".repeat(300_000)],
    ["emoji", "👍🏽".repeat(200_000)]
  ])("of a megabyte of %s ends, and grows with the length alone", (_, text) => {
    const half = exactTextTokens(text.slice(0, text.length / 2))
    assert.approximately(exactTextTokens(text), 2 * half, half * 0.02 + 4)
  })

  it("of words that nobody has sent before looks for none to forget, one by one", () => {
    // The tokenizer knows 100,000 words by itself; it looks for the one it has had longest by the first of its keys.
    const letters = (index: number) =>
      index.toString(26).replaceAll(/\d/g, (digit) => "qrstuvwxyz"[Number(digit)]!)
    const words = Array.from({ length: 110_000 }, (_, index) => `xq${letters(index)}zj`)
    const keys = vi.spyOn(Map.prototype, "keys")
    try {
      assert.isAbove(exactTextTokens(words.join(" ")), words.length)
      assert.isBelow(keys.mock.calls.length, 10)
    } finally {
      keys.mockRestore()
    }
  })

  it("never cuts a character in two", () => {
    const text = `${"x".repeat(511)}${"👍".repeat(2_000)}`
    assert.isBelow(exactTextTokens(text), 2_000 * 2 + 600)
  })

  it("is below the estimate", () => {
    const body = {
      system: marker,
      messages: [
        {
          role: "user",
          content: [
            { type: "text", text: marker },
            { type: "image", source: { type: "url", url: "https://example.com" } }
          ]
        }
      ],
      tools: [
        {
          name: "n",
          description: marker,
          input_schema: { type: "object", properties: { a: { type: "string" } } }
        }
      ]
    }
    for (const model of [
      claude,
      gpt,
      modelNamed("deepseek-v4-pro"),
      modelNamed("gemini-3.5-flash"),
      modelNamed("svc/nova-pro")
    ]) {
      assert.isBelow(countInputTokens(body, model), measureInput(body, model).bound, model.id)
    }
  })

  it(
    "of more than the tokenizer is asked for goes on by weight, in one text or in many",
    { timeout: 60_000 },
    () => {
      const sentence = "The quick brown fox jumps over the lazy dog, and says: xin chào! "
      const bodyOf = (texts: ReadonlyArray<string>) => ({
        messages: [{ role: "user", content: texts.map((text) => ({ type: "text", text })) }]
      })
      const repeated = Math.ceil((exactTokensMax * 1.5) / exactTextTokens(sentence))
      const once = countInputTokens(bodyOf([sentence.repeat(repeated)]), gpt)
      const many = countInputTokens(bodyOf(Array.from({ length: repeated }, () => sentence)), gpt)
      const exact = (exactTextTokens(sentence.repeat(1_000)) / 1_000) * repeated
      for (const counted of [once, many]) assert.approximately(counted, exact, exact * 0.2)
      const half = countInputTokens(bodyOf([sentence.repeat(repeated / 2)]), gpt)
      assert.approximately(half, exact / 2, exact * 0.001, "below that it is exact")
    }
  )

  it("is at least one token for anything", () => {
    assert.isAtLeast(countInputTokens({}, claude), 1)
  })
})
