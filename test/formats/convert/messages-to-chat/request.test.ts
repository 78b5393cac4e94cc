import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { messagesRequestToChat } from "../../../../src/formats/convert/messages-to-chat/request.ts"
import type { Json, JsonObject } from "../../../../src/formats/json/json.ts"
import { chatModel } from "../../../wire/models.ts"
import { request, type Traits, convert, refused, assistant, use, tool } from "../messages-requests.ts"

describe("tools of a Messages request, as chat tools", () => {
  it.each([
    [{ type: "auto" }, "auto"],
    [{ type: "any" }, "required"],
    [{ type: "none" }, "none"],
    [
      { type: "tool", name: "f" },
      { type: "function", function: { name: "f" } }
    ]
  ])("C40 %j is %j", (choice, expected) => {
    assert.deepStrictEqual(convert({ tools: [tool("f")], tool_choice: choice }).tool_choice, expected)
  })

  it("a model that can not be forced is left to choose", () => {
    const traits: Traits = { refuses: ["forced_tool_choice"] }
    for (const choice of [{ type: "any" }, { type: "tool", name: "f" }]) {
      assert.strictEqual(convert({ tools: [tool("f")], tool_choice: choice }, traits).tool_choice, "auto")
    }
  })

  it("C41 one call at a time is asked for only where there are tools to call", () => {
    const choice = { type: "auto", disable_parallel_tool_use: true }
    assert.strictEqual(convert({ tools: [tool("f")], tool_choice: choice }).parallel_tool_calls, false)
    const none = { ...choice, type: "none" }
    assert.notProperty(convert({ tools: [tool("f")], tool_choice: none }), "parallel_tool_calls")
    for (const field of ["tools", "tool_choice", "parallel_tool_calls"])
      assert.notProperty(convert({ tool_choice: choice }), field)
  })

  it("C46 a schema without properties gets them, and a full one stays as it was", () => {
    const schema = {
      $schema: "s",
      type: "object",
      properties: { a: { $ref: "#/$defs/b" } },
      $defs: { b: { enum: [1] } }
    }
    const tools = convert({
      tools: [tool("f"), { name: "g", input_schema: {} }, { ...tool("h"), input_schema: schema }]
    }).tools
    const parameters = (tools as ReadonlyArray<{ readonly function: JsonObject }>).map(
      (one) => one.function.parameters
    )
    assert.deepStrictEqual(parameters, [
      { type: "object", properties: {} },
      { type: "object", properties: {} },
      schema
    ])
    assert.strictEqual(JSON.stringify(parameters[2]), JSON.stringify(schema))
  })

  it("C47 tools of the provider are left out, and refused only when they are forced", () => {
    const search = { type: "web_search_20250305", name: "web_search" }
    assert.lengthOf(convert({ tools: [search, tool("f")] }).tools as ReadonlyArray<Json>, 1)
    assert.notProperty(convert({ tools: [search], tool_choice: { type: "auto" } }), "tool_choice")
    assert.strictEqual(
      refused({ tools: [search, tool("f")], tool_choice: { type: "tool", name: "web_search" } }).field,
      "tool_choice"
    )
    const forced = refused({ tools: [search], tool_choice: { type: "any" } })
    assert.deepStrictEqual([forced.field, forced.message.includes("web_search")], ["tool_choice", true])
  })

  it("a tool of the caller's own that can not be read is refused, not left out", () => {
    const chatTool = { type: "function", function: { name: "f", parameters: { type: "object" } } }
    for (const own of [chatTool, { name: "f" }, { type: "custom", name: "f" }])
      assert.strictEqual(refused({ tools: [tool("g"), own] }).field, "tools.1.input_schema")
  })

  it("C53 a long or dotted name is changed everywhere alike, and the original is kept for the way back", () => {
    const names = ["a.b", "a_b", `${"x".repeat(70)}1`, `${"x".repeat(70)}2`]
    const converted = Result.getOrThrow(
      messagesRequestToChat(
        request({
          tools: names.map((name) => tool(name)),
          messages: [assistant(use("t", "a.b"))],
          tool_choice: { type: "tool", name: "a.b" }
        }),
        chatModel()
      )
    )
    const body = JSON.parse(JSON.stringify(converted.body)) as JsonObject
    const sent = (body.tools as ReadonlyArray<{ readonly function: { readonly name: string } }>).map(
      (one) => one.function.name
    )
    assert.strictEqual(new Set(sent).size, 4)
    for (const name of sent) assert.match(name, /^[a-zA-Z0-9_-]{1,64}$/)
    assert.strictEqual(sent[1], "a_b")
    assert.deepStrictEqual(body.tool_choice, { type: "function", function: { name: sent[0] } })
    assert.include(JSON.stringify(body.messages), sent[0]!)
    assert.deepStrictEqual(
      sent.map((name) => converted.toolNames.get(name) ?? name),
      names
    )
  })
})

