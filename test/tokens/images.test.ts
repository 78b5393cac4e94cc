/** Images and documents: sizes out of headers, tokens out of sizes. */
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { documentTokens } from "../../src/tokens/document-tokens.ts"
import { imageSize } from "../../src/tokens/image-size.ts"
import { imageRules, imageTokens } from "../../src/tokens/image-tokens.ts"
import { measureInput } from "../../src/tokens/measure-input.ts"
import type { JsonObject } from "../../src/formats/json/json.ts"
import { readRequest } from "../../src/tokens/read-request.ts"
import { gif, jpeg, pdf, png, webpExtended, webpLossless, webpLossy } from "./make-images.ts"
import { modelNamed } from "../catalogue.ts"

const partsOf = (block: JsonObject) =>
  readRequest({ messages: [{ role: "user", content: [block] }] }, () => {})
const imageSource = (block: JsonObject) => partsOf(block).images[0]!
const documentSource = (block: JsonObject) => partsOf(block).documents[0]!

const Edge = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 16_000 }))

describe("the size of an image", () => {
  const formats = [
    ["PNG", png],
    ["GIF", gif],
    ["baseline JPEG", jpeg],
    ["progressive JPEG", (width: number, height: number) => jpeg(width, height, 0xc2)],
    [
      "JPEG behind a large profile with a thumbnail",
      (width: number, height: number) => jpeg(width, height, 0xc0, 60_000)
    ],
    ["lossy WebP", webpLossy],
    ["lossless WebP", webpLossless],
    ["extended WebP", webpExtended]
  ] as const

  for (const [name, make] of formats) {
    it.prop(`is read from a ${name}, bare or as a data URL`, [Edge, Edge], ([width, height]) => {
      const data = make(width, height).toString("base64")
      assert.deepStrictEqual(imageSize(data), { width, height })
      assert.deepStrictEqual(imageSize(`data:image/whatever;base64,${data}`), { width, height })
    })
  }

  it.prop("is unknown, never wrong by an exception, for any text", [Schema.String], ([text]) => {
    const size = imageSize(text)
    assert.isTrue(size === undefined || (size.width > 0 && size.height > 0))
  })

  it.prop(
    "is unknown or whole for images that were cut off",
    [Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 200 }))],
    ([length]) => {
      for (const [, make] of formats) {
        const size = imageSize(make(640, 480).subarray(0, length).toString("base64"))
        assert.isTrue(size === undefined || size.width > 0)
      }
    }
  )

  it("is unknown for a JPEG of endless segments", () => {
    const endless = Buffer.concat([
      Buffer.from([0xff, 0xd8]),
      Buffer.alloc(400_000, Buffer.from([0xff, 0xe0, 0x00, 0x02]))
    ])
    assert.strictEqual(imageSize(endless.toString("base64")), undefined)
  })
})

describe("an image in tokens", () => {
  const of = (width: number, height: number, rule: Parameters<typeof imageTokens>[1]) =>
    imageTokens({ size: { width, height }, lowDetail: false }, { ...rule, frame: 0 })

  // As measured at the providers, without the prompt around the image.
  it.each([
    ["claude", 256, 256, 100],
    ["claude", 1024, 1024, 1369],
    ["claude", 1280, 720, 1196],
    ["claudeHighResolution", 1920, 1080, 2691],
    ["gpt", 256, 256, 77],
    ["gpt", 512, 512, 308],
    ["gpt", 1024, 1024, 1229],
    ["gpt", 1920, 1080, 2448],
    ["gpt", 3840, 2160, 9792],
    ["gptLarge", 4032, 3024, 14364],
    ["gemini", 4032, 3024, 1120]
  ] as const)("costs %s %s × %s pixels %s tokens", (rule, width, height, tokens) => {
    assert.strictEqual(of(width, height, imageRules[rule]), tokens)
  })

  it.each([
    ["claude", 1920, 1080, 1560],
    ["claude", 4032, 3024, 1596],
    ["claudeHighResolution", 2560, 1440, 2992],
    ["claudeHighResolution", 4032, 3024, 3928],
    ["gpt", 4032, 3024, 11868]
  ] as const)(
    "costs %s %s × %s pixels no less than the %s tokens measured, or its maximum",
    (rule, width, height, measured) => {
      const { patchesMax, tokensPerPatch } = imageRules[rule]
      assert.isAtLeast(of(width, height, imageRules[rule]), Math.min(measured, patchesMax * tokensPerPatch))
    }
  )

  it.prop("never costs more than one of unknown size", [Edge, Edge], ([width, height]) => {
    for (const rule of Object.values(imageRules)) {
      assert.isAtMost(
        of(width, height, rule),
        imageTokens({ size: undefined, lowDetail: false }, { ...rule, frame: 0 })
      )
    }
  })

  it.each(Object.entries(imageRules))("costs less in low detail where that is known: %s", (name, rule) => {
    const size = { width: 4_000, height: 3_000 }
    const [low, full] = [true, false].map((lowDetail) => imageTokens({ size, lowDetail }, rule))
    if (/^(gpt|grok)/.test(name)) assert.isBelow(low!, Math.min(full!, 520))
    // Claude, to which no conversion tells it, must not be held for less than it bills.
    else assert.strictEqual(low, full)
  })

  it.each([
    [
      "a Messages block",
      {
        type: "image",
        source: { type: "base64", media_type: "image/png", data: png(8, 9).toString("base64") }
      }
    ],
    [
      "a chat part",
      { type: "image_url", image_url: { url: `data:image/png;base64,${png(8, 9).toString("base64")}` } }
    ],
    [
      "a chat part without its object",
      { type: "image_url", image_url: `data:image/png;base64,${png(8, 9).toString("base64")}` }
    ],
    [
      "a Responses part",
      { type: "input_image", image_url: `data:image/png;base64,${png(8, 9).toString("base64")}` }
    ]
  ])("is found in %s", (_, block) => {
    assert.deepStrictEqual(imageSource(block).size, { width: 8, height: 9 })
  })

  it.each([
    ["by URL", { type: "image", source: { type: "url", url: "https://example.com/a.png" } }],
    ["by file id", { type: "image", source: { type: "file", file_id: "file_1" } }],
    ["without a source", { type: "image" }],
    ["with a source that is a number", { type: "image", source: 7 }]
  ])("is of unknown size %s", (_, block) => {
    assert.strictEqual(imageSource(block).size, undefined)
  })
})

