/** Whatever stands where something else belongs, requests are converted, or refused by the field's name. */
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { requireChatRequest } from "../../../src/formats/chat/request.ts"
import { chatRequestToMessages } from "../../../src/formats/convert/chat-to-messages/request.ts"
import { messagesRequestToChat } from "../../../src/formats/convert/messages-to-chat/request.ts"
import { refusable } from "../../../src/formats/json/fields.ts"
import type { JsonObject } from "../../../src/formats/json/json.ts"
import { requireMessagesRequest } from "../../../src/formats/messages/request.ts"
import { chatModel, claudeModel } from "../../wire/models.ts"
import { bodiesOf, deep } from "./mutations.ts"

const messagesRequest: JsonObject = {
  model: "m",
  max_tokens: 10,
  system: [{ type: "text", text: "s" }],
  stop_sequences: ["a"],
  temperature: 1,
  thinking: { type: "enabled", budget_tokens: 2_000 },
  output_config: {
    effort: "low",
    format: { type: "json_schema", schema: { type: "object", properties: { a: {} } } }
  },
  metadata: { user_id: "u" },
  tools: [{ name: "f", description: "d", input_schema: { type: "object" }, strict: true }],
  tool_choice: { type: "tool", name: "f", disable_parallel_tool_use: true },
  messages: [
    {
      role: "user",
      content: [{ type: "image", source: { type: "base64", media_type: "image/png", data: "A" } }]
    },
    {
      role: "assistant",
      content: [
        { type: "thinking", thinking: "h", signature: "s" },
        { type: "tool_use", id: "t", name: "f", input: { a: 1 } }
      ]
    },
    {
      role: "user",
      content: [
        { type: "tool_result", tool_use_id: "t", content: [{ type: "text", text: "r" }], is_error: true },
        {
          type: "document",
          title: "T",
          context: "c",
          source: { type: "content", content: [{ type: "text", text: "d" }] }
        },
        { type: "search_result", title: "T", source: "u", content: [{ type: "text", text: "d" }] }
      ]
    },
    { role: "system", content: "s" }
  ]
}

const chatRequest: JsonObject = {
  model: "m",
  max_tokens: 10,
  stop: ["a"],
  temperature: 1,
  reasoning_effort: "low",
  thinking: { type: "enabled", budget_tokens: 2_000 },
  response_format: {
    type: "json_schema",
    json_schema: { name: "n", schema: { type: "object", properties: { a: { anyOf: [{}] } } } }
  },
  tools: [
    {
      type: "function",
      function: { name: "f", description: "d", parameters: { type: "object", anyOf: [{ properties: {} }] } }
    }
  ],
  tool_choice: {
    type: "allowed_tools",
    allowed_tools: { mode: "auto", tools: [{ type: "function", function: { name: "f" } }] }
  },
  functions: [{ name: "g", parameters: {} }],
  parallel_tool_calls: false,
  logit_bias: {},
  modalities: ["text"],
  messages: [
    { role: "system", content: [{ type: "text", text: "s" }] },
    {
      role: "user",
      content: [
        { type: "image_url", image_url: { url: "https://x/y" } },
        { type: "file", file: { filename: "a", file_data: "data:application/pdf;base64,AA" } }
      ]
    },
    {
      role: "assistant",
      content: "t",
      refusal: "r",
      thinking_blocks: [{ type: "thinking", thinking: "h", signature: "s" }],
      tool_calls: [{ id: "c", type: "function", function: { name: "f", arguments: "{}" } }],
      function_call: { name: "f", arguments: "{}" }
    },
    { role: "tool", tool_call_id: "c", content: "r" },
    { role: "function", name: "f", content: "r" }
  ]
}

const problemOf = (require: (body: JsonObject) => void, body: JsonObject) =>
  Result.getOrUndefined(Result.flip(refusable(() => require(body))))

describe("malformed requests", () => {
  const converters = [
    [
      "Messages",
      messagesRequest,
      (body: JsonObject) => messagesRequestToChat(body, chatModel({ provider: "google" })),
      requireMessagesRequest
    ],
    [
      "chat",
      chatRequest,
      (body: JsonObject) => chatRequestToMessages(body, claudeModel()),
      requireChatRequest
    ]
  ] as const

  it.each(converters)(
    "a %s request with anything anywhere is converted or refused by name",
    (_, request, convert, require) => {
      assert.isTrue(Result.isSuccess(convert(request)))
      let refused = 0
      for (const body of bodiesOf(request)) {
        const result = convert(body)
        problemOf(require, body)
        if (Result.isSuccess(result)) assert.isString(JSON.stringify(result.success.body))
        else {
          refused++
          assert.isNotEmpty(result.failure.field)
          assert.isTrue(result.failure.message.startsWith(`${result.failure.field}: `))
        }
      }
      assert.isAbove(refused, 100)
    }
  )

  it.each(converters)(
    "a %s request of 10,000 levels is refused by the field that holds them",
    (_, request, convert) => {
      const result = convert({ ...request, tools: deep })
      assert.strictEqual(Result.isFailure(result) && result.failure.field, "tools")
      assert.isTrue(Result.isFailure(convert({ ...request, unknown: deep })))
    }
  )

  it.each([
    [{}, "model"],
    [{ model: "" }, "model"],
    [{ model: "m" }, "messages"],
    [{ model: "m", messages: [] }, "messages"],
    [{ model: "m", messages: ["x"] }, "messages.0"],
    [{ model: "m", messages: [{ content: "x" }] }, "messages.0.role"],
    [{ model: "m", messages: [{ role: "user", content: "x" }], max_tokens: -1 }, "max_tokens"],
    [{ model: "m", messages: [{ role: "user", content: "x" }], max_tokens: 1, stream: "yes" }, "stream"]
  ])("both protocols refuse %j by %s", (body, field) => {
    assert.strictEqual(problemOf(requireMessagesRequest, body as JsonObject)?.field, field)
    assert.strictEqual(problemOf(requireChatRequest, body as JsonObject)?.field, field)
  })

  it("a chat request for a completion that comes later is refused, whatever the model's provider makes of it", () => {
    const request = { model: "m", messages: [{ role: "user", content: "x" }] }
    for (const deferred of [true, "true"]) {
      const body = { ...request, deferred }
      assert.strictEqual(problemOf(requireChatRequest, body)?.field, "deferred")
      assert.isTrue(Result.isFailure(chatRequestToMessages(body, claudeModel())))
    }
    for (const deferred of [false, null])
      assert.isUndefined(problemOf(requireChatRequest, { ...request, deferred }))
  })

  it("roles, fields and blocks that are not known are accepted", () => {
    const body = { model: "m", max_tokens: 1, messages: [{ role: "critic", content: "x", y: 1 }], z: {} }
    assert.isUndefined(problemOf(requireMessagesRequest, body))
    assert.isUndefined(problemOf(requireChatRequest, body))
    assert.isTrue(Result.isSuccess(messagesRequestToChat(body, chatModel())))
    assert.isTrue(Result.isSuccess(chatRequestToMessages(body, claudeModel())))
  })
})
