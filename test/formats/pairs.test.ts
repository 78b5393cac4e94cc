/** The table of pairs: which way a call goes, and that no way is missing or made up. */
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { pairOf, pairs, type Way, wayTo } from "../../src/formats/pairs.ts"
import type { JsonObject } from "../../src/formats/json/json.ts"
import { eventFrame } from "../../src/simulator/bedrock/frames.ts"
import { convertRequest } from "../wire/convert-request.ts"
import { contextFor } from "../wire/models.ts"
import { catalogue, modelNamed } from "../catalogue.ts"
import { runCodec } from "./bedrock-fixtures.ts"

const texts = catalogue.models.filter(({ kind }) => kind === "chat")

describe("the way of a call", () => {
  it("leads from Messages and chat to every text model", () => {
    for (const model of texts)
      for (const endpoint of ["messages", "chat_completions"] as const)
        assert.isDefined(wayTo(endpoint, model), `${endpoint} to ${model.id}`)
  })

  it.each([
    ["messages", "claude-sonnet-5", "messages"],
    ["messages", "svc/claude-sonnet-5", "invoke"],
    ["messages", "svc/nova-pro", "converse"],
    ["chat_completions", "claude-sonnet-5", "messages"],
    ["chat_completions", "gpt-5.5", "chat_completions"],
    ["chat_completions", "deepseek-v4-pro", "chat_completions"],
    ["chat_completions", "svc/claude-sonnet-5", "invoke"],
    ["responses", "gpt-5.5", "responses"]
  ] as const)("from %s to %s is by %s", (endpoint, id, protocol) => {
    assert.deepStrictEqual<Way | undefined>(wayTo(endpoint, modelNamed(id)), { endpoint, protocol } as Way)
  })

  const tools = [{ type: "function", function: { name: "f", parameters: { type: "object" } } }]
  const custom = [{ type: "custom", custom: { name: "p" } }]
  const wayOf = (more: JsonObject, id = "gpt-5.5") => {
    const request = { messages: [{ role: "user", content: "q" }], tools, ...more }
    return Result.getOrThrow(convertRequest("chat_completions", id, request)).way.protocol
  }

  it.each<JsonObject>([
    {},
    { tools: custom },
    { reasoning_effort: "high" },
    { n: 1, stop: [], logit_bias: {}, functions: [], frequency_penalty: 0, presence_penalty: 0 },
    { n: null, stop: null, seed: null, prediction: null, audio: null },
    { logprobs: false, modalities: ["text"], tool_choice: "none" }
  ])("from chat to a model that calls no tools there while it thinks is by Responses: %j", (more) => {
    assert.strictEqual(wayOf(more), "responses")
    assert.strictEqual(wayOf(more, "deepseek-v4-pro"), "chat_completions")
  })

  const said = (content: JsonObject["content"], more: JsonObject = {}) => ({
    messages: [
      { role: "user", content, ...more },
      { role: "user", content: "q" }
    ]
  })
  it.each<JsonObject>([
    { tools: [] },
    { tools: undefined },
    { tools: [{ type: "web_search" }] },
    { reasoning_effort: "none" },
    { n: 2 },
    { stop: "x" },
    { stop: ["x"] },
    { logit_bias: { 5: 1 } },
    { seed: 0 },
    { frequency_penalty: 0.5 },
    { presence_penalty: -1 },
    { logprobs: true },
    { top_logprobs: 2 },
    { audio: { voice: "alloy", format: "wav" } },
    { modalities: ["text", "audio"] },
    { prediction: { type: "content", content: "x" } },
    { functions: [{ name: "g" }] },
    { web_search_options: {} },
    said([
      { type: "input_audio", input_audio: { data: "AAAA", format: "wav" } },
      { type: "text", text: "q" }
    ]),
    said(null, { role: "assistant", audio: { id: "audio_1" } })
  ])("but stays on chat where there is nothing to call, or Responses has no words for it: %j", (more) => {
    assert.strictEqual(wayOf(more), "chat_completions")
  })

  it("can not be named where the table has none", () => {
    // @ts-expect-error: images are no text.
    const none: Way = { endpoint: "messages", protocol: "images" }
    assert.isUndefined(pairOf(none))
  })
})

