/** Makes chat requests and converts them. */
import { assert } from "@effect/vitest"
import { Result } from "effect"
import { chatRequestToMessages } from "../../../src/formats/convert/chat-to-messages/request.ts"
import type { Json, JsonObject } from "../../../src/formats/json/json.ts"
import { claudeModel } from "../../wire/models.ts"

export type Traits = Parameters<typeof claudeModel>[0]

export const request = (more: JsonObject = {}): JsonObject => ({
  model: "m",
  messages: [{ role: "user", content: "hi" }],
  ...more
})

export const convert = (more: JsonObject, traits: Traits = {}): JsonObject =>
  Result.getOrThrow(chatRequestToMessages(request(more), claudeModel(traits))).body

export const refused = (more: JsonObject, traits: Traits = {}) => {
  const result = chatRequestToMessages(request(more), claudeModel(traits))
  return Result.isFailure(result) ? result.failure : assert.fail("it was converted")
}

export const messagesOf = (...messages: ReadonlyArray<Json>) => convert({ messages }).messages
export const user = (...content: ReadonlyArray<Json>): JsonObject => ({ role: "user", content })
export const text = (words: string, more: JsonObject = {}): JsonObject => ({
  type: "text",
  text: words,
  ...more
})
export const calling = (...ids: ReadonlyArray<string>): JsonObject => ({
  role: "assistant",
  content: null,
  tool_calls: ids.map((id) => ({ id, type: "function", function: { name: "f", arguments: `{"a":1}` } }))
})
export const returned = (id: string, content: Json): JsonObject => ({
  role: "tool",
  tool_call_id: id,
  content
})
export const use = (id: string, input: JsonObject = { a: 1 }) => ({ type: "tool_use", id, name: "f", input })
export const result = (id: string, content: Json) => ({ type: "tool_result", tool_use_id: id, content })
export const fn = (name: string, parameters?: JsonObject): JsonObject => ({
  type: "function",
  function: { name, ...(parameters && { parameters }) }
})
export const customTool = (name: string, more: JsonObject = {}): JsonObject => ({
  type: "custom",
  custom: { name, ...more }
})
export const mark = { cache_control: { type: "ephemeral" } }
export const image = { type: "image", source: { type: "base64", media_type: "image/jpeg", data: "AAAA" } }
