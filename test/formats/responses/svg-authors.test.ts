/** Images that a model writes as SVG, in the tool of Responses. */
import { assert, describe, it } from "@effect/vitest"
import type { JsonObject } from "../../../src/formats/json/json.ts"
import { responsesUpstream } from "../../../src/formats/upstreams.ts"

const usage = { input_tokens: 700, output_tokens: 2_000, reasoning_tokens: 1_500, total_tokens: 2_700 }
const image = { type: "image_generation_call", svg_usage: { model: "gpt-5.5", ...usage } }
const response = { output: [image], usage: { input_tokens: 40, output_tokens: 9 } }

const others = (...events: ReadonlyArray<JsonObject>) => {
  const reader = responsesUpstream.particulars()
  for (const event of events) reader.event(event)
  return reader.particulars.others
}

describe("the tokens of a model that wrote an SVG", () => {
  it("are told once, beside those of the answer", () => {
    const told = [
      {
        model: "gpt-5.5",
        inputTokens: 700,
        cacheReadTokens: 0,
        cacheWriteTokens: 0,
        outputTokens: 2_000,
        isApart: true
      }
    ]
    const whole = responsesUpstream.particulars()
    whole.answer(response)
    assert.deepStrictEqual(whole.particulars.others, told)
    const done = { type: "response.output_item.done", item: image }
    assert.deepStrictEqual(others(done), told)
    assert.deepStrictEqual(others(done, { type: "response.completed", response }), told)
  })
})