describe("a document", () => {
  const source = (bytes: Buffer) =>
    documentSource({ type: "document", source: { type: "base64", data: bytes.toString("base64") } })

  it.prop(
    "tells its pages where they can be seen",
    [Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 300 }))],
    ([pages]) => {
      const document = source(pdf(pages))
      assert.strictEqual(document._tag === "Pdf" ? document.pages : 0, pages)
    }
  )

  it("is taken to have as many pages as fit when they are hidden", () => {
    const document = source(pdf(1, "x".repeat(90_000), true))
    assert.isAtLeast(document._tag === "Pdf" ? document.pages : 0, 30)
  })

  it("has no more pages than providers take, whatever it says", () => {
    const document = source(Buffer.from("%PDF-1.4 << /Type /Pages /Count 99999 >>"))
    assert.strictEqual(document._tag === "Pdf" ? document.pages : 0, 600)
  })

  it("costs each page its picture and its text", () => {
    const few = { tokensMax: 3_000, pagesElsewhere: 1, tokensPerByte: 1 }
    assert.strictEqual(documentTokens({ _tag: "Pdf", pages: 2, bytes: 1_000 }, 1_600, few), 4_200)
    assert.strictEqual(documentTokens({ _tag: "Pdf", pages: 2, bytes: 1_000_000 }, 1_600, few), 9_200)
  })

  it("that is no PDF is read as text", () => {
    assert.deepStrictEqual(source(Buffer.from("plain")), { _tag: "Text", bytes: Buffer.from("plain") })
  })

  it.each([
    [
      "a chat file",
      { type: "file", file: { file_data: `data:application/pdf;base64,${pdf(3).toString("base64")}` } }
    ],
    [
      "a Responses file",
      { type: "input_file", file_data: `data:application/pdf;base64,${pdf(3).toString("base64")}` }
    ],
    [
      "a file beside other data that no conversion reads",
      {
        type: "input_file",
        file_data: `data:application/pdf;base64,${pdf(3).toString("base64")}`,
        data: "YQ==",
        source: { data: "YQ==" }
      }
    ]
  ])("is found in %s", (_, block) => {
    const document = documentSource(block)
    assert.strictEqual(document._tag === "Pdf" ? document.pages : 0, 3)
  })

  it.each([
    { type: "document", source: { type: "url", url: "https://example.com/a.pdf" } },
    { type: "input_file", file_url: "https://example.com/a.pdf" },
    { type: "input_file", file_url: "https://example.com/a.pdf", file_data: "data:text/plain;base64,YQ==" },
    { type: "file", file: { file_data: "https://example.com/a.pdf" } },
    { type: "document_url", document_url: "https://example.com/a.pdf" },
    { type: "file_url", file_url: { url: "https://example.com/a.pdf" } },
    { type: "video_url", video_url: { url: "https://example.com/a.mp4" } },
    { type: "video", source: { type: "url", url: "https://example.com/a.mp4" } },
    { type: "video", video: ["https://example.com/1.jpg", "https://example.com/2.jpg"] },
    { type: "image_url", image_url: { url: "data:video/mp4;base64,AAAA" } },
    { type: "input_image", image_url: "data:video/webm;base64,AAAA" },
    { type: "image", source: { type: "base64", media_type: "video/mp4", data: "AAAA" } }
  ])(
    "elsewhere and any video is held for up to the model's window, and counted as a short one: %j",
    (block) => {
      const model = modelNamed("qwen3.7-plus")
      const { bound, guess } = measureInput({ messages: [{ role: "user", content: [block] }] }, model)
      assert.strictEqual(bound, model.contextWindow)
      assert.isAbove(guess, 15_000)
      assert.isBelow(guess, 60_000)
    }
  )
})
