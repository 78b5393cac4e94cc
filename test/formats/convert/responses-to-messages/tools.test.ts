/** Tools of a Responses request, the choice among them and its settings, as those of Messages. */
import { assert, describe, it } from "@effect/vitest"
import type { JsonObject } from "../../../../src/formats/json/json.ts"
import { claudeModel } from "../../../wire/models.ts"
import { convertResponses, functionTool, refusalOf } from "../responses-requests.ts"

const toolsOf = (request: JsonObject): ReadonlyArray<JsonObject> =>
  (convertResponses(request).tools ?? []) as ReadonlyArray<JsonObject>
const namesOf = (request: JsonObject) => toolsOf(request).map(({ name }) => name)
const custom = (name: string, more: JsonObject = {}): JsonObject => ({ type: "custom", name, ...more })
const hosted = [
  "web_search",
  "file_search",
  "code_interpreter",
  "image_generation",
  "mcp",
  "computer",
  "local_shell",
  "shell",
  "apply_patch",
  "tool_search"
]

describe("tools", () => {
  it("that are functions keep their words, their schema and a strictness that holds", () => {
    const strict = {
      type: "object",
      properties: { a: { type: "string" } },
      required: ["a"],
      additionalProperties: false
    }
    assert.deepStrictEqual(
      toolsOf({ tools: [functionTool("f", { description: "d", parameters: strict, strict: true })] }),
      [{ name: "f", description: "d", input_schema: strict, strict: true }]
    )
    const [loose] = toolsOf({
      tools: [functionTool("f", { strict: true, parameters: { type: "object", properties: { a: {} } } })]
    })
    assert.notProperty(loose!, "strict")
    const [bare] = toolsOf({ tools: [{ type: "function", name: "f" }] })
    assert.strictEqual((bare!.input_schema as JsonObject).type, "object")
  })

  it("that are custom take one text, and tell their grammar in words", () => {
    const format = { type: "grammar", syntax: "lark", definition: "start: /a+/" }
    const [tool] = toolsOf({ tools: [custom("patch", { description: "Patches.", format })] })
    assert.match(String(tool!.description), /^Patches\.\n\n.*grammar \(lark\):\nstart: \/a\+\/$/s)
    const schema = tool!.input_schema as JsonObject
    assert.deepStrictEqual(schema.required, ["input"])
    assert.deepInclude((schema.properties as JsonObject).input as JsonObject, { type: "string" })
  })

  it("of a group are flattened, each under a name of its own", () => {
    const group = { type: "namespace", name: "crm", tools: [functionTool("find"), custom("note")] }
    const names = namesOf({ tools: [group, functionTool("find"), functionTool("crm__find")] })
    assert.lengthOf(names, 4)
    assert.strictEqual(new Set(names).size, 4)
    for (const name of names) assert.match(String(name), /^[a-zA-Z0-9_-]{1,128}$/)
  })

  it("of a group tell what the group is for, once", () => {
    const tools = [functionTool("find", { description: "Finds." }), custom("note")]
    const group = { type: "namespace", name: "crm", description: "Customers.", tools }
    assert.deepStrictEqual(
      toolsOf({ tools: [group] }).map(({ description }) => description),
      ["Finds.\n\nOf all tools of the group crm: Customers.", undefined]
    )
    assert.deepStrictEqual(
      toolsOf({ tools: [{ ...group, tools: tools.slice(1) }] }).map(({ description }) => description),
      ["Of all tools of the group crm: Customers."]
    )
  })

  it("that items bring along are added", () => {
    const input = [
      { type: "additional_tools", role: "developer", tools: [functionTool("a")] },
      { type: "tool_search_output", call_id: "t", tools: [functionTool("b")] },
      { role: "user", content: "q" }
    ]
    assert.deepStrictEqual(namesOf({ input, tools: [functionTool("c")] }), ["c", "a", "b"])
  })

  it.each(hosted)("of type %s are left out, and refused only where one is forced", (type) => {
    assert.deepStrictEqual(namesOf({ tools: [functionTool("f"), { type }] }), ["f"])
    assert.notProperty(convertResponses({ tools: [{ type }] }), "tools")
    const refusal = refusalOf({ tools: [{ type }], tool_choice: { type } })
    assert.strictEqual(refusal.field, "tool_choice")
    assert.include(refusal.message, type)
    assert.include(refusalOf({ tools: [{ type }], tool_choice: "required" }).message, type)
    const allowed = { type: "allowed_tools", mode: "required", tools: [{ type }] }
    assert.include(refusalOf({ tools: [functionTool("f")], tool_choice: allowed }).message, type)
  })

  it.each([
    [[{ name: "f" }], "tools.0.type"],
    [[{ type: "function" }], "tools.0.name"],
    [[{ type: "custom", name: "" }], "tools.0.name"],
    [[{ type: "function", name: "f", parameters: "x" }], "tools.0.parameters"],
    [[{ type: "namespace", name: "n", tools: [{ type: "function" }] }], "tools.0.tools.0.name"],
    [7, "tools"]
  ])("as %j are refused by the name of the field %s", (tools, field) => {
    assert.strictEqual(refusalOf({ tools: tools as unknown as ReadonlyArray<JsonObject> }).field, field)
  })
})

