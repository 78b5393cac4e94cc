/** Files by URL for an upstream that takes bytes only. */
import { assert, describe, it } from "@effect/vitest"
import { type PrepareTask, prepareCall } from "../../src/compute/prepare-call.ts"
import { wayTo } from "../../src/formats/pairs.ts"
import { modelNamed } from "../catalogue.ts"

const url = "https://example.com/a.png"
const png = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10])
const files = new Map([[url, { bytes: png, mediaType: "image/png" }]])

const documentUrl = "https://example.com/a.pdf"
const pdf = Buffer.from("%PDF-1.4")
const documents = new Map([[documentUrl, { bytes: pdf, mediaType: "application/pdf" }]])

const image = {
  messages: { type: "image", source: { type: "url", url } },
  chat_completions: { type: "image_url", image_url: { url } },
  responses: { type: "input_image", image_url: url }
}

const document = {
  messages: { type: "document", source: { type: "url", url: documentUrl } },
  // As chat clients do that know no other part with an address.
  chat_completions: { type: "image_url", image_url: { url: documentUrl } },
  responses: { type: "input_file", file_url: documentUrl }
}

const taskOf = (
  endpoint: keyof typeof image,
  model: string,
  asked = image[endpoint] as object
): PrepareTask => ({
  way: wayTo(endpoint, modelNamed(model))!,
  model: modelNamed(model),
  anthropicBeta: "",
  body: Buffer.from(
    JSON.stringify(
      endpoint === "responses"
        ? { model, max_output_tokens: 50, input: [{ role: "user", content: [asked] }] }
        : { model, max_tokens: 50, messages: [{ role: "user", content: [asked] }] }
    )
  )
})

describe("a call with an image that must be fetched", () => {
  it.each([
    ["messages", "svc/nova-pro"],
    ["messages", "svc/claude-sonnet-4-6"],
    ["chat_completions", "svc/nova-pro"],
    ["chat_completions", "svc/claude-sonnet-4-6"],
    ["messages", "kimi-k2.6"],
    ["responses", "kimi-k2.6"]
  ] as const)("from %s to %s is measured before, and complete after", (endpoint, model) => {
    const task = taskOf(endpoint, model)
    const before = prepareCall(task)
    assert.deepStrictEqual(before.missingFiles, [{ kind: "image", url }])
    const after = prepareCall({ ...task, files })
    assert.deepStrictEqual(after.missingFiles, [])
    assert.include(Buffer.from(after.bytes).toString(), png.toString("base64"))
    assert.deepStrictEqual([before.inputBound, before.cap.tokens], [after.inputBound, after.cap.tokens])
    assert.strictEqual(before.cap.tokens, 50)
  })
  it.each([
    ["messages", "grok-4.3"],
    ["responses", "grok-4.3"],
    ["chat_completions", "kimi-k2.6"]
  ] as const)("from %s to %s leaves the URL to the provider", (endpoint, model) => {
    const prepared = prepareCall(taskOf(endpoint, model))
    assert.deepStrictEqual(prepared.missingFiles, [])
    assert.include(Buffer.from(prepared.bytes).toString(), url)
  })

  it("has its tools' images as bytes, too, and those in data URLs", () => {
    const source = { type: "url", url }
    const inline = { type: "url", url: `data:image/png;base64,${png.toString("base64")}` }
    const body = {
      model: "kimi-k2.6",
      max_tokens: 50,
      messages: [
        { role: "user", content: "look" },
        { role: "assistant", content: [{ type: "tool_use", id: "a", name: "f", input: {} }] },
        {
          role: "user",
          content: [
            { type: "tool_result", tool_use_id: "a", content: [{ type: "image", source }] },
            { type: "image", source: inline }
          ]
        }
      ]
    }
    const task = { ...taskOf("messages", "kimi-k2.6"), body: Buffer.from(JSON.stringify(body)) }
    assert.deepStrictEqual(prepareCall(task).missingFiles, [{ kind: "image", url }])
    const { bytes } = prepareCall({ ...task, files })
    const sent = JSON.parse(Buffer.from(bytes).toString())
    const data = { url: `data:image/png;base64,${png.toString("base64")}` }
    const part = { type: "image_url", image_url: data }
    assert.deepStrictEqual(
      sent.messages.at(-1).content.filter(({ type }: { type: string }) => type === "image_url"),
      [part, part]
    )
  })
})

