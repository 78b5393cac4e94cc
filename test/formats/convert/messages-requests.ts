/** Makes Messages requests and converts them. */
import { assert } from "@effect/vitest"
import { Result } from "effect"
import { messagesRequestToChat } from "../../../src/formats/convert/messages-to-chat/request.ts"
import type { Json, JsonObject } from "../../../src/formats/json/json.ts"
import { chatModel } from "../../wire/models.ts"

export const request = (more: JsonObject = {}): JsonObject => ({
  model: "a-model",
  max_tokens: 100,
  messages: [{ role: "user", content: "hi" }],
  ...more
})

export type Traits = Parameters<typeof chatModel>[0]

export const convert = (more: JsonObject, traits: Traits = {}): JsonObject => {
  const { body } = Result.getOrThrow(messagesRequestToChat(request(more), chatModel(traits)))
  return JSON.parse(JSON.stringify(body)) as JsonObject
}

export const refused = (more: JsonObject, traits: Traits = {}) => {
  const result = messagesRequestToChat(request(more), chatModel(traits))
  return Result.isFailure(result) ? result.failure : assert.fail("it was converted")
}

export const messagesOf = (messages: Json, traits: Traits = {}) => convert({ messages }, traits).messages
export const user = (...content: ReadonlyArray<Json>): JsonObject => ({ role: "user", content })
export const assistant = (...content: ReadonlyArray<Json>): JsonObject => ({ role: "assistant", content })
export const text = (words: string, more: JsonObject = {}): JsonObject => ({
  type: "text",
  text: words,
  ...more
})
export const use = (id: string, name = "f", input: JsonObject = {}): JsonObject => ({
  type: "tool_use",
  id,
  name,
  input
})
export const result = (id: string, content: Json, more: JsonObject = {}): JsonObject => ({
  type: "tool_result",
  tool_use_id: id,
  content,
  ...more
})
export const call = (id: string, name = "f", input = "{}") => ({
  id,
  type: "function",
  function: { name, arguments: input }
})
export const png = { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } }
export const pngPart = { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } }
export const marked = { cache_control: { type: "ephemeral" } }
export const tool = (name: string, more: JsonObject = {}): JsonObject => ({
  name,
  input_schema: { type: "object" },
  ...more
})
