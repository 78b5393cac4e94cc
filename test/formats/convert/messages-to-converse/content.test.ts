import { assert, describe, it } from "@effect/vitest"
import { markReasoning } from "../../../../src/formats/convert/reasoning-marks.ts"
import { readFileSync } from "node:fs"
import type { JsonObject } from "../../../../src/formats/json/json.ts"
import { assistant, calls, convert, nova, tool, user } from "../../bedrock-convert.ts"
import { describeWith, sharedPath } from "../../../shared-folder.ts"

describe("content for Converse", () => {
  it("names documents as Converse demands, and gives their turn some text", () => {
    const document = (title?: string) => ({
      type: "document",
      title,
      source: { type: "text", media_type: "text/plain", data: "xin chào" }
    })
    const pdf = {
      type: "document",
      source: { type: "base64", media_type: "application/pdf", data: "JVBERi0=" }
    }
    const { body } = convert({
      messages: [
        user([
          document("Báo  cáo_Đà.txt"),
          document("Bao cao Da txt"),
          document(),
          pdf,
          document("x".repeat(300))
        ])
      ]
    })
    const content = body.messages[0].content
    const names = content.slice(0, 5).map((block: { document: { name: string } }) => block.document.name)
    assert.deepStrictEqual(names.slice(0, 4), [
      "Bao cao Da txt",
      "Bao cao Da txt (2)",
      "document",
      "document (2)"
    ])
    for (const name of names) assert.match(name, /^(?!.*\s\s)[a-zA-Z0-9\s\-()[\]]{1,200}$/)
    assert.deepStrictEqual(content[0].document.source, { bytes: Buffer.from("xin chào").toString("base64") })
    assert.deepStrictEqual(content[3].document, {
      format: "pdf",
      name: "document (2)",
      source: { bytes: "JVBERi0=" }
    })
    assert.strictEqual(content[5].text, "(see the documents)")
    assert.deepStrictEqual(convert({ messages: [user([document()])] }).body.messages[0].content.slice(1), [
      { text: "(see the document)" }
    ])
    const asked = [document(), { type: "text", text: "so?" }]
    assert.deepStrictEqual(convert({ messages: [user(asked)] }).body.messages[0].content.slice(1), [
      { text: "so?" }
    ])
  })

  it("shows the images of a document that is written in blocks beside it", () => {
    const image = { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } }
    const said = (text: string) => ({ type: "text", text })
    const contentOf = (...content: ReadonlyArray<object>) =>
      convert({ messages: [user([{ type: "document", source: { type: "content", content } }, said("so?")])] })
        .body.messages[0].content
    const shown = { image: { format: "png", source: { bytes: "AAAA" } } }
    const document = {
      format: "txt",
      name: "document",
      source: { bytes: Buffer.from("one\n\ntwo").toString("base64") }
    }
    assert.deepStrictEqual(contentOf(said("one"), image, said("two")), [{ document }, shown, { text: "so?" }])
    assert.deepStrictEqual(contentOf(image), [shown, { text: "so?" }])
  })

  it("reads search results as text, and base64 of every kind", () => {
    const result = {
      type: "search_result",
      title: "T",
      source: "https://example.com",
      content: [{ type: "text", text: "found" }]
    }
    const image = { type: "image", source: { type: "base64", media_type: "image/png", data: "-_8\n" } }
    const messages = [user([result, image, { type: "text", text: " \n" }])]
    assert.deepStrictEqual(convert({ messages }).body.messages[0].content, [
      { text: "T\nhttps://example.com\n\nfound" },
      { image: { format: "png", source: { bytes: "+/8=" } } }
    ])
  })

  it("turns cache control into cache points where the model knows them", () => {
    const cached = { cache_control: { type: "ephemeral", ttl: "1h" } }
    const request = {
      system: [{ type: "text", text: "s", ...cached }],
      tools: [{ ...tool, ...cached }],
      messages: [
        user([
          { type: "text", text: "a", ...cached },
          { type: "text", text: "b" }
        ])
      ]
    }
    const point = { cachePoint: { type: "default" } }
    const { body } = convert(request)
    assert.deepStrictEqual(body.system, [{ text: "s" }, point])
    assert.deepStrictEqual(body.messages[0].content, [{ text: "a" }, point, { text: "b" }])
    assert.lengthOf(body.toolConfig.tools, 1)
    assert.notInclude(JSON.stringify(convert(request, "svc/gpt-oss-120b").body), "cachePoint")
    const unmarked = { system: [{ type: "text", text: "s", cache_control: null }] }
    assert.deepStrictEqual(convert(unmarked).body.system, [{ text: "s" }])
  })

  it("has cache points behind texts alone, and none behind calls, results and what is in them", () => {
    const cached = { cache_control: { type: "ephemeral" } }
    const point = { cachePoint: { type: "default" } }
    const source = { type: "base64", media_type: "image/png", data: "AAAA" }
    const results = (more: object, content: unknown) => [
      user([{ type: "text", text: "weather?", ...cached }]),
      assistant([{ type: "tool_use", id: "a", name: "get_weather", input: {}, ...cached }]),
      user([
        { type: "tool_result", tool_use_id: "a", content, ...more },
        { type: "image", source, ...cached },
        { type: "text", text: "so?" }
      ])
    ]
    const plain = [{ type: "text", text: "rain" }]
    for (const messages of [results(cached, plain), results({}, [{ ...plain[0], ...cached }])]) {
      const forNova = convert({ messages }).body.messages
      assert.deepStrictEqual(forNova[0].content, [{ text: "weather?" }, point])
      assert.notInclude(JSON.stringify(forNova.slice(1)), "cachePoint")
    }
  })

  it("sends reasoning back to those who want it", () => {
    const messages = [
      user("a"),
      assistant([
        { type: "thinking", thinking: "hm", signature: "c2ln" },
        { type: "thinking", thinking: "", signature: "c2lnMg==" },
        { type: "thinking", thinking: "not mine", signature: "unsigned" },
        { type: "thinking", thinking: "nova's", signature: markReasoning("nova", "thought", "") },
        { type: "redacted_thinking", data: "EtkECkg=" },
        { type: "text", text: "b" }
      ]),
      user("c")
    ]
    const contentFor = (model: string) => convert({ messages }, model).body.messages[1].content
    assert.deepStrictEqual(contentFor(nova), [
      { reasoningContent: { reasoningText: { text: "nova's" } } },
      { text: "b" }
    ])
    assert.deepStrictEqual(contentFor("svc/gpt-oss-120b"), [{ text: "b" }])
  })
})

