import { assert, describe, it } from "@effect/vitest"
import { fileAddresses } from "../../../../src/formats/images/file-sources.ts"
import type { JsonObject } from "../../../../src/formats/json/json.ts"
import { assistant, calls, convert, nova, tool, user } from "../../bedrock-convert.ts"

describe("a Messages request as a Converse request", () => {
  it("is refused when its turns are all blank", () => {
    const messages = [user(" "), assistant([{ type: "text", text: "" }])]
    assert.strictEqual(convert({ system: "s", messages }).refused?.field, "messages")
  })

  it("keeps system, text and the settings that Converse has", () => {
    const { body } = convert({
      system: [
        { type: "text", text: "Be brief." },
        { type: "text", text: "" }
      ],
      messages: [user("hi"), assistant([{ type: "text", text: "hello" }]), user("bye")],
      temperature: 0.5,
      top_p: 0.9,
      top_k: 20,
      stop_sequences: ["END"],
      stream: true,
      metadata: { user_id: "u" }
    })
    assert.deepStrictEqual(body, {
      system: [{ text: "Be brief." }],
      messages: [
        { role: "user", content: [{ text: "hi" }] },
        { role: "assistant", content: [{ text: "hello" }] },
        { role: "user", content: [{ text: "bye" }] }
      ],
      inferenceConfig: { maxTokens: 100, temperature: 0.5, topP: 0.9, stopSequences: ["END"] },
      additionalModelRequestFields: { inferenceConfig: { topK: 20 } }
    })
  })

  it("reads system messages that only set an effort, hold for one turn, or change the tools", () => {
    const named = (name: string) => ({ ...tool, name })
    const added = { type: "tool_definition", definition: named("grep") }
    const changes = [
      { type: "tool_addition", tool: added },
      { type: "tool_removal", tool: { type: "tool_reference", name: "write" } }
    ]
    const { body } = convert({
      tools: [named("read"), named("write")],
      messages: [
        user("a"),
        { role: "system", output_config: { effort: "low" } },
        { role: "system", content: "Now briefly.", clear_at: "next_user_message" },
        user("b"),
        { role: "system", content: changes }
      ]
    })
    assert.deepStrictEqual(body.messages, [{ role: "user", content: [{ text: "a" }, { text: "b" }] }])
    const names = body.toolConfig.tools.map(({ toolSpec }: { toolSpec: { name: string } }) => toolSpec.name)
    assert.deepStrictEqual(names, ["read", "grep"])
  })

  it("lowers a cap above the model's maximum", () => {
    assert.strictEqual(convert({ max_tokens: 10 ** 6 }, "svc/nova-pro").body.inferenceConfig.maxTokens, 8192)
  })

  it("tells a system prompt where it stands, and merges turns of the same role", () => {
    const { body } = convert({
      messages: [
        { role: "system", content: "first" },
        user("one"),
        { role: "system", content: [{ type: "text", text: "second" }] },
        user("two"),
        assistant("three"),
        assistant("four")
      ]
    })
    assert.deepStrictEqual(body.system, [{ text: "first" }])
    assert.deepStrictEqual(body.messages, [
      { role: "user", content: [{ text: "one" }, { text: "<system>\nsecond\n</system>" }, { text: "two" }] },
      { role: "assistant", content: [{ text: "three" }, { text: "four" }] }
    ])
  })

  it("begins with the user, also where the client begins with a greeting of its own", () => {
    const { body } = convert({ system: "s", messages: [assistant("Xin chào!"), user("hi")] })
    assert.deepStrictEqual(
      body.messages.map(({ role }: { role: string }) => role),
      ["user", "assistant", "user"]
    )
    assert.deepStrictEqual(body.messages.slice(1), [
      { role: "assistant", content: [{ text: "Xin chào!" }] },
      { role: "user", content: [{ text: "hi" }] }
    ])
  })

  it("puts tool results before everything else the user's turn says", () => {
    const { body } = convert({
      tools: [tool],
      messages: [calls[0], calls[1], { role: "system", content: "note" }, calls[2], user("well?")]
    })
    assert.deepStrictEqual(body.messages[2].content, [
      { toolResult: { toolUseId: "toolu_1", content: [{ text: "rain" }] } },
      { text: "<system>\nnote\n</system>" },
      { text: "well?" }
    ])
  })

  it("carries images, errors and emptiness of tool results", () => {
    const image = { type: "image", source: { type: "base64", media_type: "image/png", data: "aGk=" } }
    const result = (part: object) => ({ type: "tool_result", tool_use_id: "toolu_1", ...part })
    const contents = (model: string) =>
      [
        result({ content: [{ type: "text", text: "see" }, image] }),
        result({ content: "broken", is_error: true }),
        result({ content: [] }),
        result({ content: [{ type: "tool_reference", tool_name: "x" }] })
      ].map((block) => {
        const { body } = convert({ tools: [tool], messages: [calls[0], calls[1], user([block])] }, model)
        return body.messages[2].content[0].toolResult
      })
    const png = { image: { format: "png", source: { bytes: "aGk=" } } }
    assert.deepStrictEqual(contents(nova), [
      { toolUseId: "toolu_1", content: [{ text: "see" }, png] },
      { toolUseId: "toolu_1", content: [{ text: "broken" }], status: "error" },
      { toolUseId: "toolu_1", content: [{ text: "(no output)" }] },
      { toolUseId: "toolu_1", content: [{ text: "[tool_reference] x" }] }
    ])
    assert.deepStrictEqual(contents("svc/llama4-maverick-17b-instruct")[1], {
      toolUseId: "toolu_1",
      content: [{ text: "[tool error] broken" }]
    })
  })

  it("asks for images by URL and puts the fetched bytes in their place", () => {
    const url = "https://example.com/cat.webp"
    const source = { type: "url", url }
    const messages = [
      assistant([{ type: "tool_use", id: "t", name: "f", input: {} }]),
      user([
        { type: "image", source },
        { type: "tool_result", tool_use_id: "t", content: [{ type: "image", source }] },
        { type: "image", source: { type: "url", url: "data:image/x;base64,iVBORw0KGgo=" } }
      ])
    ]
    assert.deepStrictEqual(fileAddresses({ messages } as never), [{ kind: "image", url, times: 2 }])
    const images = new Map([[url, { bytes: Buffer.from("hi"), mediaType: "image/webp" }]])
    const { body } = convert({ messages }, nova, images)
    const webp = { image: { format: "webp", source: { bytes: "aGk=" } } }
    assert.deepStrictEqual(body.messages.at(-1).content, [
      { toolResult: { toolUseId: "t", content: [webp] } },
      webp,
      { image: { format: "png", source: { bytes: "iVBORw0KGgo=" } } }
    ])
    assert.strictEqual(convert({ messages }).refused?.field, "messages.1.content.0.source.url")
  })

  it("asks for documents by URL, once each, and puts the fetched bytes in their place", () => {
    const url = "https://example.com/a.pdf"
    const document = (address: string) => ({ type: "document", source: { type: "url", url: address } })
    const pdf = Buffer.from("%PDF-1.4")
    const inline = `data:application/pdf;base64,${pdf.toString("base64")}`
    const messages = [user([document(url), document(inline), document(url), { type: "text", text: "?" }])]
    assert.deepStrictEqual(fileAddresses({ messages } as never), [{ kind: "document", url, times: 2 }])
    const files = new Map([[url, { bytes: pdf, mediaType: "application/pdf" }]])
    const { body } = convert({ messages }, nova, files)
    const sources = body.messages[0].content.slice(0, 3).map((block: JsonObject) => {
      const { format, source } = block.document as JsonObject
      return { format, source }
    })
    const sent = { format: "pdf", source: { bytes: pdf.toString("base64") } }
    assert.deepStrictEqual(sources, [sent, sent, sent])
    const noPdf = [user([document("data:application/pdf;base64,iVBORw0KGgo="), { type: "text", text: "?" }])]
    assert.strictEqual(convert({ messages: noPdf }).refused?.field, "messages.0.content.0.source.url")
  })

  it("leaves out a turn of which nothing is left", () => {
    const thinking = assistant([{ type: "thinking", thinking: "hm", signature: "x" }])
    const { body } = convert({ messages: [user("a"), thinking, user("b"), assistant("")] }, "svc/nova-pro")
    assert.deepStrictEqual(body.messages, [{ role: "user", content: [{ text: "a" }, { text: "b" }] }])
  })

  it("asks for thinking in the words of each family", () => {
    const asked = (model: string, request: object) =>
      convert(request, model).body.additionalModelRequestFields
    const budget = (tokens: number) => ({
      max_tokens: 50_000,
      thinking: { type: "enabled", budget_tokens: tokens }
    })
    assert.deepStrictEqual(asked(nova, budget(1024)), {
      reasoningConfig: { type: "enabled", maxReasoningEffort: "low" }
    })
    assert.deepStrictEqual(asked(nova, { output_config: { effort: "max" } }), {
      reasoningConfig: { type: "enabled", maxReasoningEffort: "medium" }
    })
    assert.deepStrictEqual(asked(nova, { thinking: { type: "adaptive" } }), {
      reasoningConfig: { type: "enabled", maxReasoningEffort: "medium" }
    })
    for (const type of ["disabled", "between_tools"])
      assert.deepStrictEqual(asked(nova, { thinking: { type }, output_config: { effort: "high" } }), {
        reasoningConfig: { type: "disabled" }
      })
    assert.deepStrictEqual(asked("svc/gpt-oss-120b", budget(30_000)), { reasoning_effort: "high" })
    assert.isUndefined(asked("svc/nova-pro", budget(1024)))
    for (const thinks of [
      budget(1024),
      { thinking: { type: "adaptive" } },
      { output_config: { effort: "low" } }
    ])
      assert.deepStrictEqual(asked("svc/deepseek-v3.2", thinks), { reasoning_effort: "high" })
    assert.isUndefined(asked("svc/deepseek-v3.2", { thinking: { type: "disabled" } }))
    assert.isUndefined(asked("svc/deepseek-v3.2", { top_k: 5 }))
  })

  it("binds answers and tools to schemas where the model can be bound", () => {
    const schema = { type: "object", properties: {}, additionalProperties: false }
    const output = { output_config: { format: { type: "json_schema", schema } } }
    const { body } = convert(
      { ...output, tools: [{ name: "t", strict: true, input_schema: schema }] },
      "svc/qwen3-coder-480b-a35b"
    )
    assert.deepStrictEqual(body.outputConfig, {
      textFormat: {
        type: "json_schema",
        structure: { jsonSchema: { name: "output", schema: JSON.stringify(schema) } }
      }
    })
    assert.isTrue(body.toolConfig.tools[0].toolSpec.strict)
    assert.notProperty(
      convert({ tools: [{ name: "t", strict: true, input_schema: schema }] }).body.toolConfig.tools[0]
        .toolSpec,
      "strict"
    )
  })

  it.each(["auto", "any", "tool", "none"])(
    "is the same with several calls at a time ruled out: %s",
    (type) => {
      const asked = (more: object) =>
        convert({ tools: [tool], tool_choice: { type, name: tool.name, ...more } })
      assert.isUndefined(asked({}).refused)
      assert.deepStrictEqual(asked({ disable_parallel_tool_use: true }), asked({}))
    }
  )

  it.each([
    [{ thread: { id: "t" } }, "thread"],
    [{ inference_geo: "us" }, "inference_geo"],
    [{ billing_policy: { type: "billing_policy", bill_to: "user_profile" } }, "billing_policy.bill_to"],
    [{ output_format: { type: "text" } }, "output_format.type"],
    [{ max_tokens: 0 }, "max_tokens"],
    [
      { messages: [user([{ type: "image", source: { type: "file", file_id: "f" } }])] },
      "messages.0.content.0.source.type"
    ],
    [
      {
        messages: [user([{ type: "image", source: { type: "base64", media_type: "image/bmp", data: "" } }])]
      },
      "messages.0.content.0.source.media_type"
    ],
    [
      { messages: [user([{ type: "image", source: { type: "url", url: "data:image/png;base64,AAAA" } }])] },
      "messages.0.content.0.source.url"
    ],
    [
      { messages: [user([{ type: "image", source: { type: "url", url: "data:image/gif,GIF89a" } }])] },
      "messages.0.content.0.source.url"
    ],
    [
      { messages: [user([{ type: "document", source: { type: "url", url: "https://x/a.pdf" } }])] },
      "messages.0.content.0.source.url"
    ],
    [{ messages: [user([{ type: "text" }])] }, "messages.0.content.0.text"],
    [{ messages: [user(5)] }, "messages.0.content"],
    [{ tools: [{ name: "t" }] }, "tools.0.input_schema"],
    [
      { tools: [{ type: "web_search_20250305", name: "web_search" }], tool_choice: { type: "any" } },
      "tool_choice"
    ]
  ])("is refused by name when its meaning would be lost: %j", (request, field) => {
    const { refused } = convert(request)
    assert.strictEqual(refused?.field, field)
    assert.include(refused!.message, field)
  })
})
