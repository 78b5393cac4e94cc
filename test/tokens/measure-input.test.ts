/** The estimate of whole requests: nothing in a body can break the walk, and it only grows with what is sent. */
import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import { chatRequestToMessages } from "../../src/formats/convert/chat-to-messages/request.ts"
import type { Json, JsonObject } from "../../src/formats/json/json.ts"
import { countInputTokens, exactTextTokens } from "../../src/tokens/count-input-tokens.ts"
import { measureInput } from "../../src/tokens/measure-input.ts"
import { pdf, png } from "./make-images.ts"
import { modelNamed } from "../catalogue.ts"

const claude = modelNamed("claude-sonnet-4-6")
const gpt = modelNamed("gpt-5.5")
const wide = { ...claude, contextWindow: 1_000_000_000 }

const builtin = (type: string) => ({ type, function: { name: "$web_search" } })
const shell = (type: string) => ({ type: "shell", environment: { type } })

describe("the estimate of a request", () => {
  const AnyJson: Schema.Codec<Json> = Schema.suspend(() =>
    Schema.Union([
      Schema.Null,
      Schema.Boolean,
      Schema.Finite,
      Schema.String,
      Schema.Array(AnyJson),
      Schema.Record(Names, AnyJson)
    ])
  ) as Schema.Codec<Json>
  const Names = Schema.Literals([
    "type",
    "role",
    "content",
    "text",
    "input",
    "source",
    "image_url",
    "url",
    "data",
    "tools",
    "function",
    "tool_calls",
    "arguments",
    "input_audio",
    "file",
    "file_data",
    "citations",
    "thinking",
    "signature",
    "schema",
    "json_schema",
    "format",
    "max_uses",
    "__proto__"
  ])
  const Blocks = Schema.Struct({
    type: Schema.Literals([
      "image",
      "image_url",
      "input_image",
      "document",
      "file",
      "input_file",
      "input_audio",
      "redacted_thinking",
      "tool_use",
      "constructor"
    ]),
    source: AnyJson,
    image_url: AnyJson,
    file: AnyJson,
    input_audio: AnyJson,
    data: AnyJson
  })

  it.prop("takes any JSON anywhere, and is a whole number of tokens", [AnyJson, Blocks], ([json, block]) => {
    for (const key of [
      "system",
      "messages",
      "input",
      "tools",
      "functions",
      "response_format",
      "output_config",
      "text",
      "thinking",
      "mcp_servers",
      "prompt"
    ]) {
      for (const body of [
        { [key]: json },
        { [key]: [{ content: [block as Json, json] }] }
      ] as ReadonlyArray<JsonObject>) {
        const tokens = measureInput(body, claude).bound
        assert.isTrue(Number.isSafeInteger(tokens) && tokens > 0)
      }
    }
  })

  it.prop(
    "does not fall when a message is added",
    [Schema.Array(Schema.String), Schema.String],
    ([texts, added]) => {
      const body = (list: ReadonlyArray<string>) => ({
        messages: list.map((content) => ({ role: "user", content }))
      })
      assert.isAtLeast(
        measureInput(body([...texts, added]), wide).bound,
        measureInput(body(texts), wide).bound
      )
    }
  )

  it.prop("is not below the exact count of the text alone", [Schema.String], ([text]) => {
    const body = { messages: [{ role: "user", content: text }] }
    assert.isAtLeast(measureInput(body, gpt).bound, exactTextTokens(text))
  })

  it("walks 100,000 levels of nesting", () => {
    let nested: Json = "x"
    for (let level = 0; level < 100_000; level++) nested = level % 2 === 0 ? [nested] : { text: nested }
    for (const body of [
      { messages: [{ role: "user", content: nested }] },
      { tools: [{ input_schema: nested }] }
    ]) {
      assert.isAbove(measureInput(body, wide).bound, 0)
      assert.isAbove(countInputTokens(body, wide), 0)
    }
  })

  it("starts afresh after a walk that failed half way", () => {
    const trap = {
      messages: [
        {
          role: "user",
          content: [
            "first",
            {
              get text(): string {
                throw new Error("trap")
              }
            }
          ]
        }
      ]
    }
    const plain = { messages: [{ role: "user", content: "second" }] }
    const before = measureInput(plain, claude).bound
    assert.throws(() => measureInput(trap, claude).bound, /trap/)
    assert.strictEqual(measureInput(plain, claude).bound, before)
  })

  it("is no more than the model's window, but for what the provider's own tools fetch", () => {
    const messages = [{ role: "user", content: "word ".repeat(3_000_000) }]
    assert.strictEqual(measureInput({ messages }, claude).bound, claude.contextWindow)
    const searching = { messages, tools: [{ type: "web_search_20250305", name: "web_search", max_uses: 1 }] }
    assert.isAbove(measureInput(searching, claude).bound, claude.contextWindow!)
  })

  it("holds more for a tool that the provider runs than for the same name run by the client", () => {
    const of = (tool: JsonObject) => measureInput({ messages: [], tools: [tool] }, claude).bound
    assert.isAbove(of({ type: "web_search_20250305", name: "web_search" }), 10_000)
    assert.isBelow(of({ type: "web_search_20250305", name: "web_search", input_schema: {} }), 2_000)
  })

  it("holds for a long conversation twice where the provider may sum it up first", () => {
    const bound = (words: number, edit: Json) => {
      const messages = [{ role: "user", content: "word ".repeat(words) }]
      return measureInput({ messages, context_management: { edits: [edit] } }, claude).bound
    }
    const compact = { type: "compact_20260112", trigger: { type: "input_tokens", value: 60_000 } }
    const clear = { ...compact, type: "clear_tool_uses_20250919" }
    assert.approximately(bound(100_000, compact), 2 * bound(100_000, clear), 10)
    assert.approximately(bound(1000, compact), bound(1000, clear), 10)
    const messages = [{ role: "user", content: "word ".repeat(100_000) }]
    assert.approximately(
      measureInput({ input: messages, context_management: [{ type: "compaction" }] }, gpt).bound,
      2 * measureInput({ input: messages }, gpt).bound,
      20
    )
    for (const odd of [null, 3, "compact", {}, { type: 7 }])
      assert.approximately(bound(100_000, odd), bound(100_000, clear), 30)
  })

  it("holds for tools and skills that stand with the provider", () => {
    const bound = (fields: JsonObject) =>
      measureInput({ messages: [{ role: "user", content: "Hello" }], ...fields }, claude).bound
    const alone = bound({})
    // platform.claude.com, "Computer use tool" and "Browser tool": about 4,500 and 6,600 tokens.
    assert.isAtLeast(bound({ tools: [{ type: "computer_toolset_20260801" }] }) - alone, 4500)
    assert.isAtLeast(bound({ tools: [{ type: "browser_toolset_20260801" }] }) - alone, 6600)
    const skill = { type: "anthropic", skill_id: "pptx" }
    assert.isAtLeast(bound({ container: { skills: [skill, skill] } }) - alone, 10_000)
    assert.strictEqual(bound({ container: "container_1" }), alone)
  })

  it("counts tools that are given or listed on the way like those given at the start", () => {
    const schema = { type: "object", properties: { destination_city: { type: "string" } } }
    const tool = { name: "book_flight", description: "Books a flight", input_schema: schema }
    const bound = (content: Json, tools: Json = []) =>
      measureInput({ messages: [{ role: "system", content }], tools }, claude).bound
    const added = bound([{ type: "tool_addition", tool: { type: "tool_definition", definition: tool } }])
    assert.isAtLeast(added, bound([], [tool]))
    const search = { type: "web_search_20260318", name: "web_search" }
    const searches = { type: "tool_addition", tool: { type: "tool_definition", definition: search } }
    assert.isAtLeast(bound([searches]), bound([], [search]))
    const listed = [{ type: "mcp_tool_listing", mcp_server_name: "m", tools: [tool] }]
    assert.isAtLeast(bound(listed), bound([], [tool]))
    const toolset = { type: "mcp_toolset", mcp_server_name: "m" }
    assert.isAtLeast(bound([], [{ ...toolset, tools: [tool] }]), bound([], [toolset, tool]) - 20)
  })

  it.each(["claude-sonnet-4-6", "claude-fable-5", "svc/nova-2-lite"])(
    "covers what a conversion for %s says of custom tools",
    (id) => {
      const model = modelNamed(id)
      for (const count of [1, 10, 60]) {
        const tools = Array.from({ length: count }, (_, place) => ({
          type: "custom",
          custom: { name: `run_${place}` }
        }))
        const body = { model: id, messages: [{ role: "user", content: "hi" }], tools }
        const converted = Result.getOrThrow(chatRequestToMessages(body, model)).body
        assert.isAtLeast(measureInput(body, model).bound, 1.2 * countInputTokens(converted, model))
      }
    }
  )

  it("counts an image by its size, and an unknown one as the largest", () => {
    const of = (source: JsonObject) =>
      measureInput({ messages: [{ role: "user", content: [{ type: "image", source }] }] }, claude).bound
    const none = measureInput({ messages: [{ role: "user", content: [] }] }, claude).bound
    const small = of({ type: "base64", media_type: "image/png", data: png(280, 280).toString("base64") })
    assert.approximately(small - none, 106, 10)
    assert.isAtLeast(of({ type: "url", url: "https://example.com/x.png" }) - none, 1_568)
  })

  it("does not count base64 as text", () => {
    const large = Buffer.concat([png(100, 100), Buffer.alloc(1_000_000, 65)]).toString("base64")
    const content = [{ type: "image", source: { type: "base64", media_type: "image/png", data: large } }]
    assert.isBelow(measureInput({ messages: [{ role: "user", content }] }, claude).bound, 200)
  })

  it("counts a text file by its text and a PDF by its pages", () => {
    const of = (bytes: Buffer) =>
      measureInput(
        {
          messages: [
            {
              role: "user",
              content: [{ type: "document", source: { type: "base64", data: bytes.toString("base64") } }]
            }
          ]
        },
        wide
      ).bound
    const text = "The quick brown fox jumps over the lazy dog. ".repeat(200)
    assert.isAtLeast(of(Buffer.from(text)), exactTextTokens(text))
    assert.isAtLeast(of(pdf(10)), 16_000)
    assert.isBelow(of(pdf(10)), 50_000)
  })

  it.each<readonly [on: JsonObject, off: JsonObject]>([
    [{ enable_search: true }, { enable_search: false }],
    [{ enable_code_interpreter: true }, { enable_code_interpreter: false }],
    [{ search_parameters: { mode: "on" } }, { search_parameters: { mode: "off" } }],
    [{ tools: [builtin("builtin_function")] }, { tools: [builtin("function")] }],
    [{ tools: [shell("container_auto")] }, { tools: [shell("local")] }]
  ])("grows by what a tool may find that a provider is told to run by %j", (on, off) => {
    const of = (more: JsonObject) =>
      measureInput({ messages: [{ role: "user", content: "x" }], ...more }, wide).bound
    assert.isAtLeast(of(on), of(off) + 7_500)
  })

  it("counts a PDF that a chat client sends as an image or in Mistral's form by its pages too", () => {
    const of = (part: JsonObject) =>
      measureInput({ messages: [{ role: "user", content: [part] }] }, wide).bound
    const data = `data:application/pdf;base64,${pdf(10).toString("base64")}`
    const asFile = of({ type: "file", file: { file_data: data } })
    assert.isAtLeast(asFile, 16_000)
    for (const image_url of [data, { url: data }])
      assert.approximately(of({ type: "image_url", image_url }), asFile, 5)
    assert.isAbove(of({ type: "image_url", image_url: { url: "https://example.com/a.pdf" } }), 30_000)
    assert.approximately(of({ type: "document_url", document_url: data }), asFile, 5)
    assert.isAbove(of({ type: "document_url", document_url: "https://example.com/a" }), 30_000)
  })
})
