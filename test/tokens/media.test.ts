/** What is shown is held for by what it is, whatever a request says of it: a provider, or a conversion, may take it so. */
import { assert, describe, it } from "@effect/vitest"
import { prepareCall } from "../../src/compute/prepare-call.ts"
import type { Json, JsonObject } from "../../src/formats/json/json.ts"
import type { TextEndpoint } from "../../src/domain/call.ts"
import { wayTo } from "../../src/formats/pairs.ts"
import { measureInput } from "../../src/tokens/measure-input.ts"
import { pdf, png } from "./make-images.ts"
import { modelNamed } from "../catalogue.ts"

const base64 = (text: string): string => Buffer.from(text).toString("base64")
const small = png(28, 28).toString("base64")
const large = png(6_000, 5_000).toString("base64")
const words = "elephant ".repeat(20_000)

const user = (block: JsonObject): JsonObject => ({ messages: [{ role: "user", content: [block] }] })
const boundOf = (id: string, body: JsonObject): number =>
  measureInput(body, { ...modelNamed(id), contextWindow: 1_000_000_000 }).bound

describe("the larger of two pictures in one is held for", () => {
  const url = `data:image/png;base64,${small}`
  const source = { type: "base64", media_type: "image/png", data: large }
  it.each<JsonObject>([
    { type: "image", source: { ...source, url } },
    { type: "image", source, image_url: { url } },
    { type: "image", source, url },
    { type: "image_url", image_url: { url: `data:image/png;base64,${large}`, data: small } },
    { type: "input_image", image_url: `data:image/png;base64,${large}`, source: { data: small } }
  ])("where it is %#", (block) => {
    const alone = { type: "image", source }
    assert.isAtLeast(boundOf("gpt-6-astra", user(block)), boundOf("gpt-6-astra", user(alone)))
  })
})

describe("a picture is held for in full", () => {
  const address = `data:image/png;base64,${large}`
  const full = boundOf("grok-4.7", user({ type: "image_url", image_url: { url: address } }))
  it.each<JsonObject>([
    { type: "image", source: { type: "base64", media_type: "image/png", data: large, detail: "low" } },
    { type: "image_url", image_url: { url: address }, detail: "low" },
    { type: "computer_screenshot", image_url: address, detail: "low" }
  ])("where nobody reads that it may be looked at in low detail: %#", (block) => {
    assert.isAtLeast(boundOf("grok-4.7", user(block)), full - 20)
  })
})

const sentOf = (endpoint: TextEndpoint, id: string, body: JsonObject) => {
  const model = modelNamed(id)
  const bytes = Buffer.from(JSON.stringify({ max_tokens: 9, ...body, model: id }))
  const { bytes: sent, inputBound } = prepareCall({
    way: wayTo(endpoint, model)!,
    model,
    body: bytes,
    anthropicBeta: ""
  })
  return { inputBound, sent: JSON.parse(Buffer.from(sent).toString()) as JsonObject }
}

describe("a Responses client's picture in chat's form", () => {
  it("is looked at as finely as it says", () => {
    const block = { type: "image_url", image_url: { url: `data:image/png;base64,${large}`, detail: "low" } }
    const { sent } = sentOf("responses", "grok-4.7", { input: [{ role: "user", content: [block] }] })
    assert.include(JSON.stringify(sent), '"detail":"low"')
  })
})

