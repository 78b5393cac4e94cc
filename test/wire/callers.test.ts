/** A history that says who made its calls, as answers of Messages do, is taken as one that does not. */
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import type { JsonObject } from "../../src/formats/json/json.ts"
import { convertRequest } from "./convert-request.ts"
import { providerRefusal } from "./provider-refusal.ts"

const requestWith = (more: JsonObject): JsonObject => ({
  max_tokens: 100,
  tools: [{ name: "f", input_schema: { type: "object", properties: {} } }],
  messages: [
    { role: "user", content: "hi" },
    { role: "assistant", content: [{ type: "tool_use", id: "toolu_1", name: "f", input: {}, ...more }] },
    { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_1", content: "1" }] }
  ]
})

describe("a call in the history that says who made it", () => {
  const sentTo = (model: string, more: JsonObject) =>
    Result.getOrThrow(convertRequest("messages", model, requestWith(more)))
  const caller = { type: "direct" }

  it.each([
    "svc/claude-sonnet-4-6",
    "svc/nova-2-lite",
    "gpt-5.5",
    "gemini-3.1-pro-preview",
    "deepseek-v4-pro",
    "kimi-k2.6",
    "mistral-large-2512"
  ])("goes up to %s as one that does not", (model) => {
    const sent = sentTo(model, { caller })
    assert.deepStrictEqual(sent.body, sentTo(model, {}).body)
    assert.isUndefined(providerRefusal(sent))
  })

  it.each(["claude-sonnet-4-6", "claude-fable-5", "minimax-m3"])("goes up to %s as it is", (model) => {
    const sent = sentTo(model, { caller })
    assert.deepStrictEqual(sent.body.messages, requestWith({ caller }).messages)
    for (const each of [sent, sentTo(model, {})]) assert.isUndefined(providerRefusal(each))
  })
})
