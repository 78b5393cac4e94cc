/** Messages and chat requests for OpenAI's Responses; rules after platform.openai.com/docs/api-reference/responses. */
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { chatRequestToResponses } from "../../../../src/formats/convert/chat-to-responses/request.ts"
import { messagesRequestToResponses } from "../../../../src/formats/convert/messages-to-responses/request.ts"
import type { JsonObject } from "../../../../src/formats/json/json.ts"
import { markReasoning } from "../../../../src/formats/convert/reasoning-marks.ts"
import { convertRequest } from "../../../wire/convert-request.ts"
import { chatModel } from "../../../wire/models.ts"
import { calling, fn, returned } from "../chat-requests.ts"
import { assistant, result, text, tool, use, user } from "../messages-requests.ts"

const model = chatModel({ refuses: ["sampling"] })
const fromMessages = (more: JsonObject): JsonObject =>
  Result.getOrThrow(
    messagesRequestToResponses({ model: "m", max_tokens: 100, messages: [user(text("q"))], ...more }, model)
  ).body
const fromChat = (more: JsonObject): JsonObject =>
  Result.getOrThrow(chatRequestToResponses({ model: "m", messages: [], ...more }, model)).body
const said = (role: string, type: string, words: string) => ({
  type: "message",
  role,
  content: [{ type, text: words, ...(type === "output_text" && { annotations: [] }) }]
})
const asked = said("user", "input_text", "q")
const call = (call_id: string, input = "{}") => ({
  type: "function_call",
  call_id,
  name: "f",
  arguments: input
})
const output = (call_id: string, told: string) => ({ type: "function_call_output", call_id, output: told })