describe("tools for Converse", () => {
  it("are declared with a schema that has properties, server tools left out", () => {
    const { body } = convert({
      tools: [
        tool,
        { type: "web_search_20250305", name: "web_search" },
        { ...tool, name: "b", description: " " }
      ],
      tool_choice: { type: "tool", name: "b" }
    })
    assert.deepStrictEqual(body.toolConfig, {
      tools: [
        {
          toolSpec: {
            name: "get_weather",
            description: "Weather",
            inputSchema: { json: { type: "object", properties: {} } }
          }
        },
        { toolSpec: { name: "b", inputSchema: { json: { type: "object", properties: {} } } } }
      ],
      toolChoice: { tool: { name: "b" } }
    })
  })

  it("are not forced on models that can not be forced", () => {
    const forced = { tools: [tool], tool_choice: { type: "any" } }
    const choiceOf = (model: string) => convert(forced, model).body.toolConfig.toolChoice
    assert.deepStrictEqual(choiceOf(nova), { any: {} })
    assert.deepStrictEqual(choiceOf("svc/deepseek-v3.2"), { auto: {} })
    assert.deepStrictEqual(choiceOf("svc/claude-fable-5-2"), { auto: {} })
  })

  it("C86: are rebuilt when only the history has them", () => {
    const { body } = convert({ messages: calls })
    assert.deepStrictEqual(body.toolConfig, {
      tools: [
        { toolSpec: { name: "get_weather", inputSchema: { json: { type: "object", properties: {} } } } }
      ]
    })
    assert.lengthOf(body.system, 1)
    // A result whose call is not there is text, which Converse takes without tools.
    const orphan = convert({ messages: [calls[2]] }).body
    assert.notProperty(orphan, "toolConfig")
    assert.notProperty(orphan, "system")
  })

  it("C87: go without a choice of none, and are left out where the history allows it", () => {
    const none = { tools: [tool], tool_choice: { type: "none" } }
    assert.notProperty(convert(none).body, "toolConfig")
    const { body } = convert({ ...none, messages: calls })
    assert.lengthOf(body.toolConfig.tools, 1)
    assert.notProperty(body.toolConfig, "toolChoice")
    assert.include(body.system[0].text, "No tool")
  })

  it("C87: get names and ids that Bedrock allows, the same everywhere, and the way back", () => {
    const names = ["mcp.server/tool", "công_cụ", "x".repeat(70), "plain"]
    const id = `call:${"9".repeat(100)}`
    const { body, toolNames } = convert({
      tools: names.map((name) => ({ ...tool, name })),
      tool_choice: { type: "tool", name: names[0] },
      messages: [
        user("a"),
        assistant([{ type: "tool_use", id, name: names[0], input: {} }]),
        user([{ type: "tool_result", tool_use_id: id, content: "b" }])
      ]
    })
    const sent = body.toolConfig.tools.map(({ toolSpec }: { toolSpec: { name: string } }) => toolSpec.name)
    for (const name of sent) assert.match(name, /^[a-zA-Z0-9_-]{1,64}$/)
    assert.strictEqual(new Set(sent).size, names.length)
    assert.deepStrictEqual(
      sent.map((name: string) => toolNames.get(name) ?? name),
      names
    )
    assert.strictEqual(body.toolConfig.toolChoice.tool.name, sent[0])
    const { toolUse } = body.messages[1].content[0]
    assert.strictEqual(toolUse.name, sent[0])
    assert.match(toolUse.toolUseId, /^[a-zA-Z0-9_-]{1,64}$/)
    assert.strictEqual(body.messages[2].content[0].toolResult.toolUseId, toolUse.toolUseId)
  })
})

