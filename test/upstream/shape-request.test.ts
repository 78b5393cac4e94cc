/** What goes out to a provider that is reached by a key: the address, the credentials, and nothing else of the caller's. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { ProviderSettings } from "../../src/config/settings.ts"
import { BedrockSigners } from "../../src/upstream/BedrockSigners.ts"
import { type OutgoingCall, shapeRequest } from "../../src/upstream/shape-request.ts"
import { providerOf, routesTo } from "./stub-providers.ts"

const [route] = routesTo(1)
const call: OutgoingCall = {
  provider: providerOf([]),
  protocol: "messages",
  model: "a-model",
  operation: undefined,
  path: "/v1/messages",
  body: Buffer.from("{}"),
  contentType: "application/json",
  stream: false,
  anthropicVersion: "",
  anthropicBeta: "",
  codexResponsesLite: "",
  traceParent: ""
}

const shape = (more: Partial<OutgoingCall>, baseUrl: string, apiKey = "") =>
  Effect.runSync(shapeRequest(new BedrockSigners(), { ...call, ...more }, { ...route!, baseUrl, apiKey }))

describe("a request to a provider", () => {
  it.each([
    ["https://api.example.com", "/v1/messages", "https://api.example.com", "/v1/messages"],
    ["https://api.example.com/", "/v1/messages", "https://api.example.com", "/v1/messages"],
    ["https://api.example.com/v1", "/chat/completions", "https://api.example.com", "/v1/chat/completions"],
    ["http://127.0.0.1:9002/a/b//", "/responses", "http://127.0.0.1:9002", "/a/b/responses"]
  ])("of %s goes with %s to %s%s", (baseUrl, path, origin, whole) => {
    const request = shape({ path }, baseUrl)
    assert.deepStrictEqual([request.origin, request.path], [origin, whole])
  })

  it("carries its key as the protocol does, and none where there is none", () => {
    const base = "https://api.example.com"
    assert.deepInclude(shape({}, base, "k").headers, { "x-api-key": "k", "anthropic-version": "2023-06-01" })
    assert.notProperty(shape({}, base, "k").headers, "authorization")
    const chat = shape({ protocol: "chat_completions", stream: true }, base, "k").headers
    assert.deepInclude(chat, { authorization: "Bearer k", accept: "text/event-stream" })
    for (const name of ["x-api-key", "anthropic-version"]) assert.notProperty(chat, name)
    for (const protocol of ["messages", "chat_completions"] as const)
      for (const name of ["x-api-key", "authorization"])
        assert.notProperty(shape({ protocol }, base).headers, name)
  })

  it("passes on the version, the beta flags and the trace that the caller named", () => {
    const more = { anthropicVersion: "2024-01-01", anthropicBeta: "a,b", traceParent: "00-1-2-01" }
    assert.deepInclude(shape(more, "https://api.example.com").headers, {
      "anthropic-version": "2024-01-01",
      "anthropic-beta": "a,b",
      traceparent: "00-1-2-01"
    })
  })
})

describe("a request of Codex", () => {
  const base = "https://api.example.com/v1"
  const name = "x-openai-internal-codex-responses-lite"

  it("keeps the header that says where its tools stand, towards Responses alone", () => {
    const lite = { protocol: "responses", codexResponsesLite: "true" } as const
    assert.strictEqual(shape(lite, base).headers[name], "true")
    assert.notProperty(shape({ ...lite, codexResponsesLite: "" }, base).headers, name)
    for (const protocol of ["messages", "chat_completions"] as const)
      assert.notProperty(shape({ ...lite, protocol }, base).headers, name)
  })
})

describe("the signers of Bedrock", () => {
  it("are one for each route of a provider's settings, so that credentials are asked for once", () => {
    const signers = new BedrockSigners()
    const settings: ProviderSettings = providerOf(routesTo(1, 2))
    const [first, second] = settings.routes
    assert.strictEqual(signers.of(settings, first!), signers.of(settings, first!))
    assert.notStrictEqual(signers.of(settings, first!), signers.of(settings, second!))
    assert.notStrictEqual(signers.of(settings, first!), signers.of({ ...settings }, first!))
  })
})
