/** What long pieces of text weigh is remembered: it must be what they weigh. */
import { assert, describe, it } from "@effect/vitest"
import { OutputMeter } from "../../../src/formats/meter/output-meter.ts"
import { TextMeter } from "../../../src/formats/meter/TextMeter.ts"
import { eachSeed, type Random } from "../../Random.ts"

/** Bytes that are weighed at once. */
const pieceBytes = 16_384

/** Without a memory: a character after another, as answers are weighed. */
const referenceOf = (json: string) => {
  const meter = new OutputMeter()
  meter.addBytes(Buffer.from(json), 0, Buffer.byteLength(json))
  const { events: _, opaqueCharacters: _opaque, toolCalls: _calls, ...sums } = meter
  return sums
}

/** A text, its bytes and its bytes in JSON, each twice: the second time it is remembered. */
const assertWeighedRight = (text: string) => {
  const json = JSON.stringify(text).slice(1, -1)
  const reference = referenceOf(json)
  const bytes = Buffer.from(json)
  const ways: ReadonlyArray<(meter: TextMeter) => unknown> = [
    (meter) => meter.addText(text),
    (meter) => meter.addUtf8(Buffer.from(text)),
    (meter) => assert.isTrue(meter.addJsonText(bytes, { start: 0, end: bytes.length }))
  ]
  for (const add of [...ways, ...ways]) {
    const meter = new TextMeter()
    add(meter)
    assert.deepStrictEqual({ ...meter }, reference)
  }
}

const words = [
  "const found = ",
  "xin chào ",
  "你好",
  "한국",
  "да",
  "ꙮ",
  "😀",
  "12 345",
  "\n",
  '"',
  "\u0001",
  "==",
  "\t",
  "dGhpcw"
]
const textOf = (random: Random): string => {
  const length = random.below(2.5 * pieceBytes)
  let text = ""
  while (text.length < length) text += random.pick(words)
  return text
}

describe("long pieces of text", () => {
  it("weigh what their characters do, whether they were seen before or not", () =>
    eachSeed(20, (random) => assertWeighedRight(textOf(random))))

  it("are added to what was there", () => {
    const text = "one and two; ".repeat(200)
    const meter = new TextMeter()
    for (const _ of [1, 2, 3]) meter.addText(text)
    assert.strictEqual(meter.asciiMost, 3 * referenceOf(text).asciiMost)
  })

  it("weigh something else behind another character", () => {
    const rest = "7 apples and a pear; ".repeat(400)
    for (const last of ["7", " ", "x", "é"])
      assertWeighedRight("x".repeat(pieceBytes - Buffer.byteLength(last)) + last + rest)
  })

  it("are not refused because a text ends, where more of it comes, with half an escape", () => {
    const half = `${"a word ".repeat(pieceBytes).slice(0, pieceBytes - 1)}\\`
    const whole = `${half}n and more`
    for (const _ of [1, 2]) {
      assert.isFalse(new TextMeter().addJsonText(Buffer.from(half), { start: 0, end: half.length }))
      const meter = new TextMeter()
      assert.isTrue(meter.addJsonText(Buffer.from(whole), { start: 0, end: whole.length }))
      assert.deepStrictEqual({ ...meter }, referenceOf(whole))
    }
  })

  it("weigh something else without escapes", () => {
    const text = "a line\\nand another; ".repeat(200)
    const meter = new TextMeter()
    meter.addUtf8(Buffer.from(text))
    const other = new TextMeter()
    other.addJsonText(Buffer.from(text), { start: 0, end: text.length })
    assert.deepStrictEqual({ ...meter }, referenceOf(JSON.stringify(text).slice(1, -1)))
    assert.deepStrictEqual({ ...other }, referenceOf(text))
  })

  it("are refused again where JSON has them in no string", () => {
    const bytes = Buffer.from(`${"of some length ".repeat(300)}\\x`)
    for (const _ of [1, 2])
      assert.isFalse(new TextMeter().addJsonText(bytes, { start: 0, end: bytes.length }))
  })
})
