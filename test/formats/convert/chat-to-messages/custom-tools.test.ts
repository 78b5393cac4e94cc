/** Custom tools of chat, after OpenAI's "Function calling", custom tools, and its reference of chat completions. */
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { pairs } from "../../../../src/formats/pairs.ts"
import { chatRequestToMessages } from "../../../../src/formats/convert/chat-to-messages/request.ts"
import { objectBytes } from "../../../../src/formats/convert/requests.ts"
import { readOrigin } from "../../../../src/formats/convert/tool-origin.ts"
import type { Json, JsonObject } from "../../../../src/formats/json/json.ts"
import { claudeModel } from "../../../wire/models.ts"
import { modelNamed } from "../../../catalogue.ts"
import {
  calling,
  convert,
  customTool,
  fn,
  mark,
  messagesOf,
  refused,
  request,
  result,
  returned,
  use
} from "../chat-requests.ts"
import { convertResponses } from "../responses-requests.ts"

const toolsOf = (body: JsonObject) => (body.tools ?? []) as ReadonlyArray<JsonObject>
const namesOf = (body: JsonObject) => toolsOf(body).map(({ name }) => name)
const named = (name: string): JsonObject => ({ type: "custom", custom: { name } })
const called = (id: string, name: string, input: Json): JsonObject => ({
  role: "assistant",
  content: null,
  tool_calls: [{ id, type: "custom", custom: { name, input } }]
})

/** The names that are sent, with what each of them comes back as. */
const sentNames = (more: JsonObject) => {
  const { body, toolNames } = Result.getOrThrow(chatRequestToMessages(request(more), claudeModel()))
  return namesOf(body).map((sent) => ({
    sent,
    origin: readOrigin(toolNames.get(String(sent)) ?? String(sent))
  }))
}

describe("a custom tool of a chat request", () => {
  it("is a function of one text, as that of a Responses request is", () => {
    const grammar = { definition: "start: /a+/", syntax: "lark" }
    for (const [chat, responses] of [
      [{}, {}],
      [{ description: "Runs it." }, { description: "Runs it." }],
      [{ format: { type: "text" } }, { format: { type: "text" } }],
      [
        { description: "Runs it.", format: { type: "grammar", grammar } },
        { description: "Runs it.", format: { type: "grammar", ...grammar } }
      ]
    ] as const)
      assert.deepStrictEqual(
        toolsOf(convert({ tools: [customTool("run", chat)] })),
        toolsOf(convertResponses({ tools: [{ type: "custom", name: "run", ...responses }] }))
      )
  })

  it("tells its grammar in words, and takes a mark for caches", () => {
    const format = { type: "grammar", grammar: { definition: "^\\d+$", syntax: "regex" } }
    const [tool] = toolsOf(convert({ tools: [{ ...customTool("run", { format }), ...mark }] }))
    assert.match(String(tool!.description), /grammar \(regex\):\n\^\\d\+\$$/)
    assert.deepStrictEqual((tool!.input_schema as JsonObject).required, ["input"])
    assert.deepInclude(tool, mark)
  })

  it("comes back as what it was, by a name that fits and is no other tool's", () => {
    const long = "x".repeat(200)
    const tools = [fn("run"), customTool("run"), customTool("a.b"), customTool(long), customTool("run")]
    const names = sentNames({ tools })
    assert.deepStrictEqual(
      names.map(({ origin: { isCustom, name } }) => [name, isCustom]),
      [
        ["run", false],
        ["run", true],
        ["a.b", true],
        [long, true]
      ]
    )
    for (const { sent } of names) assert.match(String(sent), /^[a-zA-Z0-9_-]{1,128}$/)
    assert.strictEqual(new Set(names.map(({ sent }) => sent)).size, 4)
    assert.deepStrictEqual(sentNames({ tools }), names)
  })

  it("is not to be had by a function's name, whatever stands in it", () => {
    for (const name of ["custom\u0000\u0000run", "a\u0000b", "\u0000"])
      assert.deepInclude(sentNames({ tools: [fn(name)] })[0]!.origin, { name, isCustom: false })
  })

  it.each([
    [{ type: "custom" }, "tools.0.custom"],
    [{ type: "custom", custom: {} }, "tools.0.custom.name"],
    [{ type: "custom", custom: { name: "run", description: 1 } }, "tools.0.custom.description"]
  ])("as %j is refused by its field", (tool, field) => {
    assert.strictEqual(refused({ tools: [tool] }).field, field)
  })
})

