/** The bound on text lies above what the exact tokenizer counts, whatever the text, and not far above on usual text. */
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { OutputMeter } from "../../src/formats/meter/output-meter.ts"
import { TextMeter } from "../../src/formats/meter/TextMeter.ts"
import { exactTextTokens } from "../../src/tokens/count-input-tokens.ts"
import { meteredTokens, meteredTokensMax } from "../../src/tokens/text-tokens.ts"
import { traitsOf } from "../../src/tokens/tokenizer-traits.ts"
import { corpora } from "./corpora.ts"
import { metered, o200k } from "./metered.ts"
import { modelNamed } from "../catalogue.ts"

const texts = corpora()

describe("the bound on text", () => {
  it.each(texts)("is never below the exact count: $name", ({ text }) => {
    assert.isAtLeast(meteredTokensMax(metered(text), o200k), exactTextTokens(text))
  })

  it.each(texts.filter(({ typical }) => typical))("is at most 2.7 times as high: $name", ({ text }) => {
    assert.isAtMost(meteredTokensMax(metered(text), o200k), 2.7 * exactTextTokens(text))
  })

  it.each(texts.filter(({ name }) => /english|vietnamese|code|JSON/.test(name)))(
    "is at most twice as high: $name",
    ({ text }) => {
      assert.isAtMost(meteredTokensMax(metered(text), o200k), 2 * exactTextTokens(text))
    }
  )

  it("counts each digit for families that make a token of each", () => {
    const digits = "0123456789".repeat(100)
    assert.isAtLeast(meteredTokensMax(metered(digits), traitsOf(modelNamed("gemini-3.5-flash"))), 1_000)
  })
})

describe("the estimate of text", () => {
  it.each(texts.filter(({ name }) => /prose|code|JSON/.test(name)))(
    "is within 25 % of the exact count: $name",
    ({ text }) => {
      const exact = exactTextTokens(text)
      assert.approximately(meteredTokens(metered(text), o200k), exact, exact / 4)
    }
  )

  it("is nothing for no text, and something for any", () => {
    const claude = traitsOf(modelNamed("claude-fable-5"))
    assert.strictEqual(meteredTokens(metered(""), claude), 0)
    assert.isAbove(meteredTokens(metered("a"), claude), 0)
  })
})

describe("the meter", () => {
  const same = (one: OutputMeter, other: OutputMeter) => assert.deepStrictEqual({ ...one }, { ...other })

  const ofText = (text: string) => {
    const meter = new OutputMeter()
    meter.addText(text)
    return meter
  }

  const ofBytes = (json: string) => {
    const bytes = Buffer.from(json)
    const meter = new OutputMeter()
    meter.addBytes(bytes, 1, bytes.length - 1)
    return meter
  }

  it.each(texts)("weighs JSON's bytes as it weighs the text in them: $name", ({ text }) => {
    same(ofBytes(JSON.stringify(text)), ofText(text))
  })

  it.each(texts)("weighs UTF-8 as it weighs text: $name", ({ text }) => {
    for (const some of [text, text.slice(1), text.repeat(Math.ceil(40_000 / text.length))]) {
      const meter = new TextMeter()
      meter.addUtf8(Buffer.from(some))
      const { asciiMost, asciiUsual, digits, ...wide } = ofText(Buffer.from(some).toString())
      assert.deepInclude({ ...wide, asciiMost, asciiUsual, digits }, { ...meter })
    }
  })

  it.each(texts)("does not care whether JSON escapes characters: $name", ({ text }) => {
    const ascii = JSON.stringify(text).replace(
      /[\u0080-\uffff]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`
    )
    same(ofBytes(ascii), ofText(text))
  })

  it.prop("weighs bytes and text alike", [Schema.String], ([text]) => {
    // Half of a surrogate pair has no UTF-8.
    const whole = Buffer.from(text).toString()
    same(ofBytes(JSON.stringify(whole)), ofText(whole))
  })

  it.prop(
    "takes any bytes without failing, and stays finite",
    [Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 255 })))],
    ([bytes]) => {
      const meter = new OutputMeter()
      meter.addBytes(Uint8Array.from(bytes), 0, bytes.length)
      meter.addUtf8(Uint8Array.from(bytes))
      assert.isTrue(Number.isFinite(meteredTokensMax(meter, o200k)))
    }
  )

  it("counts events, whatever they hold", () => {
    const meter = new OutputMeter()
    meter.addText("")
    meter.addBytes(Buffer.from("x"), 0, 1)
    assert.strictEqual(meter.events, 2)
  })
})
