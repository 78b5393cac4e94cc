import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { readFileSync } from "node:fs"
import { bedrockBetas } from "../../../../src/formats/convert/messages-to-invoke/betas.ts"
import {
  invokeEdits,
  type InvokeOptions
} from "../../../../src/formats/convert/messages-to-invoke/request.ts"
import { scanMembers } from "../../../../src/formats/json/scan.ts"
import { objectBytes } from "../../../../src/formats/convert/requests.ts"
import { applyEdits, spliceEdits } from "../../../../src/formats/convert/messages-to-invoke/body-edits.ts"
import { withModelId } from "../../../../src/formats/convert/invoke-to-messages/answer.ts"
import type { Json, JsonObject } from "../../../../src/formats/json/json.ts"
import { modelNamed } from "../../../catalogue.ts"
import { itWith, sharedPath } from "../../../shared-folder.ts"

const opus = "svc/claude-opus-5"
const user = (content: Json): JsonObject => ({ role: "user", content })

const convert = (request: object, options: Partial<InvokeOptions> = {}, model = opus) => {
  const body = { model, max_tokens: 100, messages: [user("hi")], ...request } as JsonObject
  const edits = invokeEdits(body, modelNamed(model), { betas: "", files: new Map(), ...options })
  if (Result.isFailure(edits)) return { refused: edits.failure, body: {} as JsonObject }
  const spliced = spliceEdits(objectBytes(Buffer.from(JSON.stringify(body))), edits.success)
  const converted = JSON.parse(spliced.bytes.toString()) as JsonObject
  assert.deepStrictEqual(spliced.members, scanMembers(spliced.bytes))
  assert.deepStrictEqual(converted, applyEdits(body, edits.success))
  return { refused: undefined, body: converted }
}