describe("the choice of custom tools", () => {
  const tools = [fn("f"), customTool("run"), customTool("f")]

  it("may force one", () => {
    assert.deepStrictEqual(convert({ tools, tool_choice: named("run") }).tool_choice, {
      type: "tool",
      name: "run"
    })
    const [f, , custom] = namesOf(convert({ tools }))
    assert.deepStrictEqual(convert({ tools, tool_choice: named("f") }).tool_choice, {
      type: "tool",
      name: custom!
    })
    assert.deepStrictEqual(convert({ tools, tool_choice: fn("f") }).tool_choice, { type: "tool", name: f! })
    assert.deepStrictEqual(
      convert({ tools, tool_choice: named("run") }, { refuses: ["forced_tool_choice"] }).tool_choice,
      { type: "auto" }
    )
  })

  it("may leave some", () => {
    const [, , custom] = namesOf(convert({ tools }))
    const allowed = { mode: "required", tools: [named("run"), named("f")] }
    const body = convert({ tools, tool_choice: { type: "allowed_tools", allowed_tools: allowed } })
    assert.deepStrictEqual(namesOf(body), ["run", custom])
    assert.deepStrictEqual(body.tool_choice, { type: "any" })
  })

  it("without a name is refused by its field", () => {
    assert.strictEqual(refused({ tools, tool_choice: { type: "custom" } }).field, "tool_choice.custom.name")
  })
})

describe("calls of custom tools in the history", () => {
  const used = (id: string, input: string, name = "run") => ({ ...use(id, { input }), name })

  it("are calls with their text, and have their results", () => {
    const input = '*** "x"\n'
    assert.deepStrictEqual(messagesOf(called("a", "run", input), returned("a", "done")), [
      { role: "assistant", content: [used("a", input)] },
      { role: "user", content: [result("a", "done")] }
    ])
    assert.deepStrictEqual(messagesOf(called("a", "run", null), returned("a", "done")), [
      { role: "assistant", content: [used("a", "")] },
      { role: "user", content: [result("a", "done")] }
    ])
  })

  it("go by the name of their tool, be it of another kind by now", () => {
    const messages = [called("a", "run", "1"), returned("a", "2"), calling("b"), returned("b", "3")]
    const nameOf = (tools: ReadonlyArray<JsonObject>, turn: number) => {
      const body = convert({ messages, tools })
      const { content } = (body.messages as ReadonlyArray<JsonObject>)[turn]!
      return [namesOf(body), ((content as ReadonlyArray<JsonObject>)[0] as JsonObject).name]
    }
    assert.deepStrictEqual(nameOf([customTool("run")], 0), [["run"], "run"])
    assert.deepStrictEqual(nameOf([fn("run")], 0), [["run"], "run"])
    assert.deepStrictEqual(nameOf([customTool("f")], 2), [["f"], "f"])
    const [[, sent], name] = nameOf([fn("run"), customTool("run")], 0) as [Array<string>, string]
    assert.strictEqual(name, sent)
    assert.notStrictEqual(name, "run")
  })

  it.each([
    [{ id: "a", type: "custom" }, "messages.0.tool_calls.0.custom"],
    [{ id: "a", type: "custom", custom: { input: "x" } }, "messages.0.tool_calls.0.custom.name"],
    [{ id: "a", type: "custom", custom: { name: "f", input: {} } }, "messages.0.tool_calls.0.custom.input"]
  ])("as %j are refused by their field", (call, field) => {
    assert.strictEqual(refused({ messages: [{ role: "assistant", tool_calls: [call] }] }).field, field)
  })
})

describe("a custom tool for a model behind Converse", () => {
  it("has a name of 64 characters at most, which comes back as the client's", () => {
    const long = "x".repeat(80)
    const body = request({ tools: [customTool(long), fn(long)], tool_choice: named(long) })
    const asked = { ...objectBytes(Buffer.from(JSON.stringify(body))), parsed: body }
    const options = { model: modelNamed("svc/nova-2-lite"), anthropicBeta: "" }
    const sent = Result.getOrThrow(pairs.chat_completions.converse.request(asked, options))
    const { toolConfig } = sent.body as { readonly toolConfig: { readonly tools: ReadonlyArray<JsonObject> } }
    const names = toolConfig.tools.map(({ toolSpec }) => String((toolSpec as JsonObject).name))
    assert.strictEqual(new Set(names).size, 2)
    for (const [index, name] of names.entries()) {
      assert.isAtMost(name.length, 64)
      const origin = readOrigin(sent.toolNames.get(name)!)
      assert.deepStrictEqual([origin.name, origin.isCustom], [long, index === 0])
    }
  })
})