it("images of results stand behind all results where no result may hold them", () => {
  const image = { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } }
  const messages = [
    user("shots?"),
    assistant(["a", "b"].map((id) => ({ type: "tool_use", id, name: "get_weather", input: {} }))),
    user([
      { type: "tool_result", tool_use_id: "a", content: [image] },
      { type: "tool_result", tool_use_id: "b", content: [{ type: "text", text: "seen" }, image] },
      { type: "text", text: "so?" }
    ])
  ]
  const sent = { image: { format: "png", source: { bytes: "AAAA" } } }
  const result = (toolUseId: string, content: ReadonlyArray<object>) => ({
    toolResult: { toolUseId, content }
  })
  assert.deepStrictEqual(convert({ messages }, "svc/gpt-oss-120b").body.messages[2].content, [
    result("a", [{ text: "(the result is attached)" }]),
    result("b", [{ text: "seen" }]),
    sent,
    sent,
    { text: "so?" }
  ])
  for (const model of [nova, "svc/llama4-scout-17b-instruct"])
    assert.deepStrictEqual(convert({ messages }, model).body.messages[2].content, [
      result("a", [sent]),
      result("b", [{ text: "seen" }, sent]),
      { text: "so?" }
    ])
})

it("documents are given without citations, which no model there knows", () => {
  const source = { type: "text", media_type: "text/plain", data: "sky" }
  const messages = [user([{ type: "document", source, citations: { enabled: true } }])]
  assert.notInclude(JSON.stringify(convert({ messages }).body), "citations")
})

it("ids of calls are nine letters and digits for Mistral's models on Bedrock, alike in call and result", () => {
  const { body } = convert({ messages: calls }, "svc/mistral-large-3")
  const { toolUseId } = body.messages[1].content[0].toolUse
  assert.match(toolUseId, /^[a-zA-Z0-9]{9}$/)
  assert.strictEqual(body.messages[2].content[0].toolResult.toolUseId, toolUseId)
})

const clients = sharedPath("fixtures/clients")

describeWith("fixtures", "a recorded request of Claude Code", () => {
  it.each(["claude-code-messages-1", "claude-code-messages-2-tool-result", "claude-code-nonstream-fallback"])(
    "%s becomes turns that alternate and hold something",
    (name) => {
      const request = JSON.parse(readFileSync(`${clients}/${name}.json`, "utf8")).request.body
      for (const model of [nova, "svc/gpt-oss-120b", "svc/llama4-scout-17b-instruct"]) {
        const { body, refused } = convert(request, model)
        assert.isUndefined(refused)
        const turns = body.messages as ReadonlyArray<{ role: string; content: ReadonlyArray<JsonObject> }>
        turns.forEach(({ role, content }, index) => {
          assert.strictEqual(role, index % 2 === 0 ? "user" : "assistant")
          assert.isNotEmpty(content)
          for (const block of content) assert.lengthOf(Object.keys(block), 1)
        })
      }
    }
  )
})
