/** What a model may think beyond its output cap: nothing where the provider counts thoughts inside it. */
import { assert, describe, it } from "@effect/vitest"
import { thinkingBeyondCap } from "../../src/compute/thinking-beyond-cap.ts"
import { Catalogue } from "../../src/domain/catalogue.ts"
import type { JsonObject } from "../../src/formats/json/json.ts"
import { modelNamed } from "../catalogue.ts"
import { chatModel } from "../wire/models.ts"

const beyond = (id: string, body: JsonObject = {}, cap = 1) => thinkingBeyondCap(modelNamed(id), body, cap)

describe("thinking beyond the cap", () => {
  it.each([
    "claude-sonnet-5",
    "gpt-5.5",
    "deepseek-v4-pro",
    "gemini-3.8-flash",
    "kimi-k3",
    "glm-5.3",
    "mistral-medium-2604",
    "svc/claude-sonnet-5",
    "svc/gpt-oss-120b",
    "qwen3-coder-plus",
    "svc/nova-pro"
  ])("is none of %s", (id) => {
    assert.strictEqual(beyond(id), 0)
  })

  it("of Qwen is as long as any, or as the caller's budget, or none where that is switched off", () => {
    assert.strictEqual(beyond("qwen3.7-plus"), 131_072)
    assert.strictEqual(beyond("qwen3.7-plus", { thinking_budget: 2_000 }), 2_000)
    for (const odd of [0, -1, 1.5, "1", null, 1e12])
      assert.strictEqual(beyond("qwen3.7-plus", { thinking_budget: odd }), 131_072)
    assert.strictEqual(beyond("qwen3.7-plus", { enable_thinking: false }), 0)
    assert.strictEqual(beyond("qwen3.7-plus", { enable_thinking: "false" }), 131_072)
    assert.strictEqual(beyond("qwen3.7-plus", { reasoning_effort: "none" }), 131_072)
  })

  it("of others is as long as an answer, unless they heed being told not to think", () => {
    assert.strictEqual(beyond("grok-4.3"), 30_000)
    assert.strictEqual(beyond("grok-4.3", { reasoning_effort: "none" }), 0)
    assert.strictEqual(beyond("grok-4.7", { reasoning_effort: "none" }), 499_999)
    assert.strictEqual(beyond("minimax-m3"), 128_000)
    assert.strictEqual(beyond("minimax-m3", { thinking: { type: "disabled" } }), 0)
    const reasoning = { additionalModelRequestFields: { reasoningConfig: { type: "enabled" } } }
    assert.strictEqual(beyond("svc/nova-2-lite", reasoning), 64_000)
    assert.strictEqual(beyond("svc/nova-2-lite"), 0)
  })

  it("fits into the model's window together with the answer", () => {
    assert.strictEqual(beyond("grok-4.7", {}, 400_000), 100_000)
    assert.strictEqual(beyond("grok-4.7", {}, 500_000), 0)
    assert.strictEqual(beyond("grok-4.7", {}, 600_000), 0)
  })

  it("of a provider that nobody knows is as long as an answer", () => {
    assert.strictEqual(thinkingBeyondCap(chatModel({ maxOutputTokens: 700 }), {}, 1), 700)
    assert.strictEqual(thinkingBeyondCap(chatModel({ capabilities: ["streaming"] }), {}, 1), 0)
  })

  it("is what a record of the catalogue says, if it does", () => {
    const record = (thinking_beyond_cap?: number) => ({
      id: "m",
      name: "M",
      context_window: 1000,
      max_output_tokens: 500,
      price: { per_mtok_vnd: 1 },
      channel: "standard",
      capabilities: ["reasoning"],
      family: "f",
      kind: "chat",
      upstream: {
        provider: "openai",
        model: "m",
        protocols: ["chat_completions"],
        ...(thinking_beyond_cap !== undefined && { thinking_beyond_cap })
      }
    })
    const of = (stated?: number) => thinkingBeyondCap(new Catalogue([record(stated)], {}).get("m")!, {}, 500)
    assert.deepStrictEqual([of(), of(0), of(300)], [0, 0, 300])
    assert.throws(() => new Catalogue([record(-1)], {}), /thinking_beyond_cap/)
  })
})
