/** Custom tools of chat clients for providers that speak chat and know functions alone. */
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { Catalogue, type Model } from "../../../../src/domain/catalogue.ts"
import { objectBytes } from "../../../../src/formats/convert/requests.ts"
import { readOrigin } from "../../../../src/formats/convert/tool-origin.ts"
import { withoutLongTexts } from "../../../../src/formats/json/long-texts.ts"
import type { Json, JsonObject } from "../../../../src/formats/json/json.ts"
import { scanWithin } from "../../../../src/formats/json/scan.ts"
import { pairs } from "../../../../src/formats/pairs.ts"
import { bodyBounds } from "../../../../src/compute/bounds.ts"
import { ownRequests } from "../../../fixtures/read-fixtures.ts"
import { convertRequest } from "../../../wire/convert-request.ts"
import { chatModel } from "../../../wire/models.ts"
import { providerRefusal } from "../../../wire/provider-refusal.ts"
import { calling, customTool, fn, request, returned } from "../chat-requests.ts"
import { convertResponses } from "../responses-requests.ts"

const gemini = chatModel({ provider: "google" })
const pair = pairs.chat_completions.chat_completions

/** As the gateway reads a body that goes up in its client's bytes: long texts are left out. */
const sentOf = (text: string, model: Model) => {
  const bytes = Buffer.from(text)
  const longStrings: Array<number> = []
  scanWithin(bytes, bodyBounds, longStrings)
  const parsed = JSON.parse(withoutLongTexts(bytes, longStrings)) as JsonObject
  return pair.request({ ...objectBytes(bytes), parsed }, { model, anthropicBeta: "" })
}
const textOf = (text: string, model: Model = gemini) => {
  const sent = sentOf(text, { ...model, upstream: { ...model.upstream, model: "m" } })
  return Result.getOrThrow(sent).bytes.toString()
}
const up = (more: JsonObject, model?: Model) =>
  JSON.parse(textOf(JSON.stringify(request(more)), model)) as JsonObject
const refusedField = (more: JsonObject) => {
  const sent = sentOf(JSON.stringify(request(more)), gemini)
  return Result.isFailure(sent) ? sent.failure.field : assert.fail("it was taken")
}

const listOf = (value: Json | undefined) => value as ReadonlyArray<JsonObject>
const namesOf = ({ tools }: JsonObject) =>
  listOf(tools).map(({ custom, function: called }) => ((called ?? custom) as JsonObject).name)
const named = (name: string): JsonObject => ({ type: "custom", custom: { name } })
const call = (id: string, name: string, input: Json, more: JsonObject = {}): JsonObject => ({
  role: "assistant",
  content: null,
  tool_calls: [{ id, type: "custom", custom: { name, input }, ...more }]
})
const calledWith = (name: string, input: string) => ({
  type: "function",
  function: { name, arguments: JSON.stringify({ input }) }
})