describe("a Messages request for Responses", () => {
  it("says what each side said in its own kind of part, with each call's output behind the calls", () => {
    const messages = [
      user(text("q")),
      assistant(text("so"), use("a"), use("b")),
      user(result("b", "2"), result("a", "no", { is_error: true }), text("next"))
    ]
    assert.deepStrictEqual(fromMessages({ messages }).input, [
      asked,
      said("assistant", "output_text", "so"),
      call("a"),
      call("b"),
      output("a", "[tool error] no"),
      output("b", "2"),
      said("user", "input_text", "next")
    ])
  })

  it("is refused by the place of the block that names a stored file", () => {
    const stored = { type: "image", source: { type: "file", file_id: "f" } }
    const body = { model: "m", max_tokens: 100, messages: [user(text("q"), stored)] }
    const refused = Result.flip(messagesRequestToResponses(body, model))
    assert.strictEqual(Result.getOrThrow(refused).field, "messages.0.content.1.source.type")
  })

  it("of nothing but a prompt asks for an answer to that, and of nothing at all is refused", () => {
    const blank = [user(text(" "))]
    const told = fromMessages({ system: "be brief", messages: blank })
    assert.strictEqual(told.input, "be brief")
    assert.notProperty(told, "instructions")
    const body = { model: "m", max_tokens: 100, messages: blank, system: "" }
    const refused = Result.flip(messagesRequestToResponses(body, model))
    assert.strictEqual(Result.getOrThrow(refused).field, "messages")
  })

  it("has its thoughts come back to the family that made them", () => {
    const signed = (family: string, kind: "item" | "thought", payload: string) => ({
      type: "thinking",
      thinking: "hm",
      signature: markReasoning(family, kind, payload)
    })
    const inputOf = (...blocks: ReadonlyArray<JsonObject>) =>
      fromMessages({ messages: [user(text("q")), assistant(text("so"), ...blocks, use("a"))] }).input
    const so = said("assistant", "output_text", "so")
    const without: ReadonlyArray<JsonObject> = [
      asked,
      so,
      call("a"),
      output("a", "(this call was not answered)")
    ]
    const reasoning = { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "gAAAA:=\n" }
    assert.deepStrictEqual(
      inputOf(signed(model.family, "item", "rs_1:gAAAA:=\n")),
      without.toSpliced(2, 0, reasoning)
    )
    for (const block of [
      signed("claude", "item", "rs_1:gAAAA"),
      signed(model.family, "thought", "rs_1:gAAAA"),
      signed(model.family, "item", "gAAAA"),
      { type: "thinking", thinking: "hm", signature: "sig" },
      { type: "redacted_thinking", data: "sig" }
    ])
      assert.deepStrictEqual(inputOf(block), without)
  })

  it("has sampling where the model takes it", () => {
    const request = { model: "m", max_tokens: 100, messages: [user(text("q"))], temperature: 0.5, top_p: 0.9 }
    const { body } = Result.getOrThrow(messagesRequestToResponses(request, chatModel()))
    assert.deepInclude(body, { temperature: 0.5, top_p: 0.9 })
  })

  it("has tools of one object each, whatever stands at the root of their schemas", () => {
    const a = { type: "string" }
    const parametersOf = (input_schema: JsonObject) =>
      (fromMessages({ tools: [tool("f", { input_schema })] }).tools as ReadonlyArray<JsonObject>)[0]!
        .parameters
    const object = { type: "object", properties: { a } }
    assert.deepStrictEqual(parametersOf(object), object)
    for (const odd of [
      { anyOf: [{ properties: { a } }, { type: "null" }] },
      { type: ["object", "null"], properties: { a } },
      { ...object, not: {}, enum: [] }
    ])
      assert.deepStrictEqual(parametersOf(odd), object)
  })

  it("answers a call that was not, and tells an output without its call as text", () => {
    const messages = [user(text("q")), assistant(use("a")), user(result("x", "r"))]
    assert.deepStrictEqual(fromMessages({ messages }).input, [
      asked,
      call("a"),
      output("a", "(this call was not answered)"),
      {
        type: "message",
        role: "user",
        content: [
          { type: "input_text", text: "Result of the tool call x:" },
          { type: "input_text", text: "r" }
        ]
      }
    ])
  })

  it("is kept nowhere, asks for thoughts to come back by, and raises a cap that is too low", () => {
    const body = fromMessages({ max_tokens: 1, temperature: 0.5, thinking: { type: "adaptive" } })
    assert.deepInclude(body, {
      store: false,
      include: ["reasoning.encrypted_content"],
      max_output_tokens: 16,
      reasoning: { effort: "medium", summary: "auto" }
    })
    assert.notProperty(body, "temperature")
    assert.notProperty(body, "stream")
    assert.strictEqual(fromMessages({ stream: true }).stream, true)
  })

  it.each([
    ["gpt-5.5", "none", "xhigh"],
    ["gpt-5.6-sol", "none", "max"],
    ["gpt-6-luna", "none", "max"],
    ["gpt-6-astra", "low", "max"]
  ])("tells %s to think from %s to %s", (id, least, most) => {
    const effortOf = (more: JsonObject) => {
      const request = { max_tokens: 100, messages: [user(text("q"))], ...more }
      const { body } = Result.getOrThrow(convertRequest("messages", id, request))
      return (body.reasoning as JsonObject).effort
    }
    assert.strictEqual(effortOf({ thinking: { type: "disabled" } }), least)
    assert.strictEqual(effortOf({ output_config: { effort: "max" } }), most)
    assert.strictEqual(effortOf({ output_config: { effort: "xhigh" } }), "xhigh")
  })

  it("offers tools that are not strict unless they were", () => {
    const strict = tool("g", {
      strict: true,
      input_schema: { type: "object", properties: {}, required: [], additionalProperties: false }
    })
    const tools = fromMessages({ tools: [tool("f"), strict] }).tools as ReadonlyArray<JsonObject>
    assert.deepStrictEqual(
      tools.map((each) => [each.type, each.name, each.strict]),
      [
        ["function", "f", false],
        ["function", "g", true]
      ]
    )
  })

  it.each<[JsonObject, JsonObject["tool_choice"], boolean]>([
    [{ type: "auto" }, "auto", true],
    [{ type: "any" }, "required", true],
    [{ type: "tool", name: "g" }, { type: "function", name: "g" }, true],
    [{ type: "none" }, "none", false]
  ])("says the choice %j as %j, and one call at a time with all but none", (choice, expected, isLimited) => {
    const tools = [tool("f"), tool("g")]
    const body = fromMessages({ tools, tool_choice: choice })
    assert.deepStrictEqual(body.tool_choice, expected)
    assert.notProperty(body, "parallel_tool_calls")
    const limited = fromMessages({ tools, tool_choice: { ...choice, disable_parallel_tool_use: true } })
    assert.strictEqual(limited.parallel_tool_calls, isLimited ? false : undefined)
    const free = fromMessages({ tools, tool_choice: { ...choice, disable_parallel_tool_use: false } })
    assert.notProperty(free, "parallel_tool_calls")
    assert.notProperty(fromMessages({ tool_choice: choice }), "tool_choice")
  })

  it("asks for the form of the answer by a name, and tells who asks", () => {
    const schema = { type: "object", properties: { a: { type: "string" } } }
    const format = { type: "json_schema", name: "output", schema }
    const asked = { type: "json_schema", schema }
    assert.deepStrictEqual(fromMessages({ output_config: { format: asked } }).text, { format })
    assert.deepStrictEqual(fromMessages({ output_format: asked }).text, { format })
    assert.strictEqual(fromMessages({ metadata: { user_id: "u" } }).safety_identifier, "u")
    const long = String(fromMessages({ metadata: { user_id: "u".repeat(300) } }).safety_identifier)
    assert.match(long, /^[0-9a-f]{64}$/)
  })
})

