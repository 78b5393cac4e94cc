/** How much a chat client lets the models of AWS think that are no Claude. */
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import type { TextEndpoint } from "../../../../src/domain/call.ts"
import type { JsonObject } from "../../../../src/formats/json/json.ts"
import { convertRequest } from "../../../wire/convert-request.ts"

const sent = (endpoint: TextEndpoint, model: string, request: JsonObject) =>
  Result.getOrThrow(convertRequest(endpoint, model, request)).body.additionalModelRequestFields
const messages = [{ role: "user", content: "q" }]

describe("the effort of a chat request", () => {
  it.each([
    ["svc/nova-2-lite", "minimal", { reasoningConfig: { type: "enabled", maxReasoningEffort: "low" } }],
    ["svc/nova-2-lite", "high", { reasoningConfig: { type: "enabled", maxReasoningEffort: "medium" } }],
    ["svc/nova-2-lite", "none", { reasoningConfig: { type: "disabled" } }],
    ["svc/gpt-oss-120b", "medium", { reasoning_effort: "medium" }],
    ["svc/gpt-oss-120b", "none", { reasoning_effort: "low" }],
    ["svc/nova-pro", "high", undefined]
  ])("reaches %s from %s as it does from clients of Responses", (model, effort, expected) => {
    const chat = sent("chat_completions", model, { messages, reasoning_effort: effort })
    assert.deepStrictEqual(chat, expected)
    assert.deepStrictEqual(sent("responses", model, { input: "q", reasoning: { effort } }), expected)
    assert.deepStrictEqual(sent("chat_completions", model, { messages, reasoning: { effort } }), expected)
  })

  it("has MiniMax think or not, beside the sampling that was asked for, and as from clients of Responses", () => {
    const told = (effort: string, more: JsonObject = {}) => {
      const asked = { temperature: 0.3, ...more }
      const [chat, responses] = [
        convertRequest("chat_completions", "minimax-m3", { messages, reasoning_effort: effort, ...asked }),
        convertRequest("responses", "minimax-m3", { input: "q", reasoning: { effort }, temperature: 0.3 })
      ].map((converted) => Result.getOrThrow(converted).body)
      for (const body of [chat!, responses!]) {
        assert.strictEqual(body.temperature, 0.3)
        assert.notProperty(body, "output_config")
      }
      return [chat!.thinking, responses!.thinking]
    }
    const adaptive = { type: "adaptive" }
    for (const effort of ["minimal", "low", "high", "max"])
      assert.deepStrictEqual(told(effort), [adaptive, adaptive])
    assert.deepStrictEqual(told("none"), [{ type: "disabled" }, { type: "disabled" }])
    const own = { type: "enabled", budget_tokens: 2048 }
    assert.deepStrictEqual(told("low", { thinking: own })[0], own)
  })

  it("goes up beside the sampling that was asked for", () => {
    const request = { messages, reasoning_effort: "low", temperature: 0.3 }
    const { body } = Result.getOrThrow(convertRequest("chat_completions", "svc/gpt-oss-120b", request))
    assert.deepInclude(body.inferenceConfig as JsonObject, { temperature: 0.3 })
  })
})
