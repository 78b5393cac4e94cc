/** Images by URL for an upstream that takes bytes only. */
import { assert, describe, it } from "@effect/vitest"
import { type PrepareTask, prepareCall } from "../../src/compute/prepare-call.ts"
import { wayTo } from "../../src/formats/pairs.ts"
import { modelNamed } from "../tokens/models.ts"

const url = "https://example.com/a.png"
const png = Buffer.from([137, 80, 78, 71])
const images = new Map([[url, { bytes: png, mediaType: "image/png" }]])

const asked = {
  messages: [{ type: "image", source: { type: "url", url } }],
  chat_completions: [{ type: "image_url", image_url: { url } }]
}

const taskOf = (endpoint: keyof typeof asked, model: string): PrepareTask => ({
  way: wayTo(endpoint, modelNamed(model))!,
  model: modelNamed(model),
  anthropicBeta: "",
  body: Buffer.from(
    JSON.stringify({ model, max_tokens: 50, messages: [{ role: "user", content: asked[endpoint] }] })
  )
})

describe("a call with an image that must be fetched", () => {
  it.each([
    ["messages", "svc/nova-pro"],
    ["messages", "svc/claude-sonnet-4-6"],
    ["chat_completions", "svc/nova-pro"],
    ["chat_completions", "svc/claude-sonnet-4-6"]
  ] as const)("from %s to %s is measured before, and complete after", (endpoint, model) => {
    const task = taskOf(endpoint, model)
    const before = prepareCall(task)
    assert.deepStrictEqual(before.missingImages, [url])
    const after = prepareCall({ ...task, images })
    assert.deepStrictEqual(after.missingImages, [])
    assert.include(Buffer.from(after.bytes).toString(), png.toString("base64"))
    assert.deepStrictEqual([before.inputBound, before.cap.tokens], [after.inputBound, after.cap.tokens])
    assert.strictEqual(before.cap.tokens, 50)
  })
})
