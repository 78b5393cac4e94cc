/** How chat providers are told to think, and with which values to choose words. */
import { assert, describe, it } from "@effect/vitest"
import type { JsonObject } from "../../../../src/formats/json/json.ts"
import { convert } from "../messages-requests.ts"

describe("the thinking of a model that always thinks", () => {
  it.each([
    ["glm-5.3-flash", { thinking: { type: "adaptive" } }, {}],
    ["glm-5.3", { thinking: { type: "disabled" } }, { reasoning_effort: "low" }],
    ["glm-5.3", { output_config: { effort: "medium" } }, { reasoning_effort: "high" }],
    ["glm-5.3", { output_config: { effort: "max" } }, { reasoning_effort: "max" }],
    ["glm-5.2", { thinking: { type: "disabled" } }, { thinking: { type: "disabled" } }],
    [
      "glm-5.2",
      { output_config: { effort: "low" } },
      { thinking: { type: "enabled" }, reasoning_effort: "high" }
    ],
    [
      "glm-5.2",
      { thinking: { type: "adaptive" }, output_config: { effort: "xhigh" } },
      { thinking: { type: "enabled" }, reasoning_effort: "max" }
    ],
    ["kimi-k3", { thinking: { type: "adaptive" } }, {}],
    ["kimi-k3", { thinking: { type: "disabled" } }, { reasoning_effort: "low" }],
    ["kimi-k3", { thinking: { type: "enabled", budget_tokens: 6_000 } }, { reasoning_effort: "high" }],
    ["kimi-k3", { output_config: { effort: "xhigh" } }, { reasoning_effort: "max" }],
    ["kimi-k2.7-code", { thinking: { type: "adaptive" } }, {}],
    ["kimi-k2.7-code", { thinking: { type: "disabled" } }, {}],
    ["kimi-k2.6", { thinking: { type: "disabled" } }, { thinking: { type: "disabled" } }]
  ])("%s is asked for in its own words: %j is %j", (id, asked, expected) => {
    const { reasoning_effort, thinking } = convert(asked, {
      provider: id.startsWith("glm") ? "zai" : "moonshotai",
      id
    })
    assert.deepStrictEqual(JSON.parse(JSON.stringify({ reasoning_effort, thinking })), expected)
  })

  it("is never told to stop on Meta's Muse", () => {
    const effort = (asked: JsonObject) =>
      convert(asked, { provider: "meta", id: "muse-spark-1.3" }).reasoning_effort
    assert.strictEqual(effort({ thinking: { type: "disabled" } }), "minimal")
    assert.strictEqual(effort({ output_config: { effort: "max" } }), "xhigh")
  })
})

it("Kimi's models get no sampling values, of which they take their own alone", () => {
  const sampled = { temperature: 0.3, top_p: 0.9 }
  assert.notProperty(convert(sampled, { provider: "moonshotai", id: "kimi-k2.6" }), "temperature")
  assert.notProperty(convert(sampled, { provider: "moonshotai", id: "kimi-k2.6" }), "top_p")
  assert.deepInclude(convert(sampled, { provider: "moonshotai", id: "moonshot-v1-8k" }), sampled)
})