describe("a call with a document that must be fetched", () => {
  it.each([
    ["messages", "svc/nova-pro"],
    ["messages", "svc/claude-sonnet-4-6"],
    ["chat_completions", "svc/claude-sonnet-4-6"],
    ["responses", "svc/claude-sonnet-4-6"],
    ["messages", "kimi-k2.6"],
    ["messages", "grok-4.3"],
    ["responses", "grok-4.3"]
  ] as const)("from %s to %s is measured before, and complete after", (endpoint, model) => {
    const task = taskOf(endpoint, model, document[endpoint])
    const before = prepareCall(task)
    assert.deepStrictEqual(before.missingFiles, [{ kind: "document", url: documentUrl }])
    const after = prepareCall({ ...task, files: documents })
    assert.deepStrictEqual(after.missingFiles, [])
    const sent = Buffer.from(after.bytes).toString()
    assert.include(sent, pdf.toString("base64"))
    assert.notInclude(sent, documentUrl)
    assert.deepStrictEqual([before.inputBound, before.cap.tokens], [after.inputBound, after.cap.tokens])
  })

  it.each([
    ["messages", "claude-sonnet-5"],
    ["responses", "claude-sonnet-5"],
    ["messages", "mistral-medium-2604"],
    ["messages", "gpt-5.4"]
  ] as const)("from %s to %s leaves the URL to the provider", (endpoint, model) => {
    const prepared = prepareCall(taskOf(endpoint, model, document[endpoint]))
    assert.deepStrictEqual(prepared.missingFiles, [])
    assert.include(Buffer.from(prepared.bytes).toString(), documentUrl)
  })
})

describe("a file in a document that is written in blocks", () => {
  const body = (model: string, inResult: boolean) => {
    const document = {
      type: "document",
      source: { type: "content", content: [{ type: "text", text: "a" }, image.messages] }
    }
    const call = { role: "assistant", content: [{ type: "tool_use", id: "a", name: "f", input: {} }] }
    const result = { type: "tool_result", tool_use_id: "a", content: [document] }
    const [before, content] = inResult ? [[call], result] : [[], document]
    const messages = [{ role: "user", content: "look" }, ...before, { role: "user", content: [content] }]
    return Buffer.from(JSON.stringify({ model, max_tokens: 50, messages }))
  }

  it.each([
    ["svc/claude-sonnet-4-6", false],
    ["svc/claude-sonnet-4-6", true],
    ["kimi-k2.6", false],
    ["kimi-k2.6", true]
  ])("is fetched for %s, in a tool's result: %s", (model, inResult) => {
    const task = { ...taskOf("messages", model), body: body(model, inResult) }
    assert.deepStrictEqual(prepareCall(task).missingFiles, [{ kind: "image", url }])
    const sent = Buffer.from(prepareCall({ ...task, files }).bytes).toString()
    assert.include(sent, png.toString("base64"))
    assert.notInclude(sent, url)
  })
})

describe("an address beside what a file's source is", () => {
  it.each([
    { type: "base64", media_type: "application/pdf", data: pdf.toString("base64") },
    { type: "text", media_type: "text/plain", data: "hello" }
  ])("is not fetched: %j", (source) => {
    const asked = { type: "document", source: { ...source, url: documentUrl } }
    assert.deepStrictEqual(prepareCall(taskOf("messages", "svc/nova-pro", asked)).missingFiles, [])
  })
})