describe("the choice among tools", () => {
  const tools = [functionTool("f"), functionTool("g"), custom("patch")]
  const choiceOf = (tool_choice: JsonObject | string, model = claudeModel()) =>
    convertResponses({ tools, tool_choice }, model)

  it.each([
    ["auto", undefined],
    ["none", { type: "none" }],
    ["required", { type: "any" }],
    [
      { type: "function", name: "g" },
      { type: "tool", name: "g" }
    ],
    [
      { type: "custom", name: "patch" },
      { type: "tool", name: "patch" }
    ]
  ])("%j is %j", (asked, expected) => {
    assert.deepStrictEqual(choiceOf(asked).tool_choice as unknown, expected)
  })

  it("among some leaves those alone", () => {
    const some = [
      { type: "function", name: "g" },
      { type: "custom", name: "patch" }
    ]
    for (const [mode, expected] of [
      ["auto", undefined],
      ["required", { type: "any" }]
    ] as const) {
      const { tool_choice, tools: left } = choiceOf({ type: "allowed_tools", mode, tools: some })
      assert.deepStrictEqual(tool_choice as unknown, expected)
      assert.deepStrictEqual(
        (left as ReadonlyArray<JsonObject>).map(({ name }) => name),
        ["g", "patch"]
      )
    }
  })

  it("among some may name a whole group", () => {
    const group = (name: string) => ({ type: "namespace", name, tools: [functionTool("f"), custom("note")] })
    const { tools: left } = convertResponses({
      tools: [group("crm"), group("shop"), functionTool("g")],
      tool_choice: { type: "allowed_tools", mode: "auto", tools: [{ type: "namespace", name: "shop" }] }
    })
    assert.deepStrictEqual(
      (left as ReadonlyArray<JsonObject>).map(({ name }) => name),
      ["shop__f", "shop__note"]
    )
  })

  it("of one at a time is told, and of a forced one where the model can be forced", () => {
    const single = convertResponses({ tools, parallel_tool_calls: false })
    assert.deepStrictEqual(single.tool_choice, { type: "auto", disable_parallel_tool_use: true })
    assert.notProperty(choiceOf("required", claudeModel({ refuses: ["forced_tool_choice"] })), "tool_choice")
  })

  it.each([
    [{ type: "function", name: "x" }, "tool_choice.name"],
    [{ type: "function" }, "tool_choice.name"],
    [{ type: "allowed_tools", mode: "auto" }, "tool_choice.tools"],
    [{ type: "allowed_tools", mode: "required", tools: [{ type: "web_search" }] }, "tool_choice"],
    ["sometimes", "tool_choice"],
    [{}, "tool_choice.type"]
  ])("%j is refused by the name of the field %s", (tool_choice, field) => {
    assert.strictEqual(refusalOf({ tools, tool_choice: tool_choice as JsonObject }).field, field)
  })
})

