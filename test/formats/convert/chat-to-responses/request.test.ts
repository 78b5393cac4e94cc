/** What a chat request says beside its messages, in the words of OpenAI's Responses; rules after its API reference. */
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { chatRequestToResponses } from "../../../../src/formats/convert/chat-to-responses/request.ts"
import type { JsonObject } from "../../../../src/formats/json/json.ts"
import { chatModel } from "../../../wire/models.ts"
import { customTool, fn } from "../chat-requests.ts"

const question = [{ role: "user", content: "q" }]
const convert = (more: JsonObject, refuses: ReadonlyArray<"sampling"> = ["sampling"]): JsonObject =>
  Result.getOrThrow(
    chatRequestToResponses(
      { model: "m", messages: question, tools: [fn("f"), fn("g")], ...more },
      chatModel({ refuses })
    )
  ).body

describe("a chat request that goes up as Responses", () => {
  it.each<[JsonObject["tool_choice"], JsonObject["tool_choice"]]>([
    ["auto", "auto"],
    ["none", "none"],
    ["required", "required"],
    [
      { type: "function", function: { name: "g" } },
      { type: "function", name: "g" }
    ],
    [
      { type: "custom", custom: { name: "p" } },
      { type: "custom", name: "p" }
    ],
    [
      {
        type: "allowed_tools",
        allowed_tools: { mode: "required", tools: [{ type: "function", function: { name: "f" } }] }
      },
      { type: "allowed_tools", mode: "required", tools: [{ type: "function", name: "f" }] }
    ]
  ])("says the choice %j as %j", (tool_choice, expected) => {
    const { parallel_tool_calls, tool_choice: sent } = convert({
      tools: [fn("f"), fn("g"), customTool("p")],
      tool_choice,
      parallel_tool_calls: false
    })
    assert.deepStrictEqual(sent, expected)
    assert.strictEqual(parallel_tool_calls, false)
  })

  it("tells what tools are beside them, and keeps them strict where they were", () => {
    const parameters = { type: "object", properties: {}, required: [], additionalProperties: false }
    const grammar = { type: "grammar", grammar: { syntax: "lark", definition: "start: x" } }
    const strict = { type: "function", function: { name: "f", description: "d", parameters, strict: true } }
    assert.deepStrictEqual(
      convert({ tools: [strict, fn("g"), customTool("p", { format: grammar })] }).tools,
      [
        { type: "function", name: "f", description: "d", parameters, strict: true },
        { type: "function", name: "g", parameters: { type: "object", properties: {} }, strict: false },
        { type: "custom", name: "p", format: { type: "grammar", syntax: "lark", definition: "start: x" } }
      ]
    )
  })

  it("asks for the answer's form, its length and its thought in Responses' own members", () => {
    const schema = { type: "object", properties: {}, required: [], additionalProperties: false }
    const response_format = { type: "json_schema", json_schema: { name: "n", strict: true, schema } }
    const body = convert({ response_format, verbosity: "low", reasoning_effort: "high", max_tokens: 500 })
    assert.deepStrictEqual(body.text, {
      format: { type: "json_schema", name: "n", strict: true, schema },
      verbosity: "low"
    })
    assert.deepStrictEqual(body.reasoning, { effort: "high", summary: "auto" })
    assert.strictEqual(body.max_output_tokens, 500)
    for (const name of ["response_format", "verbosity", "reasoning_effort", "max_tokens", "messages"])
      assert.notProperty(body, name)
    for (const type of ["json_object", "text"])
      assert.deepStrictEqual(convert({ response_format: { type } }).text, { format: { type } })
  })

  it.each<[JsonObject, string | undefined]>([
    [{ reasoning: { effort: "low" } }, "low"],
    [{ reasoning: { enabled: false } }, "none"],
    [{ reasoning: { max_tokens: 12_000 } }, "high"],
    [{ reasoning: { enabled: true } }, undefined],
    [{ thinking: { type: "disabled" } }, "none"],
    [{ thinking: { type: "enabled", budget_tokens: 2_000 } }, "low"]
  ])("hears how much to think where it is said in other services' words: %j is %s", (asked, effort) => {
    assert.deepStrictEqual(convert(asked).reasoning, { ...(effort && { effort }), summary: "auto" })
  })

  it("is refused where it asks for a form in a server's own words, which would be lost", () => {
    const asked = { model: "m", messages: question, tools: [fn("f")], guided_json: { type: "object" } }
    const result = chatRequestToResponses(asked, chatModel({}))
    assert.strictEqual(Result.isFailure(result) ? result.failure.field : "converted", "guided_json")
  })

  it("takes the smaller of two caps, and at least what the provider takes", () => {
    const capOf = (caps: JsonObject) => convert(caps).max_output_tokens
    assert.strictEqual(capOf({ max_tokens: 300, max_completion_tokens: 200 }), 200)
    assert.strictEqual(capOf({ max_completion_tokens: 5 }), 16)
    assert.strictEqual(capOf({ max_tokens: 1_000_000 }), 64_000)
    assert.isUndefined(capOf({}))
  })

  it("is sampled where the model takes that, and kept nowhere", () => {
    const body = convert({ temperature: 0.3, top_p: 0.9, store: true }, [])
    assert.deepInclude(body, { temperature: 0.3, top_p: 0.9, store: false })
    const refused = convert({ temperature: 0.3, top_p: 0.9 })
    assert.notProperty(refused, "temperature")
    assert.notProperty(refused, "top_p")
  })

  it("is streamed where the client streams", () => {
    assert.strictEqual(convert({ stream: true, stream_options: { include_usage: true } }).stream, true)
    for (const stream of [false, null]) assert.notProperty(convert({ stream }), "stream")
  })

  it("says whose it is under the same names", () => {
    const kept = {
      metadata: { a: "b" },
      prompt_cache_key: "k",
      prompt_cache_retention: "24h",
      safety_identifier: "s",
      service_tier: "flex",
      user: "u"
    }
    assert.deepInclude(convert(kept), kept)
    assert.notProperty(convert({ user: null }), "user")
  })

  it("holds images, files and refusals", () => {
    const url = "https://example.com/a.png"
    const file_data = "data:application/pdf;base64,JVBERi0xLjQK"
    const { input } = convert({
      messages: [
        {
          role: "user",
          content: [
            { type: "text", text: "see" },
            { type: "image_url", image_url: { url, detail: "low" } },
            { type: "file", file: { filename: "a.pdf", file_data } }
          ]
        },
        { role: "assistant", content: null, refusal: "no" },
        { role: "user", content: "q" }
      ]
    })
    const [shown, refused] = input as ReadonlyArray<JsonObject>
    assert.deepStrictEqual(shown!.content, [
      { type: "input_text", text: "see" },
      { type: "input_image", image_url: url, detail: "low" },
      { type: "input_file", filename: "a.pdf", file_data }
    ])
    assert.deepStrictEqual(refused!.content, [{ type: "refusal", refusal: "no" }])
  })
})
