/** What goes out to a provider that is reached by a key: the address, the credentials, and nothing else of the caller's. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { ProviderSettings } from "../../src/config/settings.ts"
import { pairOf, pairs, type Way } from "../../src/formats/pairs.ts"
import { type Addressed, bearerAddress, messagesAddress } from "../../src/formats/upstream-address.ts"
import { BedrockSigners } from "../../src/upstream/BedrockSigners.ts"
import { type OutgoingCall, shapeRequest } from "../../src/upstream/shape-request.ts"
import { providerOf, routesTo } from "./stub-providers.ts"

const [route] = routesTo(1)
const asked = { stream: false, query: "", anthropicVersion: "", anthropicBeta: "", codexResponsesLite: "" }
const call: OutgoingCall = {
  provider: providerOf([]),
  model: "a-model",
  address: messagesAddress(asked),
  body: Buffer.from("{}"),
  contentType: "application/json",
  stream: false,
  traceParent: ""
}

const shaped = (more: Partial<OutgoingCall>, baseUrl: string, apiKey = "") =>
  shapeRequest(new BedrockSigners(), { ...call, ...more }, { ...route!, baseUrl, apiKey })
const shape = (...of: Parameters<typeof shaped>) => Effect.runSync(shaped(...of))

describe("a request to a provider", () => {
  it.each([
    ["https://api.example.com", "/v1/messages", "/v1/messages"],
    ["https://api.example.com/", "/v1/messages", "/v1/messages"],
    ["https://api.example.com/v1", "/chat/completions", "/v1/chat/completions"],
    ["http://127.0.0.1:9002/a/b//", "/responses", "/a/b/responses"]
  ])("of %s goes with %s to %s", (baseUrl, path, whole) => {
    assert.strictEqual(shape({ address: bearerAddress(path) }, baseUrl).path, whole)
  })

  it("carries its key as the protocol does, and none where there is none", () => {
    const base = "https://api.example.com"
    assert.deepInclude(shape({}, base, "k").headers, { "x-api-key": "k", "anthropic-version": "2023-06-01" })
    assert.notProperty(shape({}, base, "k").headers, "authorization")
    const chat = shape(
      { address: pairs.chat_completions.chat_completions.address(asked), stream: true },
      base,
      "k"
    ).headers
    assert.deepInclude(chat, { authorization: "Bearer k", accept: "text/event-stream" })
    for (const name of ["x-api-key", "anthropic-version"]) assert.notProperty(chat, name)
    for (const protocol of ["messages", "chat_completions"] as const)
      for (const name of ["x-api-key", "authorization"])
        assert.notProperty(shape({ address: pairs.messages[protocol].address(asked) }, base).headers, name)
  })

  it.effect.each<OutgoingCall["address"]>([
    messagesAddress(asked),
    { _tag: "Signed", operation: "converse" }
  ])("asks for an answer that is not compressed, and tells its trace: $_tag", (address) =>
    Effect.gen(function* () {
      const { headers } = yield* shaped({ address, traceParent: "00-1-2-01" }, "https://api.example.com", "k")
      assert.deepInclude(headers, {
        "accept-encoding": "identity",
        "user-agent": "tollgate",
        traceparent: "00-1-2-01"
      })
    })
  )

  it("passes on the version, the beta flags and the trace that the caller named", () => {
    const named = { ...asked, anthropicVersion: "2024-01-01", anthropicBeta: "a,b" }
    const more = { address: messagesAddress(named), traceParent: "00-1-2-01" }
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
    const lite = { ...asked, codexResponsesLite: "true" }
    const headers = (way: Way, from: Addressed) => shape({ address: pairOf(way).address(from) }, base).headers
    assert.strictEqual(headers({ endpoint: "responses", protocol: "responses" }, lite)[name], "true")
    assert.notProperty(headers({ endpoint: "responses", protocol: "responses" }, asked), name)
    for (const protocol of ["messages", "chat_completions"] as const)
      assert.notProperty(headers({ endpoint: "messages", protocol }, lite), name)
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