describe("a Messages request as a body of InvokeModel", () => {
  it("loses what the path says and gains Bedrock's version", () => {
    const { body } = convert({ stream: true, temperature: 0.5, unknown_field: [1], service_tier: "auto" })
    assert.deepStrictEqual(body, {
      anthropic_version: "bedrock-2023-05-31",
      max_tokens: 100,
      messages: [user("hi")],
      temperature: 0.5,
      unknown_field: [1]
    })
  })

  it("loses the line for Anthropic's accounts that Claude Code begins its system prompt with", () => {
    const line = "x-anthropic-billing-header: cc_version=2.1.9.abc; cc_entrypoint=cli; cch=1a2b3;"
    const text = (value: string) => ({ type: "text", text: value })
    assert.deepStrictEqual(convert({ system: [text(line), text("Be brief.")] }).body.system, [
      text("Be brief.")
    ])
    assert.deepStrictEqual(convert({ system: [text(`${line}\n\nBe brief.`)] }).body.system, [
      text("Be brief.")
    ])
    assert.strictEqual(convert({ system: `${line}\nBe brief.` }).body.system, "Be brief.")
    const scoped = { ...text(line), cache_control: { type: "ephemeral", scope: "global" } }
    for (const system of [line, [text(line)], [scoped]])
      assert.notProperty(convert({ system }).body, "system")
    assert.strictEqual(convert({ system: `Say ${line}` }).body.system, `Say ${line}`)
  })

  it("keeps every other byte of the caller", () => {
    const sent = String.raw`{ "model" : "svc/x", "max_tokens": 1e2, "b": 12345678901234567890, "messages":[{"role":"user", "content":"\u0041\n é"}] , "a":{"10":1,"2":2}, "stream":true, "service_tier":"auto"}`
    const edits = { remove: ["model", "stream", "service_tier"], set: { anthropic_version: "v" } }
    const kept = spliceEdits(objectBytes(Buffer.from(sent)), edits)
    assert.deepStrictEqual(kept.members, scanMembers(kept.bytes))
    assert.strictEqual(
      kept.bytes.toString(),
      String.raw`{"anthropic_version":"v","max_tokens": 1e2,"b": 12345678901234567890,"messages":[{"role":"user", "content":"\u0041\n é"}],"a":{"10":1,"2":2}}`
    )
    for (const text of ["{}", '{"model":1}'])
      assert.strictEqual(
        spliceEdits(objectBytes(Buffer.from(text)), edits).bytes.toString(),
        '{"anthropic_version":"v"}'
      )
  })

  it("C88: carries only the beta flags that Bedrock knows", () => {
    const betas = "claude-code-20250219, interleaved-thinking-2025-05-14,prompt-caching-scope-2026-01-05,x"
    assert.deepStrictEqual(convert({}, { betas }).body.anthropic_beta, ["interleaved-thinking-2025-05-14"])
    assert.notProperty(convert({}, { betas: "claude-code-20250219" }).body, "anthropic_beta")
    assert.notProperty(convert({ anthropic_beta: ["nonsense"] }).body, "anthropic_beta")
    assert.deepStrictEqual(
      convert({ anthropic_beta: ["context-1m-2025-08-07"] }, { betas }).body.anthropic_beta,
      ["interleaved-thinking-2025-05-14", "context-1m-2025-08-07"]
    )
    assert.deepStrictEqual(bedrockBetas("advanced-tool-use-2025-11-20,tool-search-tool-2025-10-19"), [
      "tool-search-tool-2025-10-19"
    ])
    assert.deepStrictEqual(bedrockBetas(""), [])
  })

  it.each<[flag: string, tool: JsonObject]>([
    ["tool-search-tool-2025-10-19", { input_schema: { type: "object" }, defer_loading: true }],
    ["tool-examples-2025-10-29", { input_schema: { type: "object" }, input_examples: [{ city: "Huế" }] }],
    ["context-management-2025-06-27", { type: "memory_20250818" }]
  ])("names the flag %s there for the tool %j", (flag, tool) => {
    assert.deepStrictEqual(convert({ tools: [{ ...tool, name: "memory" }] }).body.anthropic_beta, [flag])
  })

  it("asks for tool inputs as they are written by the flag that Bedrock has instead of a field of the tool", () => {
    const tool = { name: "a", input_schema: { type: "object" } }
    const asked = (eager_input_streaming: boolean) =>
      convert({ tools: [{ ...tool, eager_input_streaming }, tool] }).body
    assert.deepStrictEqual(asked(true).tools, [tool, tool])
    assert.deepStrictEqual(asked(true).anthropic_beta, ["fine-grained-tool-streaming-2025-05-14"])
    assert.deepStrictEqual(asked(false).tools, [tool, tool])
    assert.notProperty(asked(false), "anthropic_beta")
  })

  it("keeps the cache marks of blocks and loses that of the whole request, which Bedrock refuses", () => {
    const mark = { cache_control: { type: "ephemeral" } }
    const messages = [user([{ type: "text", text: "hi", ...mark }])]
    const { body } = convert({ ...mark, messages })
    assert.notProperty(body, "cache_control")
    assert.deepStrictEqual(body.messages, messages)
  })

  it("says of no cache mark how far it reaches", () => {
    const request = (mark: JsonObject) => ({
      system: [{ type: "text", text: "s", cache_control: mark }],
      tools: [{ name: "a", input_schema: { type: "object" }, cache_control: mark }],
      messages: [
        user([
          { type: "text", text: "hi", cache_control: null },
          {
            type: "tool_result",
            tool_use_id: "t",
            content: [{ type: "text", text: "r", cache_control: mark }]
          }
        ])
      ]
    })
    const { body } = convert(request({ type: "ephemeral", ttl: "1h", scope: "global" }))
    assert.deepInclude(body, request({ type: "ephemeral", ttl: "1h" }))
    const source = (mark: JsonObject) => ({
      type: "content",
      content: [{ type: "text", text: "d", cache_control: mark }]
    })
    const document = (mark: JsonObject) => [user([{ type: "document", source: source(mark) }])]
    assert.deepStrictEqual(
      convert({ messages: document({ type: "ephemeral", scope: "global" }) }).body.messages,
      document({ type: "ephemeral" })
    )
  })

  it("leaves a server tool out also where it marks the cache", () => {
    const search = {
      type: "web_search_20250305",
      name: "web_search",
      cache_control: { type: "ephemeral", scope: "global" }
    }
    assert.notProperty(convert({ tools: [search] }).body, "tools")
  })

  it("leaves out the tools that only Anthropic runs, and refuses to be forced to one", () => {
    const search = { type: "web_search_20250305", name: "web_search" }
    const bash = { type: "bash_20250124", name: "bash" }
    const own = { name: "own", input_schema: { type: "object" } }
    assert.deepStrictEqual(convert({ tools: [search, bash, own] }).body.tools, [bash, own])
    assert.notProperty(convert({ tools: [search], tool_choice: { type: "auto" } }).body, "tool_choice")
    for (const choice of [{ type: "any" }, { type: "tool", name: "web_search" }]) {
      assert.strictEqual(convert({ tools: [search], tool_choice: choice }).refused?.field, "tool_choice")
    }
  })

  it.each([
    ["image", "image/png"],
    ["document", "application/pdf"]
  ])("holds a file by URL as the bytes that were fetched: %s", (type, media_type) => {
    const url = "https://example.com/a"
    const file = (source: JsonObject): JsonObject => ({
      type,
      source,
      cache_control: { type: "ephemeral" }
    })
    const messages = (source: JsonObject): ReadonlyArray<JsonObject> => [
      user([file(source), { type: "tool_result", tool_use_id: "t", content: [file(source)] }])
    ]
    const { body } = convert(
      { messages: messages({ type: "url", url }) },
      { files: new Map([[url, { bytes: Buffer.from("hi"), mediaType: media_type }]]) }
    )
    assert.deepStrictEqual(body.messages, messages({ type: "base64", media_type, data: "aGk=" }))
    assert.strictEqual(
      convert({ messages: messages({ type: "url", url }) }).refused?.field,
      "messages.0.content.0.source.url"
    )
  })

  it("tells system turns by the user to models that know none", () => {
    const messages: ReadonlyArray<JsonObject> = [
      user("a"),
      { role: "system", content: "one" },
      { role: "assistant", content: [{ type: "tool_use", id: "t", name: "n", input: {} }] },
      { role: "system", content: [{ type: "text", text: "two", cache_control: { type: "ephemeral" } }] },
      user([{ type: "tool_result", tool_use_id: "t", content: "r" }])
    ]
    assert.deepStrictEqual(convert({ messages }).body.messages, messages)
    const told = convert({ messages }, {}, "svc/claude-opus-4-6").body.messages
    assert.deepStrictEqual(told, [
      messages[0]!,
      user("<system>\none\n</system>"),
      messages[2]!,
      messages[4]!,
      user([{ type: "text", text: "<system>\ntwo\n</system>", cache_control: { type: "ephemeral" } }])
    ])
    const said = { role: "assistant", content: "b" }
    const between = [user("a"), said, { role: "system", content: "one" }, user("c")]
    const inPlace = [user("a"), said, user("<system>\none\n</system>"), user("c")]
    assert.deepStrictEqual(convert({ messages: between }, {}, "svc/claude-opus-4-6").body.messages, inPlace)
  })

  it("C87: shortens tool names everywhere, and answers with the caller's", () => {
    const long = `mcp__${"server".repeat(12)}__search`
    const request: JsonObject = {
      model: opus,
      max_tokens: 9,
      tools: [
        { name: long, input_schema: { type: "object" } },
        { name: "ok", input_schema: { type: "object" } }
      ],
      tool_choice: { type: "tool", name: long },
      messages: [
        user("a"),
        { role: "assistant", content: [{ type: "tool_use", id: "t", name: long, input: {} }] },
        user([{ type: "tool_result", tool_use_id: "t", content: "b" }])
      ]
    }
    const edits = Result.getOrThrow(invokeEdits(request, modelNamed(opus), { betas: "", files: new Map() }))
    const sent = applyEdits(request, edits)
    const [[short, original]] = [...edits.toolNames] as [[string, string]]
    assert.strictEqual(original, long)
    assert.match(short, /^[a-zA-Z0-9_-]{1,64}$/)
    assert.strictEqual(JSON.stringify(sent).split(`"${short}"`).length, 4)
    assert.notInclude(JSON.stringify(sent), long)
    const answer = { model: "m", content: [{ type: "tool_use", id: "t", name: short, input: {} }] }
    const told = JSON.parse(
      withModelId(Buffer.from(JSON.stringify(answer)), opus, edits.toolNames).toString()
    )
    assert.deepStrictEqual(told, { model: opus, content: [{ ...answer.content[0], name: long }] })
  })

  it.each([
    [{ thread: "t" }, "thread"],
    [{ inference_geo: "eu" }, "inference_geo"],
    [{ billing_policy: { type: "billing_policy", bill_to: "user_profile" } }, "billing_policy.bill_to"],
    [{ max_tokens: "many" }, "max_tokens"],
    [{ messages: [] }, "messages"],
    [
      {
        messages: [
          { role: "user", content: "q" },
          {
            role: "user",
            content: [{ type: "document", source: { type: "url", url: "https://a.example/a.pdf" } }]
          }
        ]
      },
      "messages.1.content.0.source.url"
    ]
  ])("is refused by name: %j", (request, field) => {
    assert.strictEqual(convert(request).refused?.field, field)
  })

  it("is refused when it is nested beyond reason", () => {
    const deep = JSON.parse(`${"[".repeat(5000)}${"]".repeat(5000)}`) as Json
    const { refused } = convert({ messages: [user([{ type: "text", text: "a", extra: deep }])] })
    assert.strictEqual(refused?.field, "messages")
  })

  itWith(
    "fixtures",
    "takes a recorded request of Claude Code as it is, without the line for Anthropic's accounts",
    () => {
      const name = sharedPath("fixtures/clients/claude-code-messages-2-tool-result.json")
      const request = JSON.parse(readFileSync(name, "utf8")).request.body
      const { model: _model, stream: _stream, ...rest } = request
      const { body } = convert({ ...request, model: opus })
      assert.deepStrictEqual(body, {
        anthropic_version: "bedrock-2023-05-31",
        anthropic_beta: ["tool-search-tool-2025-10-19"],
        ...rest,
        system: request.system.slice(1)
      })
    }
  )
})

describe("an answer of InvokeModel", () => {
  it("carries the catalogue id, every other byte as it came", () => {
    const answer = `{"model":"claude-opus-5", "id":"msg_bdrk_1","content":[{"model":"x"}],"n":1.50}`
    assert.strictEqual(
      withModelId(Buffer.from(answer), opus).toString(),
      answer.replace('"claude-opus-5"', '"svc/claude-opus-5"')
    )
    assert.strictEqual(withModelId(Buffer.from("oops"), opus).toString(), "oops")
  })
})
