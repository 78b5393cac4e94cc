/** A name that is another service's is told which model it may mean. */
import { assert, describe, it } from "@effect/vitest"
import { Catalogue } from "../../src/domain/catalogue.ts"
import records from "../../src/domain/catalogue.json" with { type: "json" }
import { nearModels } from "../../src/domain/near-models.ts"

const { models } = new Catalogue(records)

describe("a name that finds no model", () => {
  it.each([
    ["anthropic/claude-opus-4.6", "claude-opus-4-6"],
    ["anthropic/claude-sonnet-4.6:beta", "claude-sonnet-4-6"],
    ["bedrock/us.anthropic.claude-opus-4-6-v1:0", "claude-opus-4-6"],
    ["vertex_ai/claude-opus-4-6@20260205", "claude-opus-4-6"],
    ["openai/gpt-5.4:free", "gpt-5.4"],
    ["azure/gpt-5.4-mini-2026-03-17", "gpt-5.4-mini"],
    ["models/gemini-3.5-flash", "gemini-3.5-flash"],
    ["x-ai/grok-4.7", "grok-4.7"],
    ["qwen/Qwen3.7-Max", "qwen3.7-max"],
    [" GPT-5.4 ", "gpt-5.4"]
  ])("%s is near %s before all others", (name, near) => {
    assert.strictEqual(nearModels(name, models)[0], near)
  })

  it("is near those of the channel that it names before others", () => {
    assert.deepStrictEqual(nearModels("svc/claude-opus-4.8", models), [
      "svc/claude-opus-4-8",
      "claude-opus-4-8",
      "req/claude-opus-4-8"
    ])
  })

  it.each(["openai/gpt-4o", "openrouter/auto", "/", "a/b/c", "svc/nothing", ""])(
    "is near none where it is nobody's (%s)",
    (name) => {
      assert.deepStrictEqual(nearModels(name, models), [])
    }
  )
})