describe("a request in its upstream's own protocol", () => {
  it.each([
    ["messages", "req/minimax-m3", "MiniMax-M3", { max_tokens: 9, messages: [] }],
    ["chat_completions", "req/deepseek-v4-pro", "deepseek-v4-pro", { messages: [] }],
    ["responses", "req/gpt-5.5", "gpt-5.5", { input: "q" }]
  ] as const)("of %s for %s names the model %s, and is else as it was", (endpoint, id, name, request) => {
    const sent = { ...request, stream: false, x: 1 }
    const { body } = Result.getOrThrow(convertRequest(endpoint, id, sent))
    assert.deepStrictEqual(body, { ...sent, model: name })
  })
})

describe("the form of an answer", () => {
  it.each(["chat_completions", "responses"] as const)(
    "of %s reaches chat providers in its own words",
    (endpoint) => {
      const schema = { type: "object", properties: { age: { type: "integer" } } }
      const asked = { name: "person", description: "Who it is.", strict: false, schema }
      const { body } = Result.getOrThrow(
        convertRequest(endpoint, "gemini-3.5-flash", {
          messages: [{ role: "user", content: "q" }],
          ...(endpoint === "responses"
            ? { messages: undefined, input: "q", text: { format: { type: "json_schema", ...asked } } }
            : { response_format: { type: "json_schema", json_schema: asked } })
        })
      )
      assert.deepStrictEqual(body.response_format, { type: "json_schema", json_schema: asked })
    }
  )
})

describe("what a further conversion refuses", () => {
  it.each(["chat_completions", "responses"] as const)(
    "names no turn to a client of %s, whose messages are counted otherwise",
    (endpoint) => {
      const url = "data:image/bmp;base64,Qk0="
      const [asked, system] = [
        { role: "user", content: "q" },
        { role: "system", content: "S" }
      ]
      const messages = [asked, system, { role: "user", content: [{ type: "image_url", image_url: { url } }] }]
      const input = [asked, system, { role: "user", content: [{ type: "input_image", image_url: url }] }]
      const refused = Result.flip(convertRequest(endpoint, "svc/nova-2-lite", { messages, input }))
      const { field, message } = Result.getOrThrow(refused)
      assert.strictEqual(field, endpoint === "responses" ? "input" : "messages")
      assert.strictEqual(message, `${field}: must be a PNG, JPEG, WebP or GIF image`)
    }
  )
})

describe("a tool's own name", () => {
  it("comes back once, also where it is another tool's changed name, whole and streamed alike", () => {
    const context = contextFor("svc/nova-pro", {
      toolNames: new Map([
        ["a", "b"],
        ["b", "c"]
      ])
    })
    const toolUse = { toolUseId: "t", name: "a", input: {} }
    const answer = {
      output: { message: { role: "assistant", content: [{ toolUse }] } },
      stopReason: "tool_use",
      usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 }
    }
    const told = pairs.chat_completions.converse.answer(answer, Buffer.alloc(0), context)
    const { choices } = JSON.parse(Buffer.from(Result.getOrThrow(told)).toString())
    assert.strictEqual(choices[0].message.tool_calls[0].function.name, "b")
    const events: ReadonlyArray<readonly [type: string, event: object]> = [
      ["messageStart", { role: "assistant" }],
      ["contentBlockStart", { contentBlockIndex: 0, start: { toolUse: { toolUseId: "t", name: "a" } } }],
      ["contentBlockDelta", { contentBlockIndex: 0, delta: { toolUse: { input: "{}" } } }],
      ["contentBlockStop", { contentBlockIndex: 0 }],
      ["messageStop", { stopReason: "tool_use" }],
      ["metadata", { usage: answer.usage }]
    ]
    const bytes = Buffer.concat(events.map(([type, event]) => eventFrame(type, JSON.stringify(event))))
    const { output } = runCodec(pairs.chat_completions.converse.stream(context), bytes)
    assert.include(output.toString(), '"name":"b"')
  })
})