describe("settings", () => {
  it("are those of Messages, within what the model takes", () => {
    const request = {
      max_output_tokens: 100,
      temperature: 1.5,
      top_p: 0.5,
      stream: true,
      safety_identifier: "u"
    }
    assert.deepInclude(convertResponses(request), {
      max_tokens: 100,
      temperature: 1,
      top_p: 0.5,
      stream: true,
      metadata: { user_id: "u" }
    })
    const strict = convertResponses(request, claudeModel({ refuses: ["sampling"], maxOutputTokens: 50 }))
    assert.strictEqual(strict.max_tokens, 50)
    assert.notProperty(strict, "temperature")
    assert.strictEqual(convertResponses({}).max_tokens, 64_000)
  })

  it("without a counterpart are left out", () => {
    const body = convertResponses({
      store: true,
      truncation: "auto",
      metadata: { a: "b" },
      prompt_cache_key: "k",
      service_tier: "auto",
      include: [],
      max_tool_calls: 1,
      top_logprobs: 0,
      moderation: null,
      text: { verbosity: "low" },
      x: 1
    })
    assert.hasAllKeys(body, ["model", "max_tokens", "messages"])
  })

  it("of the answer's form are a schema, or said in words", () => {
    const schema = { type: "object", properties: {}, required: [], additionalProperties: false }
    const { output_config } = convertResponses({
      text: { format: { type: "json_schema", name: "n", schema } }
    })
    assert.deepStrictEqual(output_config, { format: { type: "json_schema", schema } })
    const described = (description: string, more: JsonObject = {}) => {
      const format = { type: "json_schema", name: "n", description, schema: { ...schema, ...more } }
      return (convertResponses({ text: { format } }).output_config as JsonObject).format
    }
    const told = { type: "json_schema", schema: { ...schema, description: "What to tell." } }
    assert.deepStrictEqual(described("What to tell."), told)
    assert.deepStrictEqual(described("", { description: "What to tell." }), told)
    assert.deepStrictEqual(described("What", { description: "to tell." }), {
      type: "json_schema",
      schema: { ...schema, description: "What\n\nto tell." }
    })
    const [instruction] = convertResponses({ text: { format: { type: "json_object" } } })
      .system as ReadonlyArray<JsonObject>
    assert.include(String(instruction!.text), "JSON object")
  })

  it.each([
    [{ text: { format: { type: "grammar" } } }, "text.format.type"],
    [{ text: { format: { type: "json_schema" } } }, "text.format.schema"],
    [{ max_output_tokens: 0 }, "max_output_tokens"],
    [{ reasoning: "high" }, "reasoning"],
    [{ text: { format: { type: "json_schema", description: 7, schema: {} } } }, "text.format.description"],
    [{ tools: [{ type: "namespace", name: "n", description: 7, tools: [] }] }, "tools.0.description"],
    [{ temperature: "hot" }, "temperature"],
    [{ instructions: 7 }, "instructions"],
    [{ previous_response_id: "resp_1" }, "previous_response_id"],
    [{ conversation: "conv_1" }, "conversation"],
    [{ prompt: { id: "p" } }, "prompt"],
    [{ background: true }, "background"],
    [{ top_logprobs: 3 }, "top_logprobs"],
    [{ moderation: { model: "m", policy: { output: { mode: "block" } } } }, "moderation"],
    [{ input: [] }, "input"],
    [{ input: 7 }, "input"]
  ])("%j are refused by the name of the field %s", (request, field) => {
    const refusal = refusalOf(request as JsonObject)
    assert.strictEqual(refusal.field, field)
    assert.include(refusal.message, field)
  })
})
