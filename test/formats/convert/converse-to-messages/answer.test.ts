import { assert, describe, it } from "@effect/vitest"
import { markReasoning } from "../../../../src/formats/convert/reasoning-marks.ts"
import { Result } from "effect"
import { redactedDataOf } from "../../../../src/formats/convert/converse-to-messages/answer-parts.ts"
import { converseResponseToMessages } from "../../../../src/formats/convert/converse-to-messages/answer.ts"
import type { Json, JsonObject } from "../../../../src/formats/json/json.ts"
import { onlyStopOf } from "../../../../src/formats/messages/asked-stops.ts"
import { messagesUsage, untoldUsage } from "../../../../src/formats/messages/usage.ts"
import { Random } from "../../../Random.ts"
import { context, readFixture } from "../../bedrock-fixtures.ts"
import { describeWith } from "../../../shared-folder.ts"

const convert = (answer: object, toolNames: ReadonlyMap<string, string> = new Map()): JsonObject =>
  Result.getOrThrow(converseResponseToMessages(answer as JsonObject, { ...context, toolNames }))

const answer = (content: ReadonlyArray<JsonObject>, stopReason = "end_turn"): JsonObject => ({
  output: { message: { role: "assistant", content } },
  stopReason,
  usage: { inputTokens: 3, outputTokens: 4, totalTokens: 7 }
})

describeWith("fixtures", "a recorded Converse answer", () => {
  const recorded = (name: string) => convert(readFixture(name).response.body)

  it("keeps a tool call", () => {
    const message = recorded("converse-tool-sync-1")
    assert.deepStrictEqual(message, {
      id: "msg_test",
      type: "message",
      role: "assistant",
      model: context.modelId,
      content: [
        {
          type: "tool_use",
          id: "tooluse_XjTErzm6TpyMMpDviNVY3g",
          name: "get_weather",
          input: { city: "Paris" },
          caller: { type: "direct" }
        }
      ],
      stop_reason: "tool_use",
      stop_sequence: null,
      stop_details: null,
      container: null,
      diagnostics: null,
      usage: {
        ...untoldUsage,
        input_tokens: 572,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 0,
        output_tokens: 53
      }
    })
  })

  it("keeps thinking with its signature", () => {
    const { content } = recorded("converse-thinking-tool-sync")
    const [thinking, text, tool] = content as ReadonlyArray<JsonObject>
    assert.strictEqual(thinking?.type, "thinking")
    assert.match(String(thinking?.signature), /^ErcBCkg/)
    assert.strictEqual(text?.type, "text")
    assert.deepStrictEqual(tool?.input, {})
  })

  it("counts what was read from the cache as input, apart", () => {
    const message = recorded("converse-cache-read")
    assert.deepStrictEqual(message.usage, {
      ...untoldUsage,
      input_tokens: 2,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 1322,
      output_tokens: 5
    })
    assert.deepStrictEqual(messagesUsage(message), { inputTokens: 1324, outputTokens: 5 })
  })

  it("says that the cap was reached", () => {
    assert.strictEqual(recorded("converse-max-tokens").stop_reason, "max_tokens")
  })
})