describe("a text is held for as one", () => {
  it.each<readonly [is: string, block: JsonObject]>([
    [
      "a document that begins like a PDF",
      {
        type: "document",
        source: { type: "base64", media_type: "text/plain", data: base64(`%PDF /Type /Page ${words}`) }
      }
    ],
    [
      "a document that also calls itself a picture",
      {
        type: "document",
        source: {
          type: "base64",
          media_type: "text/plain",
          data: `data:image/png;base64,${base64(words)}`
        }
      }
    ],
    [
      "a document beside a shorter one",
      {
        type: "document",
        source: {
          type: "base64",
          media_type: "text/plain",
          document_url: "data:text/plain;base64,eA==",
          data: base64(words)
        }
      }
    ],
    [
      "a file by its name",
      { type: "file", file: { filename: "a.txt", file_data: base64(`%PDF /Type /Page ${words}`) } }
    ],
    [
      "a file with its type in capitals",
      { type: "file", file: { file_data: `DATA:TEXT/PLAIN;BASE64,${base64(words)}` } }
    ],
    [
      "a file beside a shorter one",
      { type: "file", file: { file_data: "data:text/plain;base64,eA==", data: base64(words) } }
    ],
    [
      "a picture that is none",
      { type: "image_url", image_url: { url: `data:text/plain;base64,${base64(words)}` } }
    ]
  ])("that is %s", (_, block) => {
    for (const id of ["gemini-3.1-pro-preview", "svc/nova-2-lite", "claude-fable-5"])
      assert.isAtLeast(boundOf(id, user(block)), 20_000)
  })

  it("whose conversion reads no more than what is held for", () => {
    const data = `data:application/pdf;base64,${base64(words)}`
    const document = { type: "document", source: { type: "base64", media_type: "text/plain", data } }
    for (const id of ["deepseek-v4-pro", "svc/nova-2-lite"]) {
      const { inputBound, sent } = sentOf("messages", id, user(document))
      const told = JSON.stringify(sent)
      assert.isTrue(told.includes(words) || told.includes(base64(words)))
      assert.isAtLeast(inputBound, 20_000)
    }
  })
})

describe("a PDF is held for by its pages", () => {
  const data = pdf(50).toString("base64")
  it.each<JsonObject>([
    { type: "image", source: { type: "base64", media_type: "application/pdf", data } },
    { type: "image_url", image_url: { url: `data:application/pdf;base64,${data}` } },
    { type: "image_url", image_url: { url: "https://example.com/a.pdf" } }
  ])("that comes as a picture: %#", (block) => {
    assert.isAtLeast(boundOf("gemini-3.1-pro-preview", user(block)), 50 * 1_600)
  })
})

describe("a sound by its address is held for like a video", () => {
  it.each<JsonObject>([
    { type: "input_audio", input_audio: { data: "https://example.com/a.mp3", format: "mp3" } },
    { type: "input_audio", input_audio: "https://example.com/a.mp3" },
    { type: "audio_url", audio_url: { url: "https://example.com/a.mp3" } }
  ])("%j", (block) => assert.isAtLeast(boundOf("qwen3.7-plus", user(block)), 1_000_000))
})

describe("no bytes are held for as text", () => {
  // A megabyte of an ordinary photograph.
  const data = Buffer.concat([png(1_000, 1_000), Buffer.alloc(1_000_000, 7)]).toString("base64")
  const url = `data:image/png;base64,${data}`
  it.each<Json>([
    { type: "image", source: { type: "base64", media_type: "image/png", data } },
    { type: "image_url", image_url: { url, detail: "high" } },
    { type: "image_url", image_url: data },
    { type: "image", image: url },
    { type: "input_image", image_url: url },
    { type: "file", file: { filename: "a.png", file_data: url } },
    { type: "input_audio", input_audio: { data, format: "mp3" } },
    { type: "tool_result", tool_use_id: "t", content: [{ type: "image_url", image_url: { url } }] }
  ])("of %#", (block) => {
    for (const id of ["claude-fable-5", "gpt-5.5", "gemini-3.1-pro-preview"])
      assert.isBelow(boundOf(id, user(block as JsonObject)), 10_000)
  })

  it("of the frames of a video", () => {
    const model = modelNamed("qwen3.7-plus")
    const { guess } = measureInput(user({ type: "video", video: [url, url] }), model)
    assert.isBelow(guess, 30_000)
  })
})

describe("a document's data that is no base64", () => {
  it("is held for as the words that other models are told", () => {
    const source = { type: "novelty", data: "預付網關".repeat(3_000) }
    const content = { type: "web_fetch_result", content: { type: "document", source } }
    const { inputBound, sent } = sentOf("messages", "deepseek-v4-pro", {
      messages: [
        { role: "user", content: "hi" },
        { role: "assistant", content: [{ type: "web_fetch_tool_result", tool_use_id: "t", content }] },
        { role: "user", content: "hi" }
      ]
    })
    assert.include(JSON.stringify(sent), source.data.trim())
    assert.isAtLeast(inputBound, 6_000)
  })
})