describe("a chat request for Responses", () => {
  it("keeps roles and order, and puts late outputs behind their calls", () => {
    const messages = [
      { role: "system", content: "be kind" },
      { role: "developer", content: "be brief" },
      { role: "user", content: "q" },
      calling("a", "b"),
      returned("b", "2"),
      { role: "user", content: "next" },
      returned("a", "1")
    ]
    assert.deepStrictEqual(fromChat({ messages, tools: [fn("f")] }).input, [
      said("system", "input_text", "be kind"),
      said("developer", "input_text", "be brief"),
      asked,
      call("a", '{"a":1}'),
      call("b", '{"a":1}'),
      output("a", "1"),
      output("b", "2"),
      said("user", "input_text", "next")
    ])
  })
})

describe("a chat request that goes up as Responses", () => {
  it("is refused by its field where it holds nothing to answer, or what nobody may say", () => {
    const refusedOf = (...messages: ReadonlyArray<JsonObject>) => refusedWith({ messages })
    const refusedWith = (more: JsonObject) => {
      const request = { model: "m", messages: [], tools: [fn("f")], ...more }
      return Result.getOrThrow(Result.flip(chatRequestToResponses(request, model))).field
    }
    assert.strictEqual(refusedOf({ role: "user", content: "" }), "messages")
    const question = { role: "user", content: "q" }
    assert.strictEqual(refusedOf(question, { role: "critic", content: "x" }), "messages.1.role")
    const tools = [fn("f"), { type: "web_search" }]
    assert.strictEqual(refusedWith({ messages: [question], tools }), "tools.1.type")
    const sound = { type: "input_audio", input_audio: { data: "AAAA", format: "wav" } }
    assert.strictEqual(refusedOf({ role: "user", content: [sound] }), "messages.0.content.0.type")
  })

  const mark = { mode: "explicit" }

  it("keeps what is said of caches and of moderation", () => {
    const moderation = { model: "omni-moderation-latest", policy: { input: { mode: "block" } } }
    const options = { mode: "explicit", ttl: "30m" }
    const body = fromChat({
      messages: [{ role: "user", content: "q" }],
      tools: [fn("f")],
      moderation,
      prompt_cache_options: { ...options, comparison_response_id: "resp_1", prewarm: true }
    })
    assert.deepStrictEqual(body.moderation, moderation)
    assert.deepStrictEqual(body.prompt_cache_options, options)
  })

  it("keeps where a cached prompt ends", () => {
    const url = "https://example.com/a.png"
    const body = fromChat({
      messages: [
        {
          role: "user",
          content: [
            { type: "text", text: "q", prompt_cache_breakpoint: mark },
            { type: "image_url", image_url: { url }, prompt_cache_breakpoint: mark }
          ]
        },
        calling("c"),
        {
          role: "tool",
          tool_call_id: "c",
          content: [{ type: "text", text: "r", prompt_cache_breakpoint: mark }]
        }
      ],
      tools: [fn("f")]
    })
    const [question, , answer] = body.input as ReadonlyArray<JsonObject>
    assert.deepStrictEqual(question!.content, [
      { type: "input_text", text: "q", prompt_cache_breakpoint: mark },
      { type: "input_image", image_url: url, detail: "auto", prompt_cache_breakpoint: mark }
    ])
    assert.deepStrictEqual(answer!.output, [{ type: "input_text", text: "r", prompt_cache_breakpoint: mark }])
  })
})