describe("a Converse answer as a Messages answer", () => {
  it("gives tools the names that the caller gave them", () => {
    const { content } = convert(
      answer([{ toolUse: { toolUseId: "t", name: "a_b", input: { x: 1 } } }]),
      new Map([["a_b", "a.b"]])
    )
    assert.deepStrictEqual(content, [
      { type: "tool_use", id: "t", name: "a.b", input: { x: 1 }, caller: { type: "direct" } }
    ])
  })

  it("calls tools by their names alone, whatever marks of its own the model wrote behind them", () => {
    const called = (name: string) =>
      convert(answer([{ toolUse: { toolUseId: "t", name, input: {} } }])).content as ReadonlyArray<JsonObject>
    assert.strictEqual(called("search<|channel|>commentary")[0]!.name, "search")
    assert.strictEqual(called("a|b")[0]!.name, "a|b")
  })

  it.each([
    ["end_turn", [{ text: "a" }], "end_turn"],
    ["tool_use", [{ text: "a" }], "end_turn"],
    ["end_turn", [{ toolUse: { toolUseId: "t", name: "n", input: {} } }], "tool_use"],
    ["stop_sequence", [{ text: "a" }], "stop_sequence"],
    ["guardrail_intervened", [{ text: "a" }], "refusal"],
    ["content_filtered", [], "refusal"],
    ["model_context_window_exceeded", [{ text: "a" }], "model_context_window_exceeded"],
    ["something_new", [{ text: "a" }], "end_turn"]
  ])("ends for %s with %j as %s", (reason, content, expected) => {
    assert.strictEqual(convert(answer(content, reason)).stop_reason, expected)
  })

  it("names the text that stopped it where only one can have", () => {
    const stopped = (onlyStop: string | null, reason = "stop_sequence") =>
      Result.getOrThrow(converseResponseToMessages(answer([{ text: "a" }], reason), { ...context, onlyStop }))
        .stop_sequence
    assert.strictEqual(stopped("END"), "END")
    assert.isNull(stopped(null))
    assert.isNull(stopped("END", "end_turn"))
    for (const [asked, only] of [
      [["END"], "END"],
      [["END", "STOP"], null],
      [[], null],
      [undefined, null]
    ] as const)
      assert.strictEqual(onlyStopOf(asked === undefined ? {} : { stop_sequences: asked }), only)
  })

  it("keeps citations, redaction and unsigned reasoning, and drops empty text", () => {
    const { content } = convert(
      answer([
        { text: "" },
        { reasoningContent: { reasoningText: { text: "hm" } } },
        { reasoningContent: { redactedContent: Buffer.from("EtkE").toString("base64") } },
        {
          citationsContent: {
            content: [{ text: "20 days" }],
            citations: [
              {
                title: "policy",
                sourceContent: [{ text: "20 days annual leave" }],
                location: { documentPage: { documentIndex: 1, start: 2, end: 3 } }
              }
            ]
          }
        }
      ])
    )
    assert.deepStrictEqual(content, [
      { type: "thinking", thinking: "hm", signature: markReasoning("claude", "thought", "") },
      { type: "redacted_thinking", data: "EtkE" },
      {
        type: "text",
        text: "20 days",
        citations: [
          {
            type: "page_location",
            cited_text: "20 days annual leave",
            document_index: 1,
            document_title: "policy",
            file_id: null,
            start_page_number: 2,
            end_page_number: 3
          }
        ]
      }
    ])
  })

  it.each([
    ["cut {", { INVALID_JSON: "cut {" }],
    [[1], { INVALID_JSON: "[1]" }],
    ['{"a":1}', { a: 1 }],
    [null, {}],
    [undefined, {}]
  ])("keeps a call's input that is no object: %j", (input, kept) => {
    const { content } = convert(answer([{ toolUse: { toolUseId: "t", name: "n", input: input as Json } }]))
    assert.deepStrictEqual((content as ReadonlyArray<JsonObject>)[0]!.input, kept)
  })

  it("leaves out what the provider's own tools did", () => {
    const message = convert(
      answer([
        { toolUse: { toolUseId: "a", name: "own_tool", input: { code: "1" }, type: "server_tool_use" } },
        { toolResult: { toolUseId: "a", type: "own_tool_result", content: [{ json: { out: "1" } }] } },
        { text: "It is 1." }
      ])
    )
    assert.deepStrictEqual(message.content as unknown, [{ type: "text", text: "It is 1." }])
    assert.strictEqual(message.stop_reason, "end_turn")
  })

  it("returns redacted content as text where it is text", () => {
    assert.strictEqual(redactedDataOf(Buffer.from("EtkECkg=").toString("base64")), "EtkECkg=")
    assert.strictEqual(redactedDataOf("AP+ABw=="), "base64:AP+ABw==")
  })

  it.each([{}, { output: {} }, { output: { message: { content: "a" } } }, answer([], "malformed_tool_use")])(
    "is a failure of the upstream when it is no answer: %j",
    (broken) => {
      const result = converseResponseToMessages(broken as JsonObject, context)
      assert.isTrue(Result.isFailure(result) && result.failure.type === "api_error")
    }
  )

  it("never throws, whatever stands in it", () => {
    const random = new Random(3)
    const values = [null, 0, "", "x", [], {}, true, [[{}]], { text: 1 }]
    const mutate = (value: unknown): unknown => {
      if (random.chance(0.1)) return random.pick<unknown>(values)
      if (Array.isArray(value)) return value.map(mutate)
      if (typeof value !== "object" || value === null) return value
      return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, mutate(inner)]))
    }
    const whole = answer([
      { text: "a" },
      { toolUse: { toolUseId: "t", name: "n", input: {} } },
      { reasoningContent: { reasoningText: { text: "a", signature: "b" } } },
      { citationsContent: { content: [{ text: "a" }], citations: [{ location: { web: { url: "u" } } }] } }
    ])
    for (let round = 0; round < 500; round++) {
      const result = converseResponseToMessages({ ...whole, ...(mutate(whole) as JsonObject) }, context)
      if (Result.isSuccess(result)) JSON.stringify(result.success)
    }
  })
})
