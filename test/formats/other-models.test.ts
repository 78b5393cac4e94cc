import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import type { JsonObject } from "../../src/formats/json/json.ts"
import { convertRequest } from "../wire/convert-request.ts"

const messages = [{ role: "user", content: "q" }]
const asked = (endpoint: "messages" | "chat_completions" | "responses", model: string, more: JsonObject) =>
  convertRequest(endpoint, model, { messages, input: "q", ...more })

describe("other models that may answer in place of the called one", () => {
  it.each([
    ["chat_completions", "deepseek-v4-pro", "models", ["claude-opus-5"]],
    ["chat_completions", "deepseek-v4-pro", "fallbacks", ["claude-opus-5"]],
    ["chat_completions", "deepseek-v4-pro", "fallbacks", [{ model: "gpt-5.5" }, "claude-opus-5"]],
    ["responses", "gpt-5.5", "models", ["claude-opus-5"]],
    ["messages", "claude-sonnet-5", "models", ["claude-opus-5"]]
  ] as const)("are refused on %s to %s as %s", (endpoint, model, name, value) => {
    const { field, message } = Result.getOrThrow(Result.flip(asked(endpoint, model, { [name]: value })))
    assert.deepStrictEqual(
      [field, message],
      [name, `${name}: is not supported: a call is answered by the model that it names`]
    )
  })

  it.each([
    ["chat_completions", "deepseek-v4-pro", { models: [], fallbacks: null, route: "fallback" }],
    ["messages", "claude-sonnet-5", { max_tokens: 9, fallbacks: [{ model: "claude-haiku-4-5" }] }],
    // Made anew in other words, a request has no place for them.
    ["chat_completions", "claude-sonnet-5", { models: ["claude-opus-5"] }]
  ] as const)("are none on %s to %s with %j", (endpoint, model, more) => {
    assert.isTrue(Result.isSuccess(asked(endpoint, model, more)))
  })
})
