import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { chatRequestToMessages } from "../../../../src/formats/convert/chat-to-messages/request.ts"
import type { JsonObject } from "../../../../src/formats/json/json.ts"
import { claudeModel } from "../../../wire/models.ts"
import { convert, fn, refused, request } from "../chat-requests.ts"

describe("tools of a chat request, as Messages tools", () => {
  const tools = [fn("f"), fn("g")]

  it.each([
    ["auto", { type: "auto" }],
    ["none", { type: "none" }],
    ["required", { type: "any" }],
    ["any", { type: "any" }],
    [
      { type: "function", function: { name: "f" } },
      { type: "tool", name: "f" }
    ]
  ])("C58 the choice %j is %j, and one call at a time goes with all but none", (choice, expected) => {
    assert.deepStrictEqual(convert({ tools, tool_choice: choice }).tool_choice, expected)
    assert.deepStrictEqual(convert({ tools, tool_choice: choice, parallel_tool_calls: false }).tool_choice, {
      ...expected,
      ...(choice !== "none" && { disable_parallel_tool_use: true })
    })
  })

  it("without tools there is no choice", () => {
    const body = convert({ tool_choice: "required", parallel_tool_calls: false })
    assert.notProperty(body, "tool_choice")
    assert.notProperty(body, "tools")
  })

  it("of the allowed tools alone one may be chosen", () => {
    const choice = { type: "allowed_tools", allowed_tools: { mode: "required", tools: [fn("g")] } }
    const body = convert({ tools, tool_choice: choice })
    assert.deepStrictEqual(
      (body.tools as ReadonlyArray<JsonObject>).map(({ name }) => name),
      ["g"]
    )
    assert.deepStrictEqual(body.tool_choice, { type: "any" })
    const free = { type: "allowed_tools", allowed_tools: { mode: "auto", tools: [fn("g"), fn("h")] } }
    assert.deepStrictEqual(convert({ tools, tool_choice: free }), {
      ...body,
      tool_choice: { type: "auto" }
    })
    const unknown = { type: "allowed_tools", allowed_tools: { mode: "required", tools: [fn("h")] } }
    assert.include(refused({ tools, tool_choice: unknown }).field, "tool_choice")
  })

  it("a model that refuses to be forced is left to choose", () => {
    for (const choice of ["required", { type: "function", function: { name: "f" } }]) {
      assert.deepStrictEqual(
        convert({ tools, tool_choice: choice }, { refuses: ["forced_tool_choice"] }).tool_choice,
        { type: "auto" }
      )
    }
  })

  it("a call that is forced is made without thinking, which Claude refuses beside it", () => {
    const reasoning_effort = "high"
    for (const tool_choice of ["required", { type: "function", function: { name: "f" } }]) {
      const body = convert({ tools, tool_choice, reasoning_effort, temperature: 0.5 })
      assert.notProperty(body, "thinking")
      assert.deepInclude(body, { output_config: { effort: "high" }, temperature: 0.5 })
      const own = { thinking: { type: "enabled", budget_tokens: 2_000 } }
      assert.notProperty(convert({ tools, tool_choice, ...own }), "thinking")
      const left = convert({ tools, tool_choice, reasoning_effort }, { refuses: ["forced_tool_choice"] })
      assert.deepInclude(left, { thinking: { type: "adaptive" }, tool_choice: { type: "auto" } })
    }
    assert.deepInclude(convert({ tools, tool_choice: "auto", reasoning_effort }), {
      thinking: { type: "adaptive" }
    })
    assert.property(convert({ tool_choice: "required", reasoning_effort }), "thinking")
  })

  it("a tool that is there twice is sent once, as it was first told", () => {
    const twice = [fn("f", { type: "object", title: "first" }), fn("g"), fn("f")]
    const sent = convert({ tools: twice }).tools as ReadonlyArray<JsonObject>
    assert.deepStrictEqual(
      sent.map(({ name }) => name),
      ["f", "g"]
    )
    assert.deepInclude(sent[0], { input_schema: { type: "object", title: "first" } })
  })

  it("C63 C69 schemas keep their key order, and alternatives at the root become one object", () => {
    const ordered = { required: ["b"], properties: { b: {}, a: {} }, type: "object" }
    const union = {
      anyOf: [
        { type: "object", properties: { a: { type: "string" } }, required: ["a"] },
        { type: "object", properties: { b: {} } }
      ]
    }
    const body = convert({ tools: [fn("f", ordered), fn("g", union), fn("h")] })
    const schemas = (body.tools as ReadonlyArray<JsonObject>).map((tool) => tool.input_schema)
    assert.strictEqual(JSON.stringify(schemas[0]), JSON.stringify(ordered))
    assert.deepStrictEqual(schemas[1], { type: "object", properties: { a: { type: "string" }, b: {} } })
    assert.deepStrictEqual(schemas[2], { type: "object" })
  })

  it("C62 a cache mark within a function is the tool's, as one beside it is", () => {
    const within = { type: "function", function: { name: "f", cache_control: { type: "ephemeral" } } }
    const beside = { ...fn("f"), cache_control: { type: "ephemeral" } }
    for (const given of [within, beside])
      assert.deepInclude((convert({ tools: [given] }).tools as ReadonlyArray<JsonObject>)[0], {
        cache_control: { type: "ephemeral" }
      })
  })

  it("C69 alternatives within alternatives are found, and one property told in two ways may be either", () => {
    const kind = (name: string) => ({ const: name })
    const of = (properties: JsonObject) => ({ type: "object", properties, required: Object.keys(properties) })
    const union = {
      $defs: { point: { oneOf: [of({ kind: kind("point"), x: {} }), { $ref: "#/$defs/point" }] } },
      anyOf: [
        { anyOf: [of({ kind: kind("line"), y: {} }), { type: "null" }] },
        { $ref: "#/$defs/point" },
        of({ kind: kind("line"), own: { type: "boolean" } })
      ],
      properties: { own: {} }
    }
    const [sent] = convert({ tools: [fn("f", union)] }).tools as ReadonlyArray<JsonObject>
    const either = { anyOf: [kind("line"), kind("point")] }
    assert.deepStrictEqual(sent!.input_schema, {
      $defs: union.$defs,
      type: "object",
      properties: { kind: either, y: {}, x: {}, own: {} }
    })
  })

  it("names that the other side forbids are changed, and tools of other kinds refused by name", () => {
    const converted = Result.getOrThrow(chatRequestToMessages(request({ tools: [fn("a.b")] }), claudeModel()))
    const [sent] = (converted.body.tools as ReadonlyArray<{ readonly name: string }>).map(({ name }) => name)
    assert.match(sent!, /^[a-zA-Z0-9_-]{1,128}$/)
    assert.strictEqual(converted.toolNames.get(sent!), "a.b")
    assert.strictEqual(refused({ tools: [{ type: "plugin", plugin: { name: "f" } }] }).field, "tools.0.type")
  })

  it("what another provider would run by itself is left out, unless the choice forces it", () => {
    const hosted = [
      { type: "web_search" },
      { type: "web_search", web_search: { enable: true } },
      { type: "builtin_function", function: { name: "$web_search" } },
      { type: "code_interpreter" }
    ]
    assert.deepStrictEqual(
      convert({ tools: [...hosted, ...tools], tool_choice: "required" }),
      convert({ tools, tool_choice: "required" })
    )
    assert.deepStrictEqual(convert({ tools: hosted, tool_choice: "auto" }), convert({}))
    assert.strictEqual(refused({ tools: hosted, tool_choice: "required" }).field, "tool_choice")
    assert.include(
      refused({ tools: [...hosted, ...tools], tool_choice: { type: "web_search" } }).field,
      "tool_choice"
    )
  })
})

describe("tools that a chat client defines as the Messages protocol does", () => {
  const schema = { type: "object", properties: { a: {} } }
  const tool = { name: "f", description: "d", input_schema: schema, cache_control: { type: "ephemeral" } }
  const choose = (tool_choice: JsonObject) => convert({ tools: [tool], tool_choice }).tool_choice

  it("are the same tools, whether they say their type or not", () => {
    for (const type of [{}, { type: "custom" }])
      assert.deepStrictEqual(convert({ tools: [{ ...tool, ...type }] }).tools as unknown, [tool])
  })

  it("may be chosen among in that protocol's words", () => {
    assert.deepStrictEqual(choose({ type: "auto" }), { type: "auto" })
    assert.deepStrictEqual(choose({ type: "none" }), { type: "none" })
    assert.deepStrictEqual(choose({ type: "any" }), { type: "any" })
    assert.deepStrictEqual(choose({ type: "tool", name: "f", disable_parallel_tool_use: true }), {
      type: "tool",
      name: "f",
      disable_parallel_tool_use: true
    })
  })
})