describe("settings of a Messages request, as chat settings", () => {
  it("C42 the output cap has the model's own name and is at most its maximum", () => {
    assert.strictEqual(convert({ max_tokens: 500 }, { maxOutputTokens: 200 }).max_tokens, 200)
    const body = convert(
      { temperature: 1, top_p: 0.5 },
      { outputCapField: "max_completion_tokens", refuses: ["sampling"] }
    )
    assert.strictEqual(body.max_completion_tokens, 100)
    for (const field of ["max_tokens", "temperature", "top_p"]) assert.notProperty(body, field)
  })

  it("C43 a provider with the old name of the cap gets the old name", () => {
    assert.strictEqual(convert({}, { provider: "deepseek" }).max_tokens, 100)
  })

  it("C48 stop sequences go along, or are refused by name where the model has none", () => {
    assert.deepStrictEqual(convert({ stop_sequences: ["a", "b"] }).stop, ["a", "b"])
    assert.strictEqual(refused({ stop_sequences: ["a"] }, { refuses: ["stop"] }).field, "stop_sequences")
    assert.notProperty(convert({ stop_sequences: [] }, { refuses: ["stop"] }), "stop")
  })

  it("C51 a user id goes to OpenAI alone, and a long one as its hash", () => {
    const identifier = (id: string, provider: string) =>
      convert({ metadata: { user_id: id } }, { provider }).safety_identifier
    assert.strictEqual(identifier("u1", "openai"), "u1")
    assert.match(String(identifier("u".repeat(100), "openai")), /^[0-9a-f]{64}$/)
    assert.isUndefined(identifier("u1", "mistral"))
  })

  it.each([
    [{ thinking: { type: "enabled", budget_tokens: 12_000 } }, "example", { reasoning_effort: "high" }],
    [{ thinking: { type: "enabled", budget_tokens: 6_000 } }, "example", { reasoning_effort: "medium" }],
    [{ thinking: { type: "enabled", budget_tokens: 1_024 } }, "example", { reasoning_effort: "low" }],
    [{ thinking: { type: "enabled", budget_tokens: 5_000 } }, "openai", { reasoning_effort: "medium" }],
    [{ thinking: { type: "enabled", budget_tokens: 10_000 } }, "openai", { reasoning_effort: "high" }],
    [{ thinking: { type: "adaptive" } }, "openai", { reasoning_effort: "medium" }],
    [
      { thinking: { type: "adaptive" }, output_config: { effort: "low" } },
      "openai",
      { reasoning_effort: "low" }
    ],
    [{ thinking: { type: "between_tools" } }, "openai", { reasoning_effort: "none" }],
    [{ thinking: { type: "adaptive" } }, "example", {}],
    [
      { thinking: { type: "adaptive" }, output_config: { effort: "max" } },
      "openai",
      { reasoning_effort: "xhigh" }
    ],
    [{ thinking: { type: "disabled" } }, "openai", { reasoning_effort: "none" }],
    [{ thinking: { type: "disabled" } }, "google", { reasoning_effort: "low" }],
    [{ output_config: { effort: "max" } }, "google", { reasoning_effort: "high" }],
    [
      { thinking: { type: "adaptive" }, output_config: { effort: "low" } },
      "deepseek",
      { thinking: { type: "enabled" }, reasoning_effort: "high" }
    ],
    [{ thinking: { type: "disabled" } }, "deepseek", { thinking: { type: "disabled" } }],
    [{ thinking: { type: "enabled", budget_tokens: 2_000 } }, "zai", { thinking: { type: "enabled" } }],
    [{ thinking: { type: "disabled" } }, "alibaba", { enable_thinking: false }],
    [{ thinking: { type: "disabled" } }, "mistral", { reasoning_effort: "none" }],
    [{ output_config: { effort: "low" } }, "mistral", { reasoning_effort: "none" }],
    [{ output_config: { effort: "medium" } }, "mistral", { reasoning_effort: "high" }],
    [{ thinking: { type: "enabled", budget_tokens: 2_000 } }, "mistral", { reasoning_effort: "high" }],
    [
      { thinking: { type: "adaptive" }, output_config: { effort: "max" } },
      "mistral",
      { reasoning_effort: "high" }
    ]
  ])("C52 %j for %s is %j", (asked, provider, expected) => {
    const { reasoning_effort, thinking, enable_thinking } = convert(asked, { provider })
    assert.deepStrictEqual(
      JSON.parse(JSON.stringify({ reasoning_effort, thinking, enable_thinking })),
      expected
    )
  })

  it("C52 OpenAI's models get their tools with reasoning off, and a model that does not reason is not told to", () => {
    assert.strictEqual(convert({ tools: [tool("f")] }, { provider: "openai" }).reasoning_effort, "none")
    assert.notProperty(
      convert({ output_config: { effort: "high" } }, { capabilities: ["streaming"] }),
      "reasoning_effort"
    )
  })

  it("structured output is asked for strictly where the schema allows, and in words where there are no schemas", () => {
    const open = { type: "object", properties: { a: { type: "string" } } }
    const closed = { ...open, required: ["a"], additionalProperties: false }
    const format = (schema: JsonObject, provider = "openai") =>
      convert({ output_config: { format: { type: "json_schema", schema } } }, { provider })
    assert.deepStrictEqual(format(open).response_format, {
      type: "json_schema",
      json_schema: { name: "output", schema: open }
    })
    assert.deepStrictEqual(format(closed).response_format, {
      type: "json_schema",
      json_schema: { name: "output", schema: closed, strict: true }
    })
    const asked = (a: JsonObject) =>
      (format({ ...closed, properties: { a } }).response_format as JsonObject).json_schema
    for (const a of [{ type: "string", format: "date" }, { anyOf: [{ type: "null" }, { $ref: "#" }] }])
      assert.property(asked(a), "strict")
    for (const a of [
      { type: "string", format: "uri" },
      { type: "string", default: "x" },
      { oneOf: [{ type: "string" }] },
      { allOf: [{ type: "string" }] },
      { not: { type: "null" } },
      { type: ["object", "null"] },
      {},
      { description: "anything" },
      { $ref: "#", description: "d" },
      { type: "array", items: [{ type: "string" }] },
      { type: "object", properties: {}, required: ["b"], additionalProperties: false }
    ])
      assert.notProperty(asked(a), "strict")
    const eitherOf = format({ anyOf: [closed] }).response_format as JsonObject
    assert.notProperty(eitherOf.json_schema, "strict")
    const worded = format(open, "deepseek")
    assert.deepStrictEqual(worded.response_format, { type: "json_object" })
    assert.include(JSON.stringify((worded.messages as ReadonlyArray<Json>)[0]), "JSON schema")
  })

  it("usage is always asked for on streams", () => {
    assert.deepInclude(convert({ stream: true }), { stream: true, stream_options: { include_usage: true } })
    assert.notProperty(convert({}), "stream_options")
  })

  it("fields without a counterpart whose loss changes no meaning are left out", () => {
    const body = convert({
      top_k: 3,
      context_management: {},
      service_tier: "auto",
      container: "c",
      mcp_servers: [],
      cache_control: {},
      inference_geo: "global",
      billing_policy: { type: "billing_policy", bill_to: "organization" },
      thread: null,
      compaction: null,
      x: 1
    })
    assert.hasAllKeys(body, ["model", "messages", "max_tokens"])
  })

  it("a cap of zero, which fills a cache without an answer, is refused by name", () => {
    assert.strictEqual(refused({ max_tokens: 0 }).field, "max_tokens")
  })

  it("a thread is refused in the way that makes the SDK send the whole history", () => {
    assert.deepStrictEqual(refused({ thread: { id: "t" } }).details, {
      error_code: "thread_unsupported_request",
      unsupported: ["thread"]
    })
  })

  it("the model is the upstream's", () => {
    assert.strictEqual(convert({ model: "alias" }, { id: "up-model" }).model, "up-model")
  })
})