describe("a custom tool for a provider that knows functions alone", () => {
  it("is the function that a conversion makes of it", () => {
    const grammar = { definition: "start: /a+/", syntax: "lark" }
    const [function_] = listOf(
      up({ tools: [customTool("run", { description: "Runs it.", format: { type: "grammar", grammar } })] })
        .tools
    )
    const [told] = listOf(
      convertResponses({
        tools: [
          { type: "custom", name: "run", description: "Runs it.", format: { type: "grammar", ...grammar } }
        ]
      }).tools
    )
    const { function: called, type } = function_ as { function: JsonObject; type: string }
    assert.strictEqual(type, "function")
    assert.deepInclude(called, { name: "run", description: told!.description })
    assert.deepStrictEqual(called.parameters, told!.input_schema)
  })

  it("goes up under the provider's name of the model, and with usage asked for", () => {
    const sent = up({ tools: [customTool("run")], stream: true })
    assert.deepInclude(sent, { model: "m", stream: true, stream_options: { include_usage: true } })
  })

  it("leaves everything else in the client's own bytes", () => {
    const long = "é\\u00e9".repeat(2_000)
    const before = `{ "model":"m", "seed": 12345678901234567890, "messages": [ {"role":"user","content":"${long}"} ],`
    const text = `${before} "tools": [{"type":"custom","custom":{"name":"run"}}], "x" : 1.50 }`
    const [head, tail] = textOf(text).split('[{"type":"function"')
    assert.strictEqual(head, `${before} "tools": `)
    assert.match(tail!, /\], "x" : 1\.50 \}$/)
  })

  it("is by a name that fits and is no function's, and is told by it", () => {
    const tools = [customTool("run"), customTool("1 a"), fn("run"), fn("b c")]
    const kimi = chatModel({ provider: "moonshotai" })
    const sent = Result.getOrThrow(sentOf(JSON.stringify(request({ tools })), kimi))
    const names = namesOf(JSON.parse(sent.bytes.toString()) as JsonObject)
    assert.deepStrictEqual(names.slice(2), ["run", "b c"])
    assert.strictEqual(new Set(names).size, 4)
    const origins = names.slice(0, 2).map((name) => readOrigin(sent.toolNames.get(String(name)) ?? ""))
    assert.deepStrictEqual(origins, [
      { name: "run", namespace: undefined, isCustom: true },
      { name: "1 a", namespace: undefined, isCustom: true }
    ])
    for (const name of names.slice(0, 2)) assert.match(String(name), /^[a-zA-Z][a-zA-Z0-9_-]{0,63}$/)
    assert.isFalse(sent.toolNames.has("run"))
  })

  it("may be forced, and be among those allowed", () => {
    const tools = [fn("f"), customTool("run"), customTool("f")]
    const [, , f] = namesOf(up({ tools }))
    const choiceOf = (tool_choice: Json) => up({ tools, tool_choice }).tool_choice
    assert.deepStrictEqual(choiceOf(named("run")), { type: "function", function: { name: "run" } })
    assert.deepStrictEqual(choiceOf(named("f")), { type: "function", function: { name: f! } })
    assert.deepStrictEqual(choiceOf(fn("f")), fn("f"))
    assert.strictEqual(choiceOf("required"), "required")
    const allowed = { mode: "required", tools: [named("f"), fn("f")] }
    assert.deepStrictEqual(choiceOf({ type: "allowed_tools", allowed_tools: allowed }), {
      type: "allowed_tools",
      allowed_tools: { mode: "required", tools: [{ type: "function", function: { name: f! } }, fn("f")] }
    })
  })

  it("has its calls in the history, with all that they came with", () => {
    const input = `*** "x"\n${"y".repeat(2_000)}`
    const signature = { extra_content: { google: { thought_signature: "s" } } }
    const before = [call("a", "run", input, signature), returned("a", "z".repeat(2_000)), calling("b")]
    const messages = [...before, returned("b", "3"), call("c", "run", null), returned("c", "4")]
    for (const tools of [[customTool("run")], undefined])
      assert.deepStrictEqual(up({ messages, ...(tools && { tools }) }).messages, [
        {
          ...before[0],
          tool_calls: [{ id: "a", ...calledWith("run", input), ...signature }]
        },
        ...messages.slice(1, 4),
        { ...messages[4], tool_calls: [{ id: "c", ...calledWith("run", "") }] },
        messages[5]!
      ])
  })

  it("is called by the name of a tool that is of another kind by now", () => {
    const messages = [call("a", "f", "x"), returned("a", "1")]
    const nameIn = (tools: ReadonlyArray<JsonObject>) => {
      const [turn] = listOf(up({ messages, tools }).messages)
      return (listOf(turn!.tool_calls)[0]!.function as JsonObject).name
    }
    assert.strictEqual(nameIn([fn("f")]), "f")
    assert.strictEqual(nameIn([customTool("f")]), "f")
    assert.notStrictEqual(nameIn([fn("f"), customTool("f")]), "f")
  })

  it.each([
    [{ tools: [{ type: "custom", custom: {} }] }, "tools.0.custom.name"],
    [{ tools: [customTool("run", { description: 1 })] }, "tools.0.custom.description"],
    [{ tools: [customTool("run")], tool_choice: { type: "custom", custom: {} } }, "tool_choice.custom.name"],
    [{ messages: [call("a", "run", {})] }, "messages.0.tool_calls.0.custom.input"],
    [
      { messages: [call("a", "run", "")], tools: [{ ...customTool("a"), custom: { name: 1 } }] },
      "tools.0.custom.name"
    ]
  ])("in %j is refused by its field", (more, field) => {
    assert.strictEqual(refusedField(more), field)
  })

  it.each(["gemini-3.1-pro-preview", "deepseek-v4-pro", "kimi-k2.6", "grok-4.3", "mistral-large-2512"])(
    "in the documented request is taken by the provider of %s",
    (model) => {
      const { request: documented } = ownRequests().find(({ name }) => name.includes("chat-custom"))!
      const { tool_choice: _, ...body } = documented
      for (const more of [{}, { tool_choice: named("run") }]) {
        const sent = Result.getOrThrow(convertRequest("chat_completions", model, { ...body, ...more }))
        assert.isUndefined(providerRefusal(sent), JSON.stringify(sent.body))
      }
    }
  )
})

describe("a request", () => {
  const custom = JSON.stringify(request({ tools: [customTool("run")], tool_choice: named("run") }))

  it.each([
    request({ tools: [fn("run")], messages: [calling("a"), returned("a", "custom")] }),
    // What is no custom tool of chat is the provider's to judge.
    request({ tools: [{ type: "custom", name: "run", input_schema: { type: "object" } }] }),
    request({ tools: "custom", messages: [{ role: "assistant", tool_calls: "custom" }] })
  ])("without custom tools goes up as it is: %j", (body) => {
    const text = JSON.stringify(body)
    assert.strictEqual(textOf(text), text)
  })

  it("with them goes up as it is to OpenAI, and where the catalogue says that they are known", () => {
    assert.strictEqual(textOf(custom, chatModel({ provider: "openai" })), custom)
    const known = (custom_tools?: boolean) => new Catalogue([record("mine", custom_tools)], {}).get("m")!
    assert.strictEqual(textOf(custom, known(true)), custom)
    assert.notStrictEqual(textOf(custom, known(false)), custom)
    assert.notStrictEqual(textOf(custom, known()), custom)
    const lacking = new Catalogue([record("openai", false)], {}).get("m")!
    assert.notStrictEqual(textOf(custom, lacking), custom)
    assert.throws(() => new Catalogue([record("mine", "yes")], {}), /custom_tools/)
  })
})

const record = (provider: string, custom_tools?: Json) => ({
  id: "m",
  name: "M",
  context_window: 1_000,
  max_output_tokens: 500,
  price: { per_mtok_vnd: 1 },
  channel: "standard",
  capabilities: ["streaming"],
  family: "m",
  kind: "chat",
  upstream: {
    provider,
    model: "m",
    protocols: ["chat_completions"],
    ...(custom_tools !== undefined && { custom_tools })
  }
})
