import { assert, it } from "@effect/vitest"
import { convert } from "../messages-requests.ts"

it.each([
  ["grok-4.3", { thinking: { type: "disabled" } }, "none"],
  ["grok-4.3", { output_config: { effort: "max" } }, "high"],
  ["grok-4.7", { thinking: { type: "disabled" } }, "low"],
  ["grok-4.7", { thinking: { type: "adaptive" } }, undefined]
])("%s does not think where it is told so and can stop: %j is %s", (id, asked, effort) => {
  assert.strictEqual(convert(asked, { provider: "xai", id }).reasoning_effort, effort)
})
